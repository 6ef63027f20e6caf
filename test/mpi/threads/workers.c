// SPDX-License-Identifier: BSD-3-Clause
// run: also=MVP_WORKERS=4,MVP_WORKERS=2
//
// MPI_THREAD_MULTIPLE with many communicators: a library may look after each of them apart from the others, but nobody may
// notice. Threads have communicators of their own, share one, or mix all of them; and nobody waits for ever because what he
// waits for needs something done for another communicator, or by another thread.
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "../check.h"

enum { kThreads = 4, kMade = 2 * kThreads, kWorld = kMade, kComms = kMade + 1 };
enum { kLarge = 300000, kHuge = 1 << 20 };

static const int kSizes[] = {0, 8, 1000, 20000, kLarge};
enum { kCountOfSizes = sizeof kSizes / sizeof *kSizes };

// Those that the first case makes, with ranks as in MPI_COMM_WORLD, which is the last one.
static MPI_Comm comms[kComms];

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

static void nap(int milliseconds) {
  const struct timespec moment = {.tv_nsec = milliseconds * 1000000L};
  nanosleep(&moment, NULL);
}

// For loops that only ask: there are more threads than cores, and the one that they wait for needs one.
static int not_yet(int flag) {
  if (!flag) sched_yield();
  return !flag;
}

#define REPEAT_UNTIL(flag, call) \
  for ((flag) = 0; not_yet(flag) && CHECK_OK(call);) continue

static void (*body_now)(int thread);

static void* enter(void* number) {
  body_now(*(int*)number);
  return NULL;
}

static void run_threads(int count, void (*body)(int thread)) {
  pthread_t threads[kThreads + 2];
  int numbers[kThreads + 2];
  body_now = body;
  for (int i = 0; i < count; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, enter, &numbers[i]);
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

// What a message holds tells who sent it, by which communicator, with which tag and as which message.
static unsigned seed_of(int sender, int comm, int tag, int number) {
  return (unsigned)(sender * 7919 + comm * 613 + tag * 10007 + number);
}

static unsigned char* filled(int bytes, unsigned seed) {
  unsigned char* memory = check_alloc((size_t)bytes);
  check_fill(memory, (size_t)bytes, seed);
  return memory;
}

static void check_status(const MPI_Status* status, int source, int tag, int bytes) {
  int count = -1;
  CHECK_OK(MPI_Get_count(status, MPI_BYTE, &count));
  CHECK_EQ(count, bytes);
  CHECK_EQ(status->MPI_SOURCE, source);
  CHECK_EQ(status->MPI_TAG, tag);
}

typedef enum { kDup, kSplit, kCreate, kCreateGroup, kIdup, kKinds } Kind;

static MPI_Comm make(Kind kind, MPI_Comm parent, int tag) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group group;
  MPI_Request request = MPI_REQUEST_NULL;
  CHECK_OK(MPI_Comm_group(parent, &group));
  if (kind == kDup) CHECK_OK(MPI_Comm_dup(parent, &comm));
  if (kind == kSplit) CHECK_OK(MPI_Comm_split(parent, 0, check_rank, &comm));
  if (kind == kCreate) CHECK_OK(MPI_Comm_create(parent, group, &comm));
  if (kind == kCreateGroup) CHECK_OK(MPI_Comm_create_group(parent, group, tag, &comm));
  if (kind == kIdup) CHECK_OK(MPI_Comm_idup(parent, &comm, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Group_free(&group));
  return comm;
}

static void make_all(void) {
  for (int i = 0; i < kMade; i++) comms[i] = make((Kind)(i % kKinds), MPI_COMM_WORLD, i);
  comms[kWorld] = MPI_COMM_WORLD;
}

static void free_all(void) {
  for (int i = 0; i < kMade; i++) CHECK_OK(MPI_Comm_free(&comms[i]));
}

// Windows: many messages to the right neighbour, and as many from the left one, in one array of requests.
typedef enum { kReceivesFirst, kSendsFirst, kPersistent, kForms } Form;
typedef enum { kByWaitall, kByTestall, kByGetStatus, kByWaitany, kByTestany, kByWaitsome, kByTestsome, kWays } Way;

typedef struct Plan {
  int first, span;  // the communicators: message i goes by number (first + i % span) % kComms
  int tag;          // of all messages, so that those of one communicator must come in order
  Form form;
  Way way;
  int reduction;  // number of the communicator by which a reduction goes that is completed along with the messages, or -1
} Plan;

// The array: a reduction or nothing, receives, a persistent request that is not active, sends.
enum { kWindow = 16, kReceives = 1, kInactive = kReceives + kWindow, kSends = kInactive + 1, kRequests = kSends + kWindow };
enum { kUnset = -77 };  // a tag that no message has

static void complete_one_by_one(Way way, MPI_Request* requests, MPI_Status* statuses) {
  for (;;) {
    MPI_Status some[kRequests];
    int indices[kRequests] = {MPI_UNDEFINED}, flag = 1, count = MPI_UNDEFINED;
    if (way == kByWaitany) CHECK_OK(MPI_Waitany(kRequests, requests, indices, some));
    if (way == kByTestany) CHECK_OK(MPI_Testany(kRequests, requests, indices, &flag, some));
    if (way == kByWaitsome) CHECK_OK(MPI_Waitsome(kRequests, requests, &count, indices, some));
    if (way == kByTestsome) CHECK_OK(MPI_Testsome(kRequests, requests, &count, indices, some));
    if (way < kByWaitsome) count = !flag ? 0 : indices[0] == MPI_UNDEFINED ? MPI_UNDEFINED : 1;
    if (count == MPI_UNDEFINED) return;
    for (int i = 0; i < count; i++) {
      if (indices[i] < kInactive) CHECK_EQ(statuses[indices[i]].MPI_TAG, kUnset);  // each is completed once
      statuses[indices[i]] = some[i];
    }
    not_yet(count);
  }
}

static void complete(Way way, MPI_Request* requests, MPI_Status* statuses) {
  int flag;
  if (way == kByWaitall) CHECK_OK(MPI_Waitall(kRequests, requests, statuses));
  if (way == kByTestall) REPEAT_UNTIL(flag, MPI_Testall(kRequests, requests, &flag, statuses));
  // Backwards, so that it is mostly another communicator that has to go on.
  for (int i = kRequests - 1; way == kByGetStatus && i >= 0; i--) {
    REPEAT_UNTIL(flag, MPI_Request_get_status(requests[i], &flag, &statuses[i]));
  }
  if (way == kByGetStatus) CHECK_OK(MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE));
  if (way >= kByWaitany) complete_one_by_one(way, requests, statuses);
}

