// SPDX-License-Identifier: BSD-3-Clause
// What this library counts: each variable follows what the program does. Elsewhere the variables have other names, and nothing
// is checked.
#include "../check.h"

typedef unsigned long long Value;

static MPI_T_pvar_session session;

static int find(const char* name, int of_class) {
  int index = -1;
  return MPI_T_pvar_get_index(name, of_class, &index) == MPI_SUCCESS ? index : -1;
}
static int ours(void) { return find("eager_sends", MPI_T_PVAR_CLASS_COUNTER) >= 0; }

static MPI_T_pvar_handle open_pvar(const char* name, int of_class, void* on) {
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  int count = -1;
  CHECK_OK(MPI_T_pvar_handle_alloc(session, find(name, of_class), on, &handle, &count));
  CHECK_EQ(count, 1);
  return handle;
}
static MPI_T_pvar_handle counter(const char* name) { return open_pvar(name, MPI_T_PVAR_CLASS_COUNTER, NULL); }
static Value value_of(MPI_T_pvar_handle handle) {
  Value value = ~0ull;
  CHECK_OK(MPI_T_pvar_read(session, handle, &value));
  return value;
}
static void close_pvar(MPI_T_pvar_handle handle) { CHECK_OK(MPI_T_pvar_handle_free(session, &handle)); }

static void send_to_self(int bytes, int tag) {
  unsigned char* out = check_alloc((size_t)bytes);
  unsigned char* in = check_alloc((size_t)bytes);
  CHECK_OK(MPI_Sendrecv(out, bytes, MPI_BYTE, 0, tag, in, bytes, MPI_BYTE, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE));
  free(in);
  free(out);
}

static void start_and_stop(void) {
  if (!ours()) return;
  MPI_T_pvar_handle sends = counter("eager_sends"), other = counter("eager_sends");
  MPI_T_pvar_handle bytes = open_pvar("sent_bytes", MPI_T_PVAR_CLASS_AGGREGATE, NULL);
  send_to_self(10, 1);
  CHECK_EQ(value_of(sends), 0);  // not started
  CHECK_OK(MPI_T_pvar_start(session, sends));
  CHECK_OK(MPI_T_pvar_start(session, bytes));
  for (int i = 0; i < 5; i++) send_to_self(10, i);
  CHECK_EQ(value_of(sends), 5);
  CHECK_EQ(value_of(bytes), 50);
  CHECK_EQ(value_of(other), 0);
  CHECK_OK(MPI_T_pvar_stop(session, sends));
  send_to_self(10, 1);
  CHECK_EQ(value_of(sends), 5);
  CHECK_OK(MPI_T_pvar_start(session, sends));
  send_to_self(10, 1);
  CHECK_EQ(value_of(sends), 6);
  Value value = 0;
  CHECK_OK(MPI_T_pvar_readreset(session, sends, &value));
  CHECK_EQ(value, 6);
  CHECK_EQ(value_of(sends), 0);
  value = 100;
  CHECK_OK(MPI_T_pvar_write(session, sends, &value));
  send_to_self(10, 1);
  CHECK_EQ(value_of(sends), 101);
  CHECK_OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
  CHECK_OK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
  send_to_self(10, 1);
  CHECK_EQ(value_of(sends), 1);
  CHECK_EQ(value_of(other), 1);
  CHECK_OK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
  close_pvar(sends);
  close_pvar(other);
  close_pvar(bytes);
}

