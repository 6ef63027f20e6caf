/* SPDX-License-Identifier: BSD-3-Clause */
/* The program whose instructions budget.py counts. Rank 0 sends one message at a time (or broadcasts it); rank 1 receives it
 * when it is there. They take turns by a counter in a file that both map, outside MPI, so neither ever polls for something that
 * has not come, and the count is the same in every run.
 *
 * short_message FILE message|bcast */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kWarmUp = 20, kMessages = 50, kTag = 7 };

static int bcast;
static void do_send(char* data) {
  if (bcast)
    MPI_Bcast(data, 8, MPI_CHAR, 0, MPI_COMM_WORLD);
  else
    MPI_Send(data, 8, MPI_CHAR, 1, kTag, MPI_COMM_WORLD);
}
static void do_receive(char* data) {
  if (bcast)
    MPI_Bcast(data, 8, MPI_CHAR, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(data, 8, MPI_CHAR, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* callgrind collects only inside these two functions. */
__attribute__((noinline)) void measured_send(char* data) { do_send(data); }
__attribute__((noinline)) void measured_receive(char* data) { do_receive(data); }

static atomic_int* map_counter(const char* name) {
  int file = open(name, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(atomic_int)) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  void* memory = mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  close(file);
  return memory;
}

static void wait_for(atomic_int* counter, int value) {
  const struct timespec moment = {.tv_nsec = 20000};
  while (atomic_load(counter) != value) nanosleep(&moment, NULL);
}

int main(int argc, char** argv) {
  char data[8] = "1234567";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 1);
  bcast = strcmp(argv[2], "bcast") == 0;
  atomic_int* turn = map_counter(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kWarmUp + kMessages; ++i) {
    wait_for(turn, 2 * i + rank);
    if (rank == 0) (i < kWarmUp ? do_send : measured_send)(data);
    if (rank == 1) (i < kWarmUp ? do_receive : measured_receive)(data);
    atomic_store(turn, 2 * i + rank + 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