// All sizes of messages get to all places of the window, and with that to all communicators.
static int bytes_of(int i, int round) {
  static const int sizes[kWindow] = {8, 0, 1000, kLarge, 8, 20000, 64, 8, 70000, 1000, 0, 8, 4096, 100, 8, 20000};
  return sizes[(i + 5 * round) % kWindow];
}

static int comm_of(const Plan* plan, int i) { return (plan->first + i % plan->span) % kComms; }

static void post(const Plan* plan, int round, int sends, unsigned char* memory, MPI_Request* request) {
  const int again = plan->form == kPersistent;
  for (int i = 0; i < kWindow; memory += bytes_of(i, round), request++, i++) {
    const int number = comm_of(plan, i), bytes = bytes_of(i, round);
    MPI_Comm comm = comms[number];
    if (sends) check_fill(memory, (size_t)bytes, seed_of(check_rank, number, plan->tag, 100 * round + i));
    if (sends) CHECK_OK((again ? MPI_Send_init : MPI_Isend)(memory, bytes, MPI_BYTE, right(), plan->tag, comm, request));
    if (!sends) CHECK_OK((again ? MPI_Recv_init : MPI_Irecv)(memory, bytes, MPI_BYTE, left(), plan->tag, comm, request));
  }
}

static void check_window(const Plan* plan, int round, const unsigned char* in, const MPI_Status* statuses) {
  for (int i = 0; i < kWindow; in += bytes_of(i, round), i++) {
    check_status(&statuses[kReceives + i], left(), plan->tag, bytes_of(i, round));
    CHECK_PATTERN(in, (size_t)bytes_of(i, round), seed_of(left(), comm_of(plan, i), plan->tag, 100 * round + i));
  }
}

