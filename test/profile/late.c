// SPDX-License-Identifier: BSD-3-Clause
// Plants waits of a known length, and prints what it knows of them: 'truth NAME SECONDS ...' lines, from its own clock.
//
//   late KIND LATE SECONDS ROUNDS
//
// In each round rank LATE comes SECONDS later than the others to an operation, for which they wait. It knows that they are
// there because each tells so by a counter in shared memory just before. The moments at which all begin are in shared memory
// too: from them every rank computes how long it waited for rank LATE, whatever else the machine did. KIND: barrier, allreduce,
// bcast (LATE is the root), reduce (the rank after LATE is the root), ibarrier and persistent (in MPI_Wait), split
// (MPI_Comm_split), send (LATE sends to all others), anysource (they take it from any source), waitall (two messages), receive
// (LATE receives from all others, who use MPI_Ssend), sendrecv (each with LATE), twin (as allreduce, in one of two duplicates
// of the communicator).
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kMaxRounds = 4096, kMaxRanks = 32 };
struct shared {
  atomic_int there;
  double begin[kMaxRounds][kMaxRanks];
  double start[kMaxRounds][kMaxRanks];  // when LATE began what each waits for
};

static int rank, size, late;
static double seconds, compute;
static struct shared* shared;
static MPI_Comm twins[2];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void open_shared(void) {
  char name[64] = "", names[kMaxRanks][64];
  int fd = -1;
  if (rank == 0) {
    fd = memfd_create("late", 0);
    if (fd < 0 || ftruncate(fd, sizeof *shared) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), fd);
  }
  // An operation that is none of the kinds.
  MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
  if (rank != 0) fd = open(names[0], O_RDWR);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
}

// The late rank works until all others are in the operation, and `seconds` more.
static void come(int round) {
  double start = now();
  if (rank == late) {
    struct timespec moment = {0, 100000};
    while (atomic_load(&shared->there) < (round + 1) * (size - 1)) nanosleep(&moment, NULL);
    double all = now();
    while (now() < all + seconds) {
    }
    compute += now() - start;
  }
  shared->begin[round][rank] = now();
  for (int r = 0; rank == late && r < size; ++r) shared->start[round][r] = shared->begin[round][late];
  if (rank != late) atomic_fetch_add(&shared->there, 1);
}

static void send_to_others(int round) {
  for (int to = 0; to < size; ++to) {
    shared->start[round][to] = now();
    if (to != late) MPI_Send(&rank, 1, MPI_INT, to, 5, MPI_COMM_WORLD);
  }
}

static void operation(const char* kind, int round, MPI_Request* persistent) {
  int in = rank, out = 0;
  MPI_Request request;
  if (!strcmp(kind, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(kind, "allreduce")) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (!strcmp(kind, "bcast")) MPI_Bcast(&in, 1, MPI_INT, late, MPI_COMM_WORLD);
  if (!strcmp(kind, "twin")) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, twins[1]);
  if (!strcmp(kind, "reduce")) MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, (late + 1) % size, MPI_COMM_WORLD);
  if (!strcmp(kind, "sendrecv"))
    for (int to = 0; to < size; ++to) {
      if (to == late || (rank != late && rank != to)) continue;
      int peer = rank == late ? to : late;
      if (rank == late) shared->start[round][to] = now();
      MPI_Sendrecv(&in, 1, MPI_INT, peer, 7, &out, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  if (!strcmp(kind, "ibarrier")) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (!strcmp(kind, "persistent")) {
    MPI_Start(persistent);
    MPI_Wait(persistent, MPI_STATUS_IGNORE);
  }
  if (!strcmp(kind, "split")) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_free(&half);
  }
  if (!strcmp(kind, "send")) {
    if (rank == late)
      send_to_others(round);
    else
      MPI_Recv(&out, 1, MPI_INT, late, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!strcmp(kind, "anysource")) {
    if (rank == late)
      send_to_others(round);
    else
      MPI_Recv(&out, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!strcmp(kind, "waitall")) {
    if (rank == late) {
      send_to_others(round);
      send_to_others(round);
    } else {
      MPI_Request two[2];
      int more = 0;
      MPI_Irecv(&out, 1, MPI_INT, late, 5, MPI_COMM_WORLD, &two[0]);
      MPI_Irecv(&more, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &two[1]);
      MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    }
  }
  if (!strcmp(kind, "receive") && rank != late) MPI_Ssend(&in, 1, MPI_INT, late, 6, MPI_COMM_WORLD);
  for (int from = 0; !strcmp(kind, "receive") && rank == late && from < size; ++from) {
    shared->start[round][from] = now();
    if (from != late) MPI_Recv(&out, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 5) MPI_Abort(MPI_COMM_WORLD, 2);
  late = atoi(argv[2]);
  seconds = atof(argv[3]);
  int rounds = atoi(argv[4]);
  MPI_Request persistent = MPI_REQUEST_NULL;
  if (!strcmp(argv[1], "persistent")) MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &persistent);
  if (rounds > kMaxRounds || size > kMaxRanks) MPI_Abort(MPI_COMM_WORLD, 2);
  open_shared();
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &twins[i]);
  for (int round = 0; round < rounds; ++round) {
    come(round);
    operation(argv[1], round, &persistent);
  }
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&twins[i]);
  if (persistent != MPI_REQUEST_NULL) MPI_Request_free(&persistent);
  int in = 0, out;
  MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  double waited = 0;
  for (int round = 0; round < rounds; ++round) waited += shared->start[round][rank] - shared->begin[round][rank];
  printf("truth rank %d waited %.9f compute %.9f\n", rank, waited, compute);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
