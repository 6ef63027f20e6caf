// SPDX-License-Identifier: BSD-3-Clause
// Error handlers, error classes and strings, and the classes that wrong arguments give.
#include "../check.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void on_error(MPI_Comm* comm, int* code, ...) {
  calls++;
  last_comm = *comm;
  MPI_Error_class(*code, &last_class);
}

static void user_handler(void) {
  MPI_Errhandler handler, got;
  MPI_Comm comm, inherited;
  int value = 0;
  CHECK_OK(MPI_Comm_create_errhandler(on_error, &handler));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Comm_set_errhandler(comm, handler));
  CHECK_OK(MPI_Comm_get_errhandler(comm, &got));
  CHECK(got == handler);
  CHECK_OK(MPI_Errhandler_free(&got));
  CHECK_OK(MPI_Errhandler_free(&handler));  // the communicator keeps it
  CHECK(handler == MPI_ERRHANDLER_NULL);
  calls = 0;
  MPI_Send(&value, 1, MPI_INT, check_size, 0, comm);
  CHECK_EQ(calls, 1);
  CHECK(last_comm == comm);
  CHECK_EQ(last_class, MPI_ERR_RANK);
  CHECK_OK(MPI_Comm_dup(comm, &inherited));
  MPI_Send(&value, -1, MPI_INT, 0, 0, inherited);
  CHECK_EQ(calls, 2);
  CHECK(last_comm == inherited);
  CHECK_OK(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
  CHECK_EQ(calls, 3);
  CHECK_EQ(last_class, MPI_ERR_OTHER);
  CHECK_OK(MPI_Comm_free(&inherited));
  CHECK_OK(MPI_Comm_free(&comm));
}

static void predefined_handlers(void) {
  MPI_Errhandler got;
  CHECK_OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
  CHECK(got == MPI_ERRORS_RETURN);  // as check.h has set it
  CHECK_OK(MPI_Errhandler_free(&got));
  CHECK(got == MPI_ERRHANDLER_NULL);
}

static void strings_and_classes(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0, class = -1, code = 0, *last = NULL, flag = 0, new_class, new_code;
  for (int c = MPI_SUCCESS; c <= MPI_ERR_LASTCODE && c < 80; c++) {
    if (MPI_Error_string(c, text, &length) != MPI_SUCCESS) continue;
    CHECK(length > 0 && length < MPI_MAX_ERROR_STRING);
    CHECK_EQ(strlen(text), length);
    CHECK_OK(MPI_Error_class(c, &class));
    CHECK_EQ(class, c);
  }
  CHECK_OK(MPI_Add_error_class(&new_class));
  CHECK(new_class > MPI_ERR_LASTCODE);
  CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
  CHECK(flag && *last >= new_class);
  CHECK_OK(MPI_Add_error_code(new_class, &new_code));
  CHECK_OK(MPI_Error_class(new_code, &class));
  CHECK_EQ(class, new_class);
  CHECK_OK(MPI_Error_string(new_code, text, &length));
  CHECK_EQ(length, 0);
  CHECK_OK(MPI_Add_error_string(new_code, "the bird has flown"));
  CHECK_OK(MPI_Error_string(new_code, text, &length));
  CHECK_STR(text, "the bird has flown");
  CHECK_OK(MPI_Add_error_string(new_class, "birds"));
  CHECK_OK(MPI_Error_string(new_class, text, &length));
  CHECK_STR(text, "birds");
  code = MPI_Comm_call_errhandler(MPI_COMM_WORLD, new_code);
  CHECK_EQ(code, MPI_SUCCESS);
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  CHECK_OK(MPI_Remove_error_string(new_code));
  CHECK_OK(MPI_Remove_error_string(new_class));
  CHECK_OK(MPI_Remove_error_code(new_code));
  CHECK_OK(MPI_Remove_error_class(new_class));
#endif
}