static void exchange(const Plan* plan, int round) {
  MPI_Request requests[kRequests];
  MPI_Status statuses[kRequests];
  const int persistent = plan->form == kPersistent;
  int value = check_rank + round, sum = -1, total = 0;
  for (int i = 0; i < kWindow; i++) total += bytes_of(i, round);
  unsigned char *in = check_alloc((size_t)total), *out = check_alloc((size_t)total);
  requests[0] = MPI_REQUEST_NULL;
  CHECK_OK(MPI_Recv_init(NULL, 0, MPI_BYTE, left(), plan->tag, comms[comm_of(plan, 0)], &requests[kInactive]));
  if (plan->reduction >= 0) {
    CHECK_OK(MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comms[plan->reduction], &requests[0]));
  }
  if (plan->form == kSendsFirst) post(plan, round, 1, out, &requests[kSends]);
  post(plan, round, 0, in, &requests[kReceives]);
  if (plan->form != kSendsFirst) post(plan, round, 1, out, &requests[kSends]);
  for (int times = 0; times <= persistent; times++) {
    for (int i = 0; i < kRequests; i++) statuses[i].MPI_TAG = kUnset;
    memset(in, 0, persistent ? (size_t)total : 0);
    if (persistent) CHECK_OK(MPI_Startall(kWindow, &requests[kReceives]));
    if (persistent) CHECK_OK(MPI_Startall(kWindow, &requests[kSends]));
    complete(plan->way, requests, statuses);
    check_window(plan, round, in, statuses);
  }
  if (plan->reduction >= 0) CHECK_EQ(sum, check_size * (check_size - 1) / 2 + check_size * round);
  for (int i = 0; i < kRequests; i++) {
    CHECK_EQ(requests[i] != MPI_REQUEST_NULL, i == kInactive || (persistent && i > 0));
    if (requests[i] != MPI_REQUEST_NULL) CHECK_OK(MPI_Request_free(&requests[i]));
  }
  free(in);
  free(out);
}

// Messages round the ring, and to and fro between two ranks with nothing but blocking calls: one of every size, and short ones.
static void blocking(int number, int tag) {
  unsigned char* in = check_alloc(kLarge);
  MPI_Comm comm = comms[number];
  const int peer = check_rank ^ 1;
  for (int i = 0; i < 20; i++) {
    const int bytes = kSizes[i < kCountOfSizes ? i : 1];
    unsigned char* out = filled(bytes, seed_of(check_rank, number, tag, i));
    MPI_Request request;
    MPI_Status status;
    CHECK_OK(MPI_Irecv(in, kLarge, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &request));
    CHECK_OK((i % 2 ? MPI_Ssend : MPI_Send)(out, bytes, MPI_BYTE, right(), tag, comm));
    CHECK_OK(MPI_Wait(&request, &status));
    check_status(&status, left(), tag, bytes);
    CHECK_PATTERN(in, (size_t)bytes, seed_of(left(), number, tag, i));
    for (int half = 0; half < 2 && peer < check_size; half++) {
      if (check_rank % 2 == half) CHECK_OK(MPI_Send(out, bytes, MPI_BYTE, peer, tag, comm));
      if (check_rank % 2 != half) CHECK_OK(MPI_Recv(in, kLarge, MPI_BYTE, peer, tag, comm, &status));
    }
    if (peer < check_size) CHECK_PATTERN(in, (size_t)bytes, seed_of(peer, number, tag, i));
    free(out);
  }
  free(in);
}

static void on_comm(int number, int tag) {
  for (int round = 0; round < kWays; round++) {
    blocking(number, tag);
    exchange(&(Plan){number, 1, tag, (Form)(round % 2), (Way)((round + tag) % kWays), -1}, round);
  }
}

static void on_own_comm(int thread) { on_comm(thread, 0); }      // nothing may get to another thread, nor out of order
static void on_one_comm(int thread) { on_comm(1, thread + 1); }  // the same with one set of queues for all

// One call has to look at requests of all communicators. Every thread has them in another order: who takes a lock for each
// in this order comes to a deadlock.
static void on_all_comms(int thread) {
  for (int i = 0; i < 2 * kWays; i++) {
    const Form form = (Form)((i + thread) % kForms);
    exchange(&(Plan){kWorld + 3 * thread, kComms, thread, form, (Way)(i % kWays), i % 2 ? thread : -1}, i);
  }
}

static void all_comms_alone(void) {
  for (int i = 0; i < kWays * kForms; i++) {
    exchange(&(Plan){kWorld, kComms, 3, (Form)(i / kWays), (Way)(i % kWays), i % 2 ? kMade - 1 : -1}, i);
  }
}

// Ways to wait for another process. Those before kBlocking can be used by several threads of a process at once.
typedef enum { kRecv, kProbe, kWait, kWaitany, kMprobe, kSsend, kBarrier, kTest, kTestsome, kIprobe, kImprobe, kHows } How;
enum { kBlocking = kBarrier };

