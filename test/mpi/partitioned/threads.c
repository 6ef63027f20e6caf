// SPDX-License-Identifier: BSD-3-Clause
// Threads of a rank mark partitions of one request at the same time, and others look for what arrives.
#include <pthread.h>

#include "../check.h"

enum { kThreads = 4, kEach = 8, kParts = kThreads * kEach, kBytes = 3000, kRounds = 20 };

static MPI_Request requests[2];  // send, receive
static unsigned char out[kParts * kBytes], in[kParts * kBytes];
static int round_now;

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

static void* send_mine(void* argument) {
  int thread = *(int*)argument;
  for (int i = 0; i < kEach; i++) {
    int part = i * kThreads + thread;
    check_fill(out + part * kBytes, kBytes, (unsigned)(check_rank * 7919 + round_now * 101 + part));
    CHECK_OK(MPI_Pready(part, requests[0]));
  }
  for (int i = 0; i < kEach; i++) {
    int part = thread * kEach + i, flag = 0;
    while (!flag) CHECK_OK(MPI_Parrived(requests[1], part, &flag));
    CHECK_PATTERN(in + part * kBytes, kBytes, (unsigned)(left() * 7919 + round_now * 101 + part));
  }
  return NULL;
}

static void all_threads(void) {
  pthread_t threads[kThreads];
  int numbers[kThreads];
  CHECK_OK(MPI_Psend_init(out, kParts, kBytes, MPI_BYTE, right(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, kParts, kBytes, MPI_BYTE, left(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  for (round_now = 0; round_now < kRounds; round_now++) {
    CHECK_OK(MPI_Startall(2, requests));
    for (int i = 0; i < kThreads; i++) {
      numbers[i] = i;
      pthread_create(&threads[i], NULL, send_mine, &numbers[i]);
    }
    for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  }
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
}

static const CheckCase kCases[] = {{"marking and looking", all_threads, 0}};

CHECK_MAIN_THREADS(kCases)
