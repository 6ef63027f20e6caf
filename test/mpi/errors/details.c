// SPDX-License-Identifier: BSD-3-Clause
// Error codes carry a class and what exactly went wrong (MPI 5.0, 9.4), and errors of a matched receive go to the handler of
// the communicator that the message came by (9.3).
#include "../check.h"

static MPI_Comm handled;  // the communicator of the last call of on_error
static int calls, last_class;

static void on_error(MPI_Comm* comm, int* code, ...) {
  calls++;
  handled = *comm;
  MPI_Error_class(*code, &last_class);
}

static int class_of(int code) {
  int class = -1;
  CHECK_OK(MPI_Error_class(code, &class));
  return class;
}

static void text_tells_value(void) {
  char text[MPI_MAX_ERROR_STRING] = "", class_text[MPI_MAX_ERROR_STRING] = "";
  int value = 0, length = 0, class_length = 0;
  int code = MPI_Send(&value, 1, MPI_INT, 0, -4711, MPI_COMM_WORLD);
  CHECK_EQ(class_of(code), MPI_ERR_TAG);
  CHECK(code >= MPI_ERR_TAG && code <= MPI_ERR_LASTCODE);
  CHECK_OK(MPI_Error_string(code, text, &length));
  CHECK_EQ(strlen(text), length);
  CHECK(strstr(text, "4711") != NULL);
  CHECK(strstr(text, "Send") != NULL);
  CHECK_OK(MPI_Error_string(MPI_ERR_TAG, class_text, &class_length));
  CHECK_EQ(class_of(MPI_ERR_TAG), MPI_ERR_TAG);
  CHECK(strcmp(text, class_text) != 0);
}

// Two errors that are alive have texts of their own; after many others each code still has its class and some text.
static void many_errors(void) {
  enum { kErrors = 1000 };
  static int codes[kErrors];
  char text[MPI_MAX_ERROR_STRING];
  int value = 0, length;
  for (int i = 0; i < kErrors; i++) {
    codes[i] = i % 2 ? MPI_Send(&value, -i - 1, MPI_INT, 0, 0, MPI_COMM_WORLD)
                     : MPI_Send(&value, 1, MPI_INT, -i - 100, 0, MPI_COMM_WORLD);
    CHECK_EQ(class_of(codes[i]), i % 2 ? MPI_ERR_COUNT : MPI_ERR_RANK);
  }
  for (int i = 0; i < kErrors; i++) {
    CHECK_EQ(class_of(codes[i]), i % 2 ? MPI_ERR_COUNT : MPI_ERR_RANK);
    CHECK_OK(MPI_Error_string(codes[i], text, &length));
    CHECK(length > 0);
  }
  for (int i = kErrors - 10; i < kErrors; i++) {  // the last ones are there
    char number[16];
    snprintf(number, sizeof number, "%d", i % 2 ? i + 1 : i + 100);
    CHECK_OK(MPI_Error_string(codes[i], text, &length));
    CHECK(strstr(text, number) != NULL);
  }
}

static void in_statuses(void) {
  char text[MPI_MAX_ERROR_STRING], class_text[MPI_MAX_ERROR_STRING];
  int length, out[2][4] = {{0}}, in[2][4];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  CHECK_OK(MPI_Irecv(in[0], 4, MPI_INT, check_rank, 1, MPI_COMM_WORLD, &requests[0]));
  CHECK_OK(MPI_Irecv(in[1], 2, MPI_INT, check_rank, 2, MPI_COMM_WORLD, &requests[1]));
  CHECK_OK(MPI_Send(out[0], 4, MPI_INT, check_rank, 1, MPI_COMM_WORLD));
  CHECK_OK(MPI_Send(out[1], 4, MPI_INT, check_rank, 2, MPI_COMM_WORLD));
  CHECK_EQ(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
  CHECK_EQ(statuses[0].MPI_ERROR, MPI_SUCCESS);
  CHECK_EQ(class_of(statuses[1].MPI_ERROR), MPI_ERR_TRUNCATE);
  CHECK_OK(MPI_Error_string(statuses[1].MPI_ERROR, text, &length));
  CHECK_OK(MPI_Error_string(MPI_ERR_TRUNCATE, class_text, &length));
  CHECK(strcmp(text, class_text) != 0);
}

static void codes_are_passed_on(void) {
  int value = 0;
  MPI_Comm comm;
  MPI_Errhandler handler;
  CHECK_OK(MPI_Comm_create_errhandler(on_error, &handler));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  CHECK_OK(MPI_Comm_set_errhandler(comm, handler));
  CHECK_OK(MPI_Errhandler_free(&handler));
  int code = MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  calls = 0;
  CHECK_OK(MPI_Comm_call_errhandler(comm, code));
  CHECK_EQ(calls, 1);
  CHECK_EQ(last_class, MPI_ERR_COUNT);
  CHECK_OK(MPI_Comm_free(&comm));
}

#if MPI_VERSION >= 3
// Sends itself a message of three numbers and probes it.
static MPI_Message probed(MPI_Comm comm, int* message) {
  static MPI_Request send;
  MPI_Message found = MPI_MESSAGE_NULL;
  CHECK_OK(MPI_Isend(message, 3, MPI_INT, check_rank, 5, comm, &send));
  CHECK_OK(MPI_Mprobe(check_rank, 5, comm, &found, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Request_free(&send));
  return found;
}

static void matched_receives(void) {
  int out[3] = {1, 2, 3}, in[3] = {0};
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Request request;
  CHECK_OK(MPI_Comm_create_errhandler(on_error, &handler));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Comm_set_errhandler(comm, handler));
  CHECK_OK(MPI_Errhandler_free(&handler));

  MPI_Message message = probed(comm, out);
  calls = 0;
  handled = MPI_COMM_NULL;
  CHECK_EQ(class_of(MPI_Mrecv(in, -1, MPI_INT, &message, MPI_STATUS_IGNORE)), MPI_ERR_COUNT);
  CHECK_EQ(calls, 1);
  CHECK(handled == comm);
  CHECK_EQ(class_of(MPI_Imrecv(in, 1, MPI_DATATYPE_NULL, &message, &request)), MPI_ERR_TYPE);
  CHECK_EQ(calls, 2);
  CHECK(handled == comm);
  CHECK_OK(MPI_Mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE));  // the message is still there
  CHECK_EQ(in[2], 3);

  message = probed(comm, out);
  CHECK_EQ(class_of(MPI_Mrecv(in, 2, MPI_INT, &message, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
  CHECK_EQ(calls, 3);
  CHECK(handled == comm);
  CHECK_EQ(last_class, MPI_ERR_TRUNCATE);

  message = probed(comm, out);
  CHECK_OK(MPI_Imrecv(in, 2, MPI_INT, &message, &request));
  handled = MPI_COMM_NULL;
  CHECK_EQ(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
  CHECK_EQ(calls, 4);
  CHECK(handled == comm);
  CHECK_OK(MPI_Comm_free(&comm));
}
#endif

static const CheckCase kCases[] = {
    {"text tells value", text_tells_value, 0}, {"many errors", many_errors, 0},
    {"in statuses", in_statuses, 0},           {"codes are passed on", codes_are_passed_on, 0},
#if MPI_VERSION >= 3
    {"matched receives", matched_receives, 0},
#endif
};
CHECK_MAIN(kCases)