// Returns when the peer calls notify(). All ranks take part in kBarrier.
static void await(How how, MPI_Comm comm, int peer) {
  const int posted = how == kWait || how == kWaitany || how == kTest || how == kTestsome;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag, index;
  if (posted) CHECK_OK(MPI_Irecv(NULL, 0, MPI_BYTE, peer, 0, comm, &request));
  if (how == kWait) CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  if (how == kWaitany) CHECK_OK(MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE));
  if (how == kTest) REPEAT_UNTIL(flag, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  if (how == kTestsome) REPEAT_UNTIL(flag, MPI_Testsome(1, &request, &flag, &index, MPI_STATUSES_IGNORE));
  if (how == kProbe) CHECK_OK(MPI_Probe(peer, 0, comm, MPI_STATUS_IGNORE));
  if (how == kIprobe) REPEAT_UNTIL(flag, MPI_Iprobe(peer, 0, comm, &flag, MPI_STATUS_IGNORE));
  if (how == kMprobe) CHECK_OK(MPI_Mprobe(peer, 0, comm, &message, MPI_STATUS_IGNORE));
  if (how == kImprobe) REPEAT_UNTIL(flag, MPI_Improbe(peer, 0, comm, &flag, &message, MPI_STATUS_IGNORE));
  if (message != MPI_MESSAGE_NULL) CHECK_OK(MPI_Mrecv(NULL, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE));
  if (how == kRecv || how == kProbe || how == kIprobe) {
    CHECK_OK(MPI_Recv(NULL, 0, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE));
  }
  if (how == kSsend) CHECK_OK(MPI_Ssend(NULL, 0, MPI_BYTE, peer, 0, comm));
  if (how == kBarrier) CHECK_OK(MPI_Barrier(comm));
  CHECK(request == MPI_REQUEST_NULL);
}

static void notify(How how, MPI_Comm comm, int peer) {
  if (how == kSsend) CHECK_OK(MPI_Recv(NULL, 0, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE));
  if (how == kBarrier) CHECK_OK(MPI_Barrier(comm));
  if (how != kSsend && how != kBarrier) CHECK_OK(MPI_Send(NULL, 0, MPI_BYTE, peer, 0, comm));
}

