// SPDX-License-Identifier: BSD-3-Clause
// run: also=MVP_WORKERS=4
//
// MPI_THREAD_MULTIPLE: several threads of every rank communicate at once, told apart by tag or by communicator.
#include <pthread.h>

#include "../check.h"

enum { kThreads = 4, kRounds = 300 };

typedef void (*Body)(int thread);
typedef struct Start {
  Body body;
  int thread;
} Start;

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

static void* enter(void* argument) {
  Start* start = argument;
  start->body(start->thread);
  return NULL;
}

static void run_threads(Body body) {
  pthread_t threads[kThreads];
  Start starts[kThreads];
  for (int i = 0; i < kThreads; i++) {
    starts[i] = (Start){body, i};
    pthread_create(&threads[i], NULL, enter, &starts[i]);
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
}

static int size_of(int round) {
  static const int sizes[] = {4, 40, 64, 1000, 9000, 70000, 0, 200000};
  return round % 50 == 0 ? 200000 : sizes[round % 5];
}

// Each thread has its tag; sizes cross all protocols.
static void per_tag(int thread) {
  unsigned char* out = check_alloc(200000);
  unsigned char* in = check_alloc(200000);
  for (int round = 0; round < kRounds; round++) {
    int bytes = size_of(round), count;
    MPI_Request receive;
    MPI_Status status;
    check_fill(out, (size_t)bytes, (unsigned)(check_rank * 100 + thread + round));
    CHECK_OK(MPI_Irecv(in, 200000, MPI_BYTE, round % 2 ? left() : MPI_ANY_SOURCE, thread, MPI_COMM_WORLD, &receive));
    CHECK_OK(MPI_Send(out, bytes, MPI_BYTE, right(), thread, MPI_COMM_WORLD));
    CHECK_OK(MPI_Wait(&receive, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, bytes);
    CHECK_PATTERN(in, (size_t)bytes, (unsigned)(left() * 100 + thread + round));
  }
  free(in);
  free(out);
}

static MPI_Comm comms[kThreads];

// Each thread has its communicator, with messages and collectives on it.
static void per_comm(int thread) {
  for (int round = 0; round < kRounds / 3; round++) {
    int sum = -1, value = check_rank + round, in = -1, root = round % check_size;
    CHECK_OK(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comms[thread]));
    CHECK_EQ(sum, check_size * (check_size - 1) / 2 + check_size * round);
    CHECK_OK(MPI_Sendrecv(&value, 1, MPI_INT, right(), 0, &in, 1, MPI_INT, left(), 0, comms[thread], MPI_STATUS_IGNORE));
    CHECK_EQ(in, left() + round);
    value = check_rank == root ? 1000 * thread + round : -1;
    CHECK_OK(MPI_Bcast(&value, 1, MPI_INT, root, comms[thread]));
    CHECK_EQ(value, 1000 * thread + round);
  }
}

static void messages_by_tag(void) { run_threads(per_tag); }

static void collectives_by_comm(void) {
  for (int i = 0; i < kThreads; i++) CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
  run_threads(per_comm);
  for (int i = 0; i < kThreads; i++) CHECK_OK(MPI_Comm_free(&comms[i]));
}

static MPI_Request shared_requests[kThreads];
static int shared_values[kThreads];

// The main thread posts receives; each is waited for by another thread, while the messages come in an order that wakes the last
// waiter first.
static void wait_for_one(int thread) {
  CHECK_OK(MPI_Wait(&shared_requests[thread], MPI_STATUS_IGNORE));
  CHECK_EQ(shared_values[thread], left() * 10 + thread);
  int value = check_rank * 10 + thread - 1;
  if (thread > 0) CHECK_OK(MPI_Send(&value, 1, MPI_INT, right(), thread - 1, MPI_COMM_WORLD));
}

static void waits_of_others(void) {
  for (int round = 0; round < 30; round++) {
    for (int i = 0; i < kThreads; i++) {
      shared_values[i] = -1;
      CHECK_OK(MPI_Irecv(&shared_values[i], 1, MPI_INT, left(), i, MPI_COMM_WORLD, &shared_requests[i]));
    }
    int value = check_rank * 10 + kThreads - 1;
    CHECK_OK(MPI_Send(&value, 1, MPI_INT, right(), kThreads - 1, MPI_COMM_WORLD));
    run_threads(wait_for_one);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
}

// One thread is blocked in a receive that needs another thread of the same rank to send.
static void ping_pong_within(int thread) {
  int peer = thread ^ 1;
  for (int round = 0; round < kRounds; round++) {
    int value = -1;
    if (thread & 1) {
      CHECK_OK(MPI_Recv(&value, 1, MPI_INT, check_rank, 100 + thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      CHECK_EQ(value, round);
      CHECK_OK(MPI_Send(&value, 1, MPI_INT, check_rank, 100 + peer, MPI_COMM_WORLD));
    } else {
      CHECK_OK(MPI_Send(&round, 1, MPI_INT, check_rank, 100 + peer, MPI_COMM_WORLD));
      CHECK_OK(MPI_Recv(&value, 1, MPI_INT, check_rank, 100 + thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      CHECK_EQ(value, round);
    }
  }
}

static void within_one_rank(void) { run_threads(ping_pong_within); }

static atomic_int received;

// All threads take messages from one stream by matched probe: each message goes to exactly one thread, undivided.
static void take(int thread) {
  (void)thread;
  while (atomic_fetch_add(&received, 1) < kThreads * 50) {
    MPI_Message message;
    MPI_Status status;
    int count;
    unsigned char data[600];
    CHECK_OK(MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_OK(MPI_Mrecv(data, count, MPI_BYTE, &message, MPI_STATUS_IGNORE));
    CHECK(count >= 1 && count <= 600);
    CHECK_PATTERN(data, (size_t)count, (unsigned)count);
  }
}

static void matched_probes(void) {
  enum { kMessages = kThreads * 50 };
  unsigned char data[600];
  MPI_Request requests[kMessages];
  unsigned char* all = check_alloc(kMessages * sizeof data);
  atomic_store(&received, 0);
  for (int i = 0; i < kMessages; i++) {
    int bytes = 1 + i * 37 % 600;
    check_fill(all + i * (int)sizeof data, (size_t)bytes, (unsigned)bytes);
    CHECK_OK(MPI_Isend(all + i * (int)sizeof data, bytes, MPI_BYTE, right(), 7, MPI_COMM_WORLD, &requests[i]));
  }
  run_threads(take);
  CHECK_OK(MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE));
  free(all);
}

// Objects come and go in all threads at once.
static void objects(int thread) {
  for (int round = 0; round < kRounds; round++) {
    MPI_Datatype type;
    MPI_Group group, half;
    MPI_Info info;
    MPI_Comm dup;
    int size;
    CHECK_OK(MPI_Type_vector(thread + 1, 2, 3, MPI_INT, &type));
    CHECK_OK(MPI_Type_commit(&type));
    CHECK_OK(MPI_Type_size(type, &size));
    CHECK_EQ(size, 8 * (thread + 1));
    CHECK_OK(MPI_Type_free(&type));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &group));
    CHECK_OK(MPI_Group_incl(group, 1, (const int[]){check_size - 1}, &half));
    CHECK_OK(MPI_Group_free(&half));
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "key", "value"));
    CHECK_OK(MPI_Info_free(&info));
    if (round % 10 == 0) {
      CHECK_OK(MPI_Comm_dup(comms[thread], &dup));
      CHECK_OK(MPI_Comm_free(&dup));
    }
  }
}

static void objects_in_threads(void) {
  for (int i = 0; i < kThreads; i++) CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
  run_threads(objects);
  for (int i = 0; i < kThreads; i++) CHECK_OK(MPI_Comm_free(&comms[i]));
}

static const CheckCase kCases[] = {
    {"messages by tag", messages_by_tag, 0},
    {"collectives by communicator", collectives_by_comm, 0},
    {"requests of other threads", waits_of_others, 0},
    {"within one rank", within_one_rank, 0},
    {"matched probes", matched_probes, 0},
    {"objects", objects_in_threads, 0},
};

CHECK_MAIN_THREADS(kCases)
