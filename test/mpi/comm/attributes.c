// SPDX-License-Identifier: BSD-3-Clause
// Attributes of communicators and datatypes, names, info objects.
#include "../check.h"

static int copies, deletions, last_deleted;

static int copy_plus_one(MPI_Comm comm, int keyval, void* state, void* in, void* out, int* flag) {
  (void)comm, (void)keyval;
  copies++;
  *(void**)out = (char*)in + *(int*)state;
  *flag = 1;
  return MPI_SUCCESS;
}

static int count_deletion(MPI_Comm comm, int keyval, void* value, void* state) {
  (void)comm, (void)value, (void)state;
  deletions++;
  last_deleted = keyval;
  return MPI_SUCCESS;
}

static int refuse_deletion(MPI_Comm comm, int keyval, void* value, void* state) {
  (void)comm, (void)keyval, (void)value;
  return *(int*)state ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void* get(MPI_Comm comm, int keyval, int* flag) {
  void* value = NULL;
  CHECK_OK(MPI_Comm_get_attr(comm, keyval, &value, flag));
  return value;
}

static void copy_and_delete(void) {
  char base[10];
  int step = 1, flag, copied, dropped, shared;
  MPI_Comm comm, dup;
  CHECK_OK(MPI_Comm_create_keyval(copy_plus_one, count_deletion, &copied, &step));
  CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_deletion, &dropped, NULL));
  CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &shared, NULL));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  get(comm, copied, &flag);
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Comm_set_attr(comm, copied, base));
  CHECK_OK(MPI_Comm_set_attr(comm, dropped, base));
  CHECK_OK(MPI_Comm_set_attr(comm, shared, base));
  copies = deletions = 0;
  CHECK_OK(MPI_Comm_dup(comm, &dup));
  CHECK_EQ(copies, 1);
  CHECK(get(dup, copied, &flag) == base + 1 && flag);
  CHECK(get(dup, shared, &flag) == base && flag);
  get(dup, dropped, &flag);
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Comm_set_attr(dup, copied, base + 5));  // replacing deletes the old value
  CHECK_EQ(deletions, 1);
  CHECK_OK(MPI_Comm_delete_attr(dup, copied));
  CHECK_EQ(deletions, 2);
  CHECK_OK(MPI_Comm_free(&dup));
  CHECK_EQ(deletions, 2);
  int key = copied;
  CHECK_OK(MPI_Comm_free_keyval(&copied));
  CHECK_EQ(copied, MPI_KEYVAL_INVALID);
  CHECK(get(comm, key, &flag) == base && flag);  // the attribute is still there
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_EQ(deletions, 4);
  CHECK_OK(MPI_Comm_free_keyval(&dropped));
  CHECK_OK(MPI_Comm_free_keyval(&shared));
}

static int free_keyval_too(MPI_Comm comm, int keyval, void* value, void* state) {
  (void)comm, (void)value, (void)state;
  return MPI_Comm_free_keyval(&keyval);
}

// As long as an attribute has it, a keyval may be freed again: programs do so in the delete function of each.
static void freed_again(void) {
  int key, again;
  char value[1];
  MPI_Comm comms[2];
  CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_keyval_too, &key, NULL));
  again = key;
  for (int i = 0; i < 2; i++) {
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
    CHECK_OK(MPI_Comm_set_attr(comms[i], key, value));
  }
  CHECK_OK(MPI_Comm_free(&comms[0]));
  CHECK_OK(MPI_Comm_free_keyval(&key));
  CHECK_OK(MPI_Comm_free_keyval(&again));
  CHECK_OK(MPI_Comm_free(&comms[1]));
}

// A communicator is copied by idup with its attributes, by split without.
static void split_has_none(void) {
  char base[10];
  int step = 2, key, flag;
  MPI_Comm comm, other;
  MPI_Request request;
  CHECK_OK(MPI_Comm_create_keyval(copy_plus_one, MPI_COMM_NULL_DELETE_FN, &key, &step));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Comm_set_attr(comm, key, base));
  CHECK_OK(MPI_Comm_split(comm, 0, 0, &other));
  get(other, key, &flag);
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Comm_free(&other));
  CHECK_OK(MPI_Comm_idup(comm, &other, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(get(other, key, &flag) == base + 2 && flag);
  CHECK_OK(MPI_Comm_free(&other));
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Comm_free_keyval(&key));
}

// An error of the user's function is handed on, and the attribute stays.
static void refused_deletion(void) {
  int refuse = 1, key, flag;
  char value[1];
  MPI_Comm comm;
  CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_deletion, &key, &refuse));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  CHECK_OK(MPI_Comm_set_attr(comm, key, value));
  CHECK(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS);
  CHECK(get(comm, key, &flag) == value && flag);
  refuse = 0;
  CHECK_OK(MPI_Comm_delete_attr(comm, key));
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Comm_free_keyval(&key));
}