// One rank of a pair begins something and then looks at another communicator only, where nothing happens before the other rank
// has seen the end of it: of a message that is too large to go at once, of a reduction, or of an access to the waiting rank.
static void begun_elsewhere(void) {
  enum { kFrom, kTo, kReduction, kAccess, kBegun };
  const int peer = check_rank ^ 1, paired = peer < check_size;
  int *out = (int*)filled(kHuge, 5), *in = check_alloc(kHuge), sum, sums = 0, *accessed = check_alloc(sizeof(int));
  MPI_Win win;
  CHECK_OK(MPI_Win_create(accessed, sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  CHECK_OK(MPI_Win_lock_all(0, win));
  for (int i = 0; i < kBegun * kComms * kHows; i++) {
    const int begun = i % kBegun, number = i / kBegun % kComms, waits = (check_rank + number) % 2;
    const int sends = begun == (waits ? kTo : kFrom), receives = begun == (waits ? kFrom : kTo);
    const How how = (How)(i / kBegun / kComms);
    MPI_Comm comm = comms[number], other = comms[(number + 1 + (int)how % kMade) % kComms];
    MPI_Request request = MPI_REQUEST_NULL;
    if (paired && !waits && number == (int)how % kComms) nap(8);  // now and then the one that waits shall be asleep
    if (paired && sends) CHECK_OK(MPI_Isend(out, kHuge, MPI_BYTE, peer, 1, comm, &request));
    if (paired && receives) CHECK_OK(MPI_Irecv(in, kHuge, MPI_BYTE, peer, 1, comm, &request));
    if (begun == kReduction) CHECK_OK(MPI_Iallreduce(&i, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    if (paired && waits) await(how, other, peer);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (paired && !waits && begun == kAccess) {
      CHECK_OK(MPI_Accumulate(&i, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_SUM, win));
      CHECK_OK(MPI_Win_flush(peer, win));
    }
    if (paired ? !waits : how == kBarrier) notify(how, other, peer);
    if (begun == kReduction) CHECK_EQ(sum, check_size * i);
    if (paired && receives) CHECK_BYTES(in, out, kHuge);
    if (receives) memset(in, 0, kHuge);
    sums += waits && paired && begun == kAccess ? i : 0;
  }
  CHECK_OK(MPI_Win_unlock_all(win));
  CHECK_OK(MPI_Win_free(&win));
  CHECK_EQ(*accessed, sums);
  free(accessed);
  free(in);
  free(out);
}

static atomic_int awake;
static int night;

// Threads wait so long that they go to sleep, each with a communicator of its own. First a message comes by another one, which
// is no reason to return. In the last night another thread is busy with MPI: it may take away what would have woken them.
static void sleep_for_it(int thread) {
  const int bytes = night % 2 ? kLarge : 8;
  unsigned char *out = filled(bytes, 9), *in = check_alloc((size_t)bytes);
  if (thread < kThreads) {
    MPI_Request request;
    CHECK_OK(MPI_Irecv(in, bytes, MPI_BYTE, left(), 1, comms[thread + kThreads], &request));
    await((How)((thread + 2 * night) % kBlocking), comms[thread], left());
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_BYTES(in, out, (size_t)bytes);
    atomic_fetch_add(&awake, 1);
  } else if (thread == kThreads) {
    nap(22);
    for (int i = 0; i < kThreads; i++) {
      const int sleeper = (3 * i + 2) % kThreads;
      nap(8);
      CHECK_OK(MPI_Send(out, bytes, MPI_BYTE, right(), 1, comms[sleeper + kThreads]));
      nap(8);
      notify((How)((sleeper + 2 * night) % kBlocking), comms[sleeper], right());
    }
  } else {
    for (int flag; night == 2 && not_yet(atomic_load(&awake) == kThreads);) {
      CHECK_OK(MPI_Iprobe(left(), 2, comms[kWorld], &flag, MPI_STATUS_IGNORE));
    }
  }
  free(in);
  free(out);
}

static void asleep(void) {
  for (night = 0; night < 3; night++) {
    atomic_store(&awake, 0);
    run_threads(kThreads + 2, sleep_for_it);
  }
}

// What a probe finds, from anybody and with any tag, is what a receive gets next.
static void probe_own(int thread) {
  enum { kMessages = 40 };
  MPI_Request requests[kMessages], request;
  unsigned char *out[kMessages], *in = check_alloc(kLarge);
  MPI_Comm comm = comms[thread];
  for (int i = 0; i < kMessages; i++) {
    const int bytes = kSizes[i % 8 < 3 ? 1 : i % kCountOfSizes];
    out[i] = filled(bytes, seed_of(check_rank, thread, i, 0));
    CHECK_OK(MPI_Isend(out[i], bytes, MPI_BYTE, (check_rank + i) % check_size, i, comm, &requests[i]));
  }
  for (int i = 0; i < kMessages; i++) {
    MPI_Status found, status;
    MPI_Message message = MPI_MESSAGE_NULL;
    int bytes = -1, flag;
    if (i % 4 == 0) CHECK_OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found));
    if (i % 4 == 1) REPEAT_UNTIL(flag, MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &found));
    if (i % 4 == 2) CHECK_OK(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &found));
    if (i % 4 == 3) REPEAT_UNTIL(flag, MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, &found));
    const int source = found.MPI_SOURCE, tag = found.MPI_TAG;
    CHECK_OK(MPI_Get_count(&found, MPI_BYTE, &bytes));
    if (!CHECK(bytes >= 0 && bytes <= kLarge)) break;
    if (i % 4 < 2) CHECK_OK(MPI_Recv(in, bytes, MPI_BYTE, source, tag, comm, &status));
    if (i % 4 == 2) CHECK_OK(MPI_Mrecv(in, bytes, MPI_BYTE, &message, &status));
    if (i % 4 == 3) CHECK_OK(MPI_Imrecv(in, bytes, MPI_BYTE, &message, &request));
    if (i % 4 == 3) CHECK_OK(MPI_Wait(&request, &status));
    CHECK_EQ((source + tag) % check_size, check_rank);
    check_status(&status, source, tag, bytes);
    CHECK_PATTERN(in, (size_t)bytes, seed_of(source, thread, tag, 0));
  }
  CHECK_OK(MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < kMessages; i++) free(out[i]);
  free(in);
}

// Sends and receives in one call.
static void pair(int thread) {
  unsigned char *in = check_alloc(kLarge), *both = check_alloc(kLarge);
  MPI_Comm comm = comms[thread], second = comms[thread + kThreads];
  for (int i = 0; i < 2 * kCountOfSizes; i++) {
    const int bytes = kSizes[i / 2], at_once = MPI_VERSION < 4 || i % 2;
    unsigned char* out = filled(bytes, seed_of(check_rank, thread, i, 0));
    memcpy(both, out, (size_t)bytes);
    if (at_once) {
      CHECK_OK(MPI_Sendrecv(out, bytes, MPI_BYTE, right(), 0, in, bytes, MPI_BYTE, left(), 0, comm, MPI_STATUS_IGNORE));
      CHECK_OK(MPI_Sendrecv_replace(both, bytes, MPI_BYTE, right(), 0, left(), 0, second, MPI_STATUS_IGNORE));
    }
#if MPI_VERSION >= 4
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (!at_once) {
      CHECK_OK(MPI_Isendrecv(out, bytes, MPI_BYTE, right(), 0, in, bytes, MPI_BYTE, left(), 0, comm, &requests[0]));
      CHECK_OK(MPI_Isendrecv_replace(both, bytes, MPI_BYTE, right(), 0, left(), 0, second, &requests[1]));
    }
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
#endif
    CHECK_PATTERN(in, (size_t)bytes, seed_of(left(), thread, i, 0));
    CHECK_PATTERN(both, (size_t)bytes, seed_of(left(), thread, i, 0));
    free(out);
  }
  free(both);
  free(in);
}

