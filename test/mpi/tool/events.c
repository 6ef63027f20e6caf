// SPDX-License-Identifier: BSD-3-Clause
// Events (MPI 5.0, 15.3.8): their description, and those of this library as they happen.
#include "../check.h"

enum { kRoom = 256, kMost = 16 };

static int seen, dropped, freed, last_tag, last_source;
static MPI_Count last_bytes, last_time;
static char copied[256];
static MPI_T_cb_safety last_safety;

static void on_message(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                       void* user_data) {
  int source_index = -1;
  (void)registration;
  last_safety = safety;
  CHECK(user_data == &seen);
  CHECK_OK(MPI_T_event_read(instance, 0, &last_source));
  CHECK_OK(MPI_T_event_read(instance, 1, &last_tag));
  CHECK_OK(MPI_T_event_read(instance, 2, &last_bytes));
  CHECK_OK(MPI_T_event_copy(instance, copied));
  CHECK_OK(MPI_T_event_get_timestamp(instance, &last_time));
  CHECK_OK(MPI_T_event_get_source(instance, &source_index));
  CHECK_EQ(source_index, 0);
  CHECK_EQ(MPI_T_event_read(instance, 99, copied), MPI_T_ERR_INVALID_ITEM);
  seen++;
}
static void on_dropped(MPI_Count count, MPI_T_event_registration registration, int source_index, MPI_T_cb_safety safety,
                       void* user_data) {
  (void)registration, (void)source_index, (void)safety, (void)user_data;
  dropped += (int)count;
}
static void on_freed(MPI_T_event_registration registration, MPI_T_cb_safety safety, void* user_data) {
  (void)registration, (void)safety;
  CHECK(user_data == &freed);
  freed++;
}

static int find(const char* name) {
  int index = -1;
  return MPI_T_event_get_index(name, &index) == MPI_SUCCESS ? index : -1;
}

static void descriptions(void) {
  int n = -1, sources = -1;
  CHECK_OK(MPI_T_event_get_num(&n));
  for (int i = 0; i < n; i++) {
    char name[kRoom];
    int length = kRoom, elements = kMost, index = -1, bind = -1;
    MPI_Datatype types[kMost];
    MPI_Aint displacements[kMost];
    MPI_T_enum items = MPI_T_ENUM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    CHECK_OK(MPI_T_event_get_info(i, name, &length, NULL, types, displacements, &elements, &items, &info, NULL, NULL, &bind));
    CHECK_EQ(length, (int)strlen(name) + 1);
    CHECK_OK(MPI_T_event_get_index(name, &index));
    CHECK_EQ(index, i);
    CHECK(elements >= 1 && elements <= kMost);
    for (int j = 1; j < elements; j++) CHECK(displacements[j] > displacements[j - 1]);
    if (info != MPI_INFO_NULL) CHECK_OK(MPI_Info_free(&info));
  }
  CHECK_EQ(MPI_T_event_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
  CHECK_OK(MPI_T_source_get_num(&sources));
  for (int i = 0; i < sources; i++) {
    MPI_Count ticks = 0, most = 0, before = 0, after = 0;
    MPI_T_source_order order;
    CHECK_OK(MPI_T_source_get_info(i, NULL, NULL, NULL, NULL, &order, &ticks, &most, NULL));
    CHECK(ticks > 0);
    CHECK_OK(MPI_T_source_get_timestamp(i, &before));
    CHECK_OK(MPI_T_source_get_timestamp(i, &after));
    CHECK(after >= before && most >= after);
  }
  MPI_Count time;
  CHECK_EQ(MPI_T_source_get_timestamp(sources, &time), MPI_T_ERR_INVALID_INDEX);
}

// When the second message is there, so is the first, for which no receive was posted.
static void send_unexpected(int tag) {
  int value = 3;
  CHECK_OK(MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF));
  CHECK_OK(MPI_Send(&value, 1, MPI_INT, 0, 1000 + tag, MPI_COMM_SELF));
  CHECK_OK(MPI_Recv(&value, 1, MPI_INT, 0, 1000 + tag, MPI_COMM_SELF, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

static void callbacks(void) {
  int index = find("unexpected_message"), nkeys = -1;
  if (index < 0) return;
  MPI_T_event_registration registration;
  MPI_Info info;
  MPI_Count before = 0;
  seen = freed = 0;
  CHECK_OK(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &registration));
  CHECK_OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL, &seen, on_message));
  CHECK_OK(MPI_T_event_handle_get_info(registration, &info));
  CHECK_OK(MPI_Info_get_nkeys(info, &nkeys));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_MPI_RESTRICTED, &info));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_T_event_handle_set_info(registration, MPI_INFO_NULL));
  CHECK_OK(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL));
  CHECK_OK(MPI_T_source_get_timestamp(0, &before));
  send_unexpected(123);
  CHECK(seen >= 1);
  if (check_size == 1) {
    CHECK_EQ(seen, 1);
    CHECK_EQ(last_tag, 123);
    CHECK_EQ(last_source, 0);
    CHECK_EQ(last_bytes, sizeof(int));
    CHECK_EQ(*(int*)(copied + 8), 123);
  }
  CHECK(last_time >= before);
  CHECK_EQ(last_safety, MPI_T_CB_REQUIRE_MPI_RESTRICTED);
  CHECK_OK(MPI_T_event_handle_free(registration, &freed, on_freed));
  CHECK_EQ(freed, 1);
  int so_far = seen;
  send_unexpected(124);
  CHECK_EQ(seen, so_far);
  CHECK_EQ(MPI_T_event_handle_free(registration, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, on_message),
           MPI_T_ERR_INVALID_HANDLE);
}

// A callback that wants to be free in what it calls cannot be called in the midst of progress.
static void dropped_events(void) {
  int index = find("unexpected_message"), n;
  if (index < 0) return;
  MPI_T_event_registration registration;
  seen = dropped = 0;
  CHECK_OK(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &registration));
  CHECK_OK(MPI_T_event_set_dropped_handler(registration, on_dropped));
  CHECK_OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &seen, on_message));
  send_unexpected(1);
  send_unexpected(2);
  CHECK_OK(MPI_T_event_get_num(&n));
  CHECK_EQ(seen, 0);
  CHECK(dropped >= 2);
  CHECK_OK(MPI_T_event_handle_free(registration, NULL, NULL));
}

static int operation, ranks;
static void on_algorithm(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                         void* user_data) {
  (void)registration, (void)safety, (void)user_data;
  CHECK_OK(MPI_T_event_read(instance, 0, &operation));
  CHECK_OK(MPI_T_event_read(instance, 3, &ranks));
  seen++;
}

static void algorithms(void) {
  int index = find("algorithm_chosen");
  if (index < 0) return;
  MPI_T_event_registration registration;
  seen = 0;
  CHECK_OK(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &registration));
  CHECK_OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, NULL, on_algorithm));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_EQ(seen, 1);
  CHECK_EQ(operation, 0);
  CHECK_EQ(ranks, check_size);
  CHECK_OK(MPI_T_event_handle_free(registration, NULL, NULL));
}

static const CheckCase kCases[] = {
    {"descriptions", descriptions, 0},
    {"callbacks", callbacks, 0},
    {"dropped events", dropped_events, 0},
    {"algorithms", algorithms, 0},
};

int main(int argc, char** argv) {
  int provided;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  int failed = check_run(kCases, (int)(sizeof kCases / sizeof *kCases));
  MPI_Finalize();
  MPI_T_finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
