// SPDX-License-Identifier: BSD-3-Clause
// Sessions: process sets, groups, communicators made without MPI_COMM_WORLD, several sessions at once and after each other.
#include "../check.h"

#if MPI_VERSION >= 4

static void sets(void) {
  MPI_Session session;
  int count = 0, length = 0, flag = 0, world = 0, self = 0;
  char name[MPI_MAX_PSET_NAME_LEN], value[64];
  MPI_Info info;
  CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
  CHECK_OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
  CHECK(count >= 2);
  for (int i = 0; i < count; i++) {
    length = 0;
    CHECK_OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL));  // how long is it?
    CHECK(length > 1 && length <= MPI_MAX_PSET_NAME_LEN);
    CHECK_OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
    CHECK_EQ(strlen(name) + 1, length);
    world |= strcmp(name, "mpi://WORLD") == 0;
    self |= strcmp(name, "mpi://SELF") == 0;
    CHECK_OK(MPI_Session_get_pset_info(session, name, &info));
    int room = sizeof value;
    CHECK_OK(MPI_Info_get_string(info, "mpi_size", &room, value, &flag));
    CHECK(flag);
    if (strcmp(name, "mpi://WORLD") == 0) CHECK_EQ(atoi(value), check_size);
    if (strcmp(name, "mpi://SELF") == 0) CHECK_EQ(atoi(value), 1);
    CHECK_OK(MPI_Info_free(&info));
  }
  CHECK(world && self);
  CHECK_OK(MPI_Session_get_info(session, &info));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Session_finalize(&session));
  CHECK(session == MPI_SESSION_NULL);
}

static void use(MPI_Session session, const char* tag) {
  MPI_Group group;
  MPI_Comm comm;
  int size = -1, rank = -1, sum = -1;
  CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
  CHECK_OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Comm_size(comm, &size));
  CHECK_OK(MPI_Comm_rank(comm, &rank));
  CHECK_EQ(size, check_size);
  CHECK_EQ(rank, check_rank);
  CHECK_OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
  CHECK_EQ(sum, size * (size - 1) / 2);
  CHECK_OK(MPI_Comm_free(&comm));
}

static void several(void) {
  MPI_Session first, second;
  for (int round = 0; round < 5; round++) {
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first));
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second));
    use(first, "test/first");
    use(second, "test/second");
    CHECK_OK(MPI_Session_finalize(&first));
    use(second, "test/again");
    CHECK_OK(MPI_Session_finalize(&second));
  }
}

static void unknown_set(void) {
  MPI_Session session;
  MPI_Group group = MPI_GROUP_NULL;
  CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
  CHECK(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group) != MPI_SUCCESS);
  CHECK_OK(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
  int size = -1;
  CHECK_OK(MPI_Group_size(group, &size));
  CHECK_EQ(size, 1);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Session_finalize(&session));
}

// What is asked for and supported is told; kinds that nobody supports are left out.
static void memory_kinds(void) {
  MPI_Session session;
  MPI_Info info;
  char value[256] = "";
  int room = sizeof value, flag = 0;
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "mpi_memory_alloc_kinds", "system,nobody:has,mpi:alloc_mem,mpi:nothing"));
  CHECK_OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
  CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Session_get_info(session, &info));
  CHECK_OK(MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &room, value, &flag));
  CHECK(flag);
  CHECK(strstr(value, "system") != NULL);
  CHECK(strstr(value, "mpi") != NULL);
  CHECK(strstr(value, "nobody") == NULL);
  CHECK(strstr(value, "nothing") == NULL);
  room = sizeof value;
  CHECK_OK(MPI_Info_get_string(info, "thread_level", &room, value, &flag));
  CHECK(flag);
  CHECK(strncmp(value, "MPI_THREAD_", 11) == 0);  // a library may provide less than was asked for
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Session_finalize(&session));
}

// Hints that a program gives are kept and told back.
static void hints(void) {
  static const char* const keys[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source", "mpi_assert_exact_length",
                                     "mpi_assert_allow_overtaking", "mpi_assert_strict_persistent_collective_ordering"};
  enum { kKeys = sizeof keys / sizeof *keys };
  MPI_Comm comm;
  MPI_Info info;
  CHECK_OK(MPI_Info_create(&info));
  for (int i = 0; i < kKeys; i++) CHECK_OK(MPI_Info_set(info, keys[i], "true"));
  CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Comm_get_info(comm, &info));
  for (int i = 0; i < kKeys; i++) {
    char value[16] = "";
    int room = sizeof value, flag = 0;
    CHECK_OK(MPI_Info_get_string(info, keys[i], &room, value, &flag));
    if (flag) CHECK_STR(value, "true");
  }
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Pcontrol(0));
  CHECK_OK(MPI_Pcontrol(2, "anything", 3));
}

static int handled;
static void on_error(MPI_Session* session, int* code, ...) {
  (void)session, (void)code;
  handled++;
}

static void error_handler(void) {
  MPI_Session session;
  MPI_Errhandler handler;
  CHECK_OK(MPI_Session_create_errhandler(on_error, &handler));
  CHECK_OK(MPI_Session_init(MPI_INFO_NULL, handler, &session));
  CHECK_OK(MPI_Errhandler_free(&handler));
  handled = 0;
  CHECK_OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
  CHECK_EQ(handled, 1);
  CHECK_OK(MPI_Session_finalize(&session));
}

static const CheckCase kCases[] = {{"process sets", sets, 0},
                                   {"several sessions", several, 0},
                                   {"unknown set", unknown_set, 0},
                                   {"memory kinds", memory_kinds, 0},
                                   {"hints", hints, 0},
                                   {"error handler", error_handler, 0}};
CHECK_MAIN(kCases)

#else
int main(void) { return 0; }
#endif