// A message passes by the receive that was cancelled, and goes to the next one.
static void cancel(int thread) {
  MPI_Comm comm = comms[thread];
  for (int round = 0; round < 20; round++) {
    int values[2] = {-1, -1}, cancelled = 0;
    MPI_Request requests[2];
    MPI_Status status;
    for (int i = 0; i < 2; i++) CHECK_OK(MPI_Irecv(&values[i], 1, MPI_INT, left(), MPI_ANY_TAG, comm, &requests[i]));
    CHECK_OK(MPI_Cancel(&requests[0]));
    CHECK_OK(MPI_Wait(&requests[0], &status));
    CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_EQ(cancelled, 1);
    CHECK_OK(MPI_Barrier(comm));  // nobody sends earlier
    CHECK_OK(MPI_Send(&round, 1, MPI_INT, right(), 0, comm));
    CHECK_OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    CHECK_EQ(values[0], -1);
    CHECK_EQ(values[1], round);
  }
}

// Nobody but the message itself keeps its communicator: both, and the freed request, end in whatever call makes progress then.
static void free_early(int thread) {
  static const int sizes[] = {8, 20000, kLarge, kHuge};
  for (int round = 0; round < 12; round++) {
    const int bytes = sizes[round % 4];
    unsigned char *out = filled(bytes, seed_of(check_rank, thread, 0, round)), *in = check_alloc((size_t)bytes);
    MPI_Request send, receive;
    MPI_Comm comm = make((Kind)(round % kKinds), comms[thread], 0);
    CHECK_OK((round >= 8 ? MPI_Issend : MPI_Isend)(out, bytes, MPI_BYTE, right(), 0, comm, &send));
    CHECK_OK(MPI_Request_free(&send));
    if ((check_rank + round) % 2) nap(2);  // the neighbour frees the communicator first
    CHECK_OK(MPI_Irecv(in, bytes, MPI_BYTE, left(), 0, comm, &receive));
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_PATTERN(in, (size_t)bytes, seed_of(left(), thread, 0, round));
    CHECK_OK(MPI_Barrier(comms[thread]));  // what was sent has been received
    free(in);
    free(out);
  }
}

enum { kBuffered = 2 * kCountOfSizes };
static pthread_barrier_t all_are_buffered;
static int room_for_all;

// Messages of all sizes by two communicators, received backwards and only when all threads have sent theirs. Meanwhile the last
// thread detaches the buffer, and overwrites it.
static void use_buffer(int thread) {
  unsigned char *in = check_alloc(kLarge), *detached = NULL;
  int size = -1;
  for (int i = 0; i < 2 * kBuffered; i++) {
    const int tag = i < kBuffered ? i : 2 * kBuffered - 1 - i;
    const int bytes = kSizes[tag / 2], number = tag % 2 ? thread : thread + kThreads;
    if (i == kBuffered) pthread_barrier_wait(&all_are_buffered);
    if (thread == kThreads) continue;
    if (i == kBuffered) nap(thread);  // time for MPI_Buffer_detach to find messages that nobody receives
    if (i < kBuffered) {
      unsigned char* out = filled(bytes, seed_of(check_rank, number, tag, 0));
      CHECK_OK(MPI_Bsend(out, bytes, MPI_BYTE, right(), tag, comms[number]));
      free(out);
    } else {
      CHECK_OK(MPI_Recv(in, bytes, MPI_BYTE, left(), tag, comms[number], MPI_STATUS_IGNORE));
      CHECK_PATTERN(in, (size_t)bytes, seed_of(left(), number, tag, 0));
    }
  }
  if (thread == kThreads) {
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    if (CHECK_EQ(size, room_for_all)) memset(detached, 0, (size_t)size);
  }
  free(in);
}