static void predefined(void) {
  int flag = 0, *value = NULL;
  CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
  CHECK(flag && *value >= 32767);
  int in = -1;
  CHECK_OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, check_rank, *value, &in, 1, MPI_INT, check_rank, *value, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
  CHECK_EQ(in, check_rank);
  if (*value < 2147483647) {
    CHECK_CLASS(MPI_Send(&in, 1, MPI_INT, MPI_PROC_NULL, *value + 1, MPI_COMM_WORLD), MPI_ERR_TAG);
  }
  CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
  if (flag) CHECK(*value == 0 || *value == 1);
  CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
  if (flag) CHECK(*value >= 1);
  CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
  if (flag) CHECK_EQ(*value, 0);
  CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL) != MPI_SUCCESS);
}

static int type_copies;
static int copy_type_attribute(MPI_Datatype type, int keyval, void* state, void* in, void* out, int* flag) {
  (void)type, (void)keyval, (void)state;
  type_copies++;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static void of_datatypes(void) {
  int key, flag = 0;
  char value[1];
  void* got = NULL;
  MPI_Datatype type, dup;
  CHECK_OK(MPI_Type_create_keyval(copy_type_attribute, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
  CHECK_OK(MPI_Type_contiguous(3, MPI_INT, &type));
  CHECK_OK(MPI_Type_set_attr(type, key, value));
  type_copies = 0;
  CHECK_OK(MPI_Type_dup(type, &dup));
  CHECK_EQ(type_copies, 1);
  CHECK_OK(MPI_Type_get_attr(dup, key, &got, &flag));
  CHECK(flag && got == value);
  CHECK_OK(MPI_Type_delete_attr(dup, key));
  CHECK_OK(MPI_Type_get_attr(dup, key, &got, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Type_free(&dup));
  CHECK_OK(MPI_Type_free(&type));
  CHECK_OK(MPI_Type_free_keyval(&key));
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Comm comm;
  CHECK_OK(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
  CHECK_STR(name, "MPI_COMM_WORLD");
  CHECK_OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
  CHECK_STR(name, "MPI_COMM_SELF");
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Comm_get_name(comm, name, &length));
  CHECK_EQ(length, 0);
  CHECK_OK(MPI_Comm_set_name(comm, "a flock"));
  CHECK_OK(MPI_Comm_get_name(comm, name, &length));
  CHECK_STR(name, "a flock");
  CHECK_EQ(length, 7);
  CHECK_OK(MPI_Comm_free(&comm));
}

static void info_objects(void) {
  MPI_Info info, copy;
  int flag = 0, keys = -1, length = 0;
  char value[64], key[MPI_MAX_INFO_KEY + 1];
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "colour", "green"));
  CHECK_OK(MPI_Info_set(info, "size", "small"));
  CHECK_OK(MPI_Info_set(info, "colour", "red"));
  CHECK_OK(MPI_Info_get_nkeys(info, &keys));
  CHECK_EQ(keys, 2);
  CHECK_OK(MPI_Info_get_nthkey(info, 1, key));
  CHECK_STR(key, "size");
  CHECK_CLASS(MPI_Info_get_nthkey(info, 2, key), MPI_ERR_ARG);
  CHECK_OK(MPI_Info_get_valuelen(info, "colour", &length, &flag));
  CHECK(flag);
  CHECK_EQ(length, 3);
  CHECK_OK(MPI_Info_get(info, "colour", 63, value, &flag));
  CHECK(flag);
  CHECK_STR(value, "red");
#if MPI_VERSION >= 4
  length = sizeof value;
  CHECK_OK(MPI_Info_get_string(info, "size", &length, value, &flag));
  CHECK(flag);
  CHECK_EQ(length, 6);  // with the closing null
  CHECK_STR(value, "small");
  length = 3;
  CHECK_OK(MPI_Info_get_string(info, "size", &length, value, &flag));
  CHECK_STR(value, "sm");
  CHECK_EQ(length, 6);
#endif
  CHECK_OK(MPI_Info_dup(info, &copy));
  CHECK_OK(MPI_Info_delete(info, "colour"));
  CHECK_CLASS(MPI_Info_delete(info, "colour"), MPI_ERR_INFO_NOKEY);
  CHECK_OK(MPI_Info_get(info, "colour", 63, value, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Info_get(copy, "colour", 63, value, &flag));
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Info_free(&copy));
  CHECK_OK(MPI_Info_free(&info));
  CHECK(info == MPI_INFO_NULL);
}

static void info_of_comm(void) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm comm;
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
  CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
  CHECK_OK(MPI_Comm_set_info(comm, info));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Comm_get_info(comm, &info));
  CHECK(info != MPI_INFO_NULL);
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Comm_free(&comm));
}

static const CheckCase kCases[] = {
    {"keyval freed again", freed_again, 0},
    {"copy and delete", copy_and_delete, 0},
    {"split has no attributes", split_has_none, 0},
    {"refused deletion", refused_deletion, 0},
    {"predefined attributes", predefined, 0},
    {"of datatypes", of_datatypes, 0},
    {"names", names, 0},
    {"info objects", info_objects, 0},
    {"info of a communicator", info_of_comm, 0},
};
CHECK_MAIN(kCases)