// What the standard leaves no choice about: the class of one wrong argument.
static void wrong_arguments(void) {
  int value = 0, flag;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Datatype uncommitted, null_type = MPI_DATATYPE_NULL;
  MPI_Comm comm;
  MPI_Group null_group = MPI_GROUP_NULL;
  CHECK_CLASS(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, -77, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, check_size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, 0, -77, MPI_COMM_WORLD), MPI_ERR_TAG);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Recv(&value, 1, MPI_INT, 0, -77, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TAG);
  CHECK_CLASS(MPI_Irecv(&value, 1, MPI_INT, check_size, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Bcast(&value, 1, MPI_INT, check_size, MPI_COMM_WORLD), MPI_ERR_ROOT);
  CHECK_CLASS(MPI_Bcast(&value, 1, MPI_INT, -77, MPI_COMM_WORLD), MPI_ERR_ROOT);
  CHECK_CLASS(MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Allreduce(&value, &flag, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
  CHECK_CLASS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Comm_group(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm), MPI_ERR_GROUP);
  CHECK_CLASS(MPI_Group_size(null_group, &flag), MPI_ERR_GROUP);
  CHECK_CLASS(MPI_Type_contiguous(-1, MPI_INT, &uncommitted), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Type_free(&null_type), MPI_ERR_TYPE);
  CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
  CHECK_CLASS(MPI_Send(&value, 1, uncommitted, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  CHECK_OK(MPI_Type_free(&uncommitted));
  int *many = check_alloc((size_t)check_size * sizeof(int)), *counts = check_alloc((size_t)check_size * sizeof(int));
  for (int i = 0; i < check_size; i++) many[i] = i, counts[i] = 1;
  CHECK_CLASS(MPI_Allgather(many + check_rank, 1, MPI_INT, many, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CHECK_CLASS(MPI_Alltoallv(many, counts, many, MPI_INT, many, counts, many, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CHECK_CLASS(MPI_Reduce_local(many, many, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
  // The halves of a buffer, by types, are no aliases.
  MPI_Datatype halves[2], *out = check_alloc((size_t)check_size * sizeof *out),
                          *in = check_alloc((size_t)check_size * sizeof *in);
  int *whole = check_alloc(2 * (size_t)check_size * sizeof(int)), *nowhere = check_alloc((size_t)check_size * sizeof(int));
  for (int i = 0; i < check_size; i++) {
    CHECK_OK(MPI_Type_create_hindexed_block(1, 1, &(MPI_Aint){(MPI_Aint)sizeof(int) * i}, MPI_INT, &halves[0]));
    CHECK_OK(MPI_Type_create_hindexed_block(1, 1, &(MPI_Aint){(MPI_Aint)sizeof(int) * (check_size + i)}, MPI_INT, &halves[1]));
    CHECK_OK(MPI_Type_commit(&halves[0]));
    CHECK_OK(MPI_Type_commit(&halves[1]));
    out[i] = halves[0], in[i] = halves[1];
    whole[i] = check_rank, whole[check_size + i] = -1, nowhere[i] = 0;
  }
  CHECK_OK(MPI_Alltoallw(whole, counts, nowhere, out, whole, counts, nowhere, in, MPI_COMM_WORLD));
  for (int i = 0; i < check_size; i++) {
    CHECK_EQ(whole[check_size + i], i);
    CHECK_OK(MPI_Type_free(&out[i]));
    CHECK_OK(MPI_Type_free(&in[i]));
  }
  free(out), free(in), free(whole), free(nowhere);
  free(many);
  free(counts);
  CHECK_CLASS(MPI_Start(&request), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Comm_free(&(MPI_Comm){MPI_COMM_NULL}), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Comm_free(&(MPI_Comm){MPI_COMM_WORLD}), MPI_ERR_COMM);
}

static void errors_abort_handler(void) {
#if MPI_VERSION >= 4
  MPI_Comm comm;
  MPI_Errhandler got;
  CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ABORT));
  CHECK_OK(MPI_Comm_get_errhandler(comm, &got));
  CHECK(got == MPI_ERRORS_ABORT);
  CHECK_OK(MPI_Errhandler_free(&got));
  CHECK_OK(MPI_Comm_free(&comm));
#endif
}

static const CheckCase kCases[] = {
    {"user's handler", user_handler, 0},       {"predefined handlers", predefined_handlers, 0},
    {"ERRORS_ABORT", errors_abort_handler, 0}, {"strings and classes", strings_and_classes, 0},
    {"wrong arguments", wrong_arguments, 0},
};
CHECK_MAIN(kCases)