static void buffered(void) {
  room_for_all = kThreads * kBuffered * (MPI_BSEND_OVERHEAD + 64);
  for (int i = 0; i < kCountOfSizes; i++) room_for_all += kThreads * 2 * kSizes[i];
  void* buffer = check_alloc((size_t)room_for_all);
  pthread_barrier_init(&all_are_buffered, NULL, kThreads + 1);
  for (int round = 0; round < 3; round++) {
    CHECK_OK(MPI_Buffer_attach(buffer, room_for_all));
    run_threads(kThreads + 1, use_buffer);
  }
  pthread_barrier_destroy(&all_are_buffered);
  free(buffer);
}

// Messages for which there is too little room: alone, and among others in an array, where the error is at its place.
static void truncate_all(int thread) {
  unsigned char *in = check_alloc(3 * kLarge), *out = filled(kLarge, 3);
  for (int round = 0; round < 8; round++) {
    const int bytes = kSizes[1 + round % 4], room = bytes / 2;
    MPI_Request sends[3], receives[3];
    MPI_Status statuses[3];
    memset(in, 0x11, 3 * kLarge);
    CHECK_OK(MPI_Isend(out, bytes, MPI_BYTE, right(), 0, comms[thread], &sends[0]));
    CHECK_CLASS(MPI_Recv(in, room, MPI_BYTE, left(), 0, comms[thread], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK_EQ(in[room], 0x11);
    CHECK_OK(MPI_Wait(&sends[0], MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++) {
      MPI_Comm comm = comms[i % 2 ? thread + kThreads : thread];
      CHECK_OK(MPI_Irecv(in + i * kLarge, i == 1 ? room : bytes, MPI_BYTE, left(), i, comm, &receives[i]));
      CHECK_OK(MPI_Isend(out, bytes, MPI_BYTE, right(), i, comm, &sends[i]));
    }
    CHECK_OK(MPI_Waitall(3, sends, MPI_STATUSES_IGNORE));
    CHECK_CLASS(MPI_Waitall(3, receives, statuses), MPI_ERR_IN_STATUS);
    for (int i = 0, class = -1; i < 3; i++) {
      CHECK_OK(MPI_Error_class(statuses[i].MPI_ERROR, &class));
      CHECK(i == 1 ? class == MPI_ERR_TRUNCATE : class == MPI_SUCCESS || class == MPI_ERR_PENDING);
    }
    CHECK_OK(MPI_Waitall(3, receives, MPI_STATUSES_IGNORE));  // those that were pending
    CHECK_EQ(in[kLarge + room], 0x11);
    for (int i = 0; i < 3; i += 2) CHECK_BYTES(in + i * kLarge, out, (size_t)bytes);
  }
  free(out);
  free(in);
}

enum { kErrorRounds = 20 };
static atomic_int handled[kMade];

static void on_error(MPI_Comm* comm, int* code, ...) {
  int class = -1, flag;
  CHECK_OK(MPI_Error_class(*code, &class));
  CHECK(class == MPI_ERR_TRUNCATE || class == MPI_ERR_RANK);
  CHECK_OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, *comm, &flag, MPI_STATUS_IGNORE));  // it may call MPI
  for (int i = 0; i < kMade; i++) {
    if (comms[i] == *comm) atomic_fetch_add(&handled[i], 1);
  }
}

// What the calls return when a handler of the user has returned is not the same everywhere.
static void make_errors(int thread) {
  char out[8] = {0}, in[4];
  MPI_Comm comm = comms[thread];
  for (int round = 0; round < kErrorRounds; round++) {
    MPI_Request send, receive;
    MPI_Send(out, 8, MPI_BYTE, check_size, 0, comm);
    CHECK_OK(MPI_Isend(out, 8, MPI_BYTE, right(), 0, comm, &send));
    MPI_Recv(in, 4, MPI_BYTE, left(), 0, comm, MPI_STATUS_IGNORE);
    CHECK_OK(MPI_Irecv(in, 4, MPI_BYTE, left(), 1, comm, &receive));
    CHECK_OK(MPI_Send(out, 8, MPI_BYTE, right(), 1, comm));
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
  }
}

static void handlers(void) {
  MPI_Errhandler handler;
  CHECK_OK(MPI_Comm_create_errhandler(on_error, &handler));
  for (int i = 0; i < kMade; i++) CHECK_OK(MPI_Comm_set_errhandler(comms[i], handler));
  CHECK_OK(MPI_Errhandler_free(&handler));
  run_threads(kThreads, make_errors);
  for (int i = 0; i < kMade; i++) {
    CHECK_EQ(atomic_load(&handled[i]), i < kThreads ? 3 * kErrorRounds : 0);
    CHECK_OK(MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN));
  }
}