static void protocols(void) {
  if (!ours()) return;
  MPI_T_pvar_handle eager = counter("eager_sends"), rendezvous = counter("rendezvous_sends");
  MPI_T_pvar_handle received = counter("rendezvous_receives"), synchronous = counter("synchronous_sends");
  unsigned char* big = check_alloc(2000000);
  unsigned char* room = check_alloc(2000000);
  int peer = check_rank ^ 1, alone = peer >= check_size;
  MPI_Request request;
  CHECK_OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
  if (!alone) {
    CHECK_OK(
        MPI_Sendrecv(big, 2000000, MPI_BYTE, peer, 1, room, 2000000, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Irecv(room, 4, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Ssend(big, 4, MPI_BYTE, peer, 2, MPI_COMM_WORLD));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  CHECK_OK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
  CHECK_EQ(value_of(eager), 0);
  CHECK_EQ(value_of(rendezvous), !alone);
  CHECK_EQ(value_of(received), !alone);
  CHECK_EQ(value_of(synchronous), !alone);
  free(room);
  free(big);
  close_pvar(eager);
  close_pvar(rendezvous);
  close_pvar(received);
  close_pvar(synchronous);
}

static void queues(void) {
  if (!ours()) return;
  MPI_Comm comm;
  CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  MPI_T_pvar_handle queue = open_pvar("unexpected_queue", MPI_T_PVAR_CLASS_LEVEL, NULL);
  MPI_T_pvar_handle in_comm = open_pvar("comm_unexpected_queue", MPI_T_PVAR_CLASS_LEVEL, &comm);
  MPI_T_pvar_handle posted = open_pvar("comm_posted_receives", MPI_T_PVAR_CLASS_LEVEL, &comm);
  MPI_T_pvar_handle most = open_pvar("unexpected_queue_most", MPI_T_PVAR_CLASS_HIGHWATERMARK, NULL);
  MPI_Request requests[3];
  int in[3], before = (int)value_of(queue);
  CHECK_OK(MPI_T_pvar_start(session, most));
  CHECK_EQ(MPI_T_pvar_start(session, queue), MPI_T_ERR_PVAR_NO_STARTSTOP);
  for (int i = 0; i < 5; i++) CHECK_OK(MPI_Send(&i, 1, MPI_INT, 0, i, comm));
  CHECK_OK(MPI_Recv(&in[0], 1, MPI_INT, 0, 4, comm, MPI_STATUS_IGNORE));  // when the last is there, all are
  CHECK_EQ(value_of(in_comm), 4);
  CHECK((int)value_of(queue) >= before + 4);
  for (int i = 0; i < 4; i++) CHECK_OK(MPI_Recv(&in[0], 1, MPI_INT, 0, i, comm, MPI_STATUS_IGNORE));
  CHECK_EQ(value_of(in_comm), 0);
  CHECK((int)value_of(most) >= before + 4);
  CHECK_OK(MPI_T_pvar_reset(session, most));
  CHECK(value_of(most) < 4 + (Value)before || check_size > 1);
  for (int i = 0; i < 3; i++) CHECK_OK(MPI_Irecv(&in[i], 1, MPI_INT, i ? 0 : MPI_ANY_SOURCE, i, comm, &requests[i]));
  CHECK_EQ(value_of(posted), 3);
  for (int i = 0; i < 3; i++) CHECK_OK(MPI_Send(&i, 1, MPI_INT, 0, i, comm));
  CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
  CHECK_EQ(value_of(posted), 0);
  CHECK_OK(MPI_Comm_free(&comm));
  Value gone;
  CHECK_EQ(MPI_T_pvar_read(session, posted, &gone), MPI_T_ERR_INVALID_HANDLE);
  close_pvar(queue);
  close_pvar(in_comm);
  close_pvar(posted);
  close_pvar(most);
}

// All algorithms of an operation together count its calls.
static Value algorithms(const char* operation, int phase) {
  static MPI_T_pvar_handle handles[64];
  static int used;
  int n = 0;
  Value sum = 0;
  char prefix[64];
  snprintf(prefix, sizeof prefix, "coll_%s_", operation);
  CHECK_OK(MPI_T_pvar_get_num(&n));
  if (phase == 0) used = 0;
  for (int i = 0; i < n && phase == 0; i++) {
    char name[256];
    int length = sizeof name, count;
    CHECK_OK(MPI_T_pvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    if (strncmp(name, prefix, strlen(prefix)) != 0) continue;
    CHECK_OK(MPI_T_pvar_handle_alloc(session, i, NULL, &handles[used], &count));
    CHECK_OK(MPI_T_pvar_start(session, handles[used++]));
  }
  for (int i = 0; i < used && phase == 1; i++) {
    sum += value_of(handles[i]);
    close_pvar(handles[i]);
  }
  return sum;
}

static void collectives(void) {
  if (!ours()) return;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_T_pvar_handle on_world = open_pvar("comm_collectives", MPI_T_PVAR_CLASS_COUNTER, &world);
  CHECK_OK(MPI_T_pvar_start(session, on_world));
  algorithms("allreduce", 0);
  for (int i = 0; i < 6; i++) {
    int one = 1, sum = 0;
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  }
  CHECK_EQ(algorithms("allreduce", 1), 6);
  CHECK_EQ(value_of(on_world), 6);
  close_pvar(on_world);
}

static void one_sided(void) {
  if (!ours()) return;
  MPI_Win win;
  int memory[4] = {0}, value = 5;
  CHECK_OK(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &win));
  MPI_T_pvar_handle puts_made = counter("puts"), gets = counter("gets"), updates = counter("updates");
  MPI_T_pvar_handle on_win = open_pvar("win_operations", MPI_T_PVAR_CLASS_COUNTER, &win);
  MPI_T_pvar_handle bytes = open_pvar("rma_bytes", MPI_T_PVAR_CLASS_AGGREGATE, NULL);
  CHECK_OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
  CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
  CHECK_OK(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  CHECK_OK(MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win));
  CHECK_OK(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  CHECK_OK(MPI_Accumulate(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win));
  CHECK_OK(MPI_Win_unlock(0, win));
  CHECK_EQ(value_of(puts_made), 2);
  CHECK_EQ(value_of(gets), 1);
  CHECK_EQ(value_of(updates), 1);
  CHECK_EQ(value_of(on_win), 4);
  CHECK_EQ(value_of(bytes), 4 * sizeof(int));
  close_pvar(puts_made);
  close_pvar(gets);
  close_pvar(updates);
  close_pvar(on_win);
  close_pvar(bytes);
  CHECK_OK(MPI_Win_free(&win));
}

static void settings(void) {
  if (!ours()) return;
  int index = -1, count = 0, value = -1, kept = -1, written = 77;
  MPI_T_cvar_handle handle;
  CHECK_OK(MPI_T_cvar_get_index("MVP_SPIN_COUNT", &index));
  CHECK_OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
  CHECK_OK(MPI_T_cvar_read(handle, &kept));
  CHECK_OK(MPI_T_cvar_write(handle, &written));
  CHECK_OK(MPI_T_cvar_read(handle, &value));
  CHECK_EQ(value, 77);
  CHECK_OK(MPI_T_cvar_write(handle, &kept));
  CHECK_OK(MPI_T_cvar_handle_free(&handle));
  CHECK_OK(MPI_T_cvar_get_index("MVP_KNOMIAL_FACTOR", &index));
  CHECK_OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
  CHECK_EQ(MPI_T_cvar_write(handle, &written), MPI_T_ERR_CVAR_SET_NOT_NOW);
  CHECK_OK(MPI_T_cvar_read(handle, &value));
  CHECK_EQ(value, 7);  // by main, before MPI_Init
  CHECK_OK(MPI_T_cvar_handle_free(&handle));
  CHECK_OK(MPI_T_cvar_get_index("MVP_CPU_MAPPING", &index));
  CHECK_OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
  CHECK_EQ(MPI_T_cvar_write(handle, "0:1"), MPI_T_ERR_CVAR_SET_NEVER);
  CHECK_OK(MPI_T_cvar_handle_free(&handle));
}

static const CheckCase kCases[] = {
    {"start and stop", start_and_stop, 0}, {"protocols", protocols, 0}, {"queues", queues, 0},
    {"collectives", collectives, 0},       {"one-sided", one_sided, 0}, {"settings", settings, 0},
};

int main(int argc, char** argv) {
  int provided, index, count, factor = 7;
  MPI_T_cvar_handle handle;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  if (MPI_T_cvar_get_index("MVP_KNOMIAL_FACTOR", &index) == MPI_SUCCESS) {
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    MPI_T_cvar_write(handle, &factor);
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_Init(&argc, &argv);
  MPI_T_pvar_session_create(&session);
  int failed = check_run(kCases, (int)(sizeof kCases / sizeof *kCases));
  MPI_T_pvar_session_free(&session);
  MPI_Finalize();
  MPI_T_finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