// Two groups, the even and the odd ranks: those of a pair have the same rank in theirs.
static void between_groups(MPI_Comm comm) {
  const int odd = check_rank % 2, peer = check_rank ^ 1, partner = peer < check_size ? check_rank / 2 : MPI_PROC_NULL;
  int in = peer < check_size ? -1 : peer;
  MPI_Comm half, inter;
  CHECK_OK(MPI_Comm_split(comm, odd, 0, &half));
  CHECK_OK(MPI_Intercomm_create(half, 0, comm, !odd, 0, &inter));
  CHECK_OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, partner, 0, &in, 1, MPI_INT, partner, 0, inter, MPI_STATUS_IGNORE));
  CHECK_EQ(in, peer);
  CHECK_OK(MPI_Comm_free(&inter));
  CHECK_OK(MPI_Comm_free(&half));
}

// Two threads make and free communicators, whose places in tables are used again at once; the others have messages under way.
static void come_and_go(int thread) {
  for (int round = 0; round < 50; round++) {
    int out = (int)seed_of(check_rank, thread, 0, round), in = -1;
    if (thread >= 2) {
      if (round % 10 == 0) exchange(&(Plan){thread, 1, 0, kReceivesFirst, kByWaitall, -1}, round);
      continue;
    }
    MPI_Comm comm = make((Kind)(round % kKinds), comms[thread], 0);
    CHECK_OK(MPI_Sendrecv(&out, 1, MPI_INT, right(), 0, &in, 1, MPI_INT, left(), 0, comm, MPI_STATUS_IGNORE));
    CHECK_EQ(in, (int)seed_of(left(), thread, 0, round));
    if (check_size > 1 && round % 10 == 0) between_groups(comm);
    CHECK_OK(MPI_Comm_free(&comm));
  }
}

static void collect(MPI_Comm comm, int round) {
  int value = check_rank + round, sum = -1;
  MPI_Request request;
  CHECK_OK(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm));
  CHECK_EQ(sum, check_size * (check_size - 1) / 2 + check_size * round);
  CHECK_OK(MPI_Ibarrier(comm, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  unsigned char* data = filled(20000, check_rank == round % check_size ? 7 : 8);
  CHECK_OK(MPI_Bcast(data, 20000, MPI_BYTE, round % check_size, comm));
  CHECK_PATTERN(data, 20000, 7);
  free(data);
}

// Of four threads one has collectives only, two have messages only or both in one array, and one has both in turns.
static void with_collectives(int thread) {
  for (int round = 0; round < 20; round++) {
    const Plan plan = {thread, 1, 0, (Form)(round % 2), kByWaitany, thread == 3 ? 3 : -1};
    if (thread % 2 == 0) collect(comms[thread], round);
    if (thread > 0 && round % 3 == 0) exchange(&plan, round);
  }
}

static void own_comms(void) { run_threads(kThreads, on_own_comm); }
static void one_comm(void) { run_threads(kThreads, on_one_comm); }
static void all_comms(void) { run_threads(kThreads, on_all_comms); }
static void probes(void) { run_threads(kThreads, probe_own); }
static void pairs(void) { run_threads(kThreads, pair); }
static void cancelled_receives(void) { run_threads(kThreads, cancel); }
static void freed_early(void) { run_threads(kThreads, free_early); }
static void truncations(void) { run_threads(kThreads, truncate_all); }
static void coming_and_going(void) { run_threads(kThreads, come_and_go); }
static void collectives(void) { run_threads(kThreads, with_collectives); }

static const CheckCase kCases[] = {
    {"making communicators", make_all, 0},
    {"communicators of threads", own_comms, 0},
    {"threads of one communicator", one_comm, 0},
    {"all communicators in one call", all_comms_alone, 0},
    {"all communicators in all threads", all_comms, 0},
    {"begun on another communicator", begun_elsewhere, 2},
    {"asleep", asleep, 0},
    {"probes", probes, 0},
    {"sendrecv", pairs, 0},
    {"cancelled receives", cancelled_receives, 0},
    {"freed while under way", freed_early, 0},
    {"buffered messages", buffered, 0},
    {"truncated messages", truncations, 0},
    {"user's error handlers", handlers, 0},
    {"communicators come and go", coming_and_going, 0},
    {"messages and collectives", collectives, 0},
    {"freeing communicators", free_all, 0},
};

CHECK_MAIN_THREADS(kCases)
