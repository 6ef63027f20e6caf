// SPDX-License-Identifier: BSD-3-Clause
// Control and performance variables, categories and enumerations (MPI 5.0, 15.3.5 to 15.3.9), whatever a library has of them.
#include "../check.h"

enum { kRoom = 2048 };

// The string conventions: what is asked for is cut to the room, and the length tells what would have been needed.
static void check_text(const char* whole, int needed, const char* cut, int cut_length) {
  CHECK_EQ(needed, (int)strlen(whole) + 1);
  CHECK_EQ(cut_length, needed);
  CHECK_EQ(strlen(cut), strlen(whole) < 3 ? strlen(whole) : 3);
  CHECK_EQ(strncmp(whole, cut, strlen(cut)), 0);
}

static int class_of_cvar_type(MPI_Datatype type) {
  return type == MPI_INT || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG ||
         type == MPI_COUNT || type == MPI_CHAR || type == MPI_DOUBLE;
}

static void enumeration(MPI_T_enum items) {
  int n = -1, value = -1, length = kRoom;
  char name[kRoom];
  CHECK_OK(MPI_T_enum_get_info(items, &n, name, &length));
  CHECK(n > 0);
  for (int i = 0; i < n; i++) {
    length = kRoom;
    CHECK_OK(MPI_T_enum_get_item(items, i, &value, name, &length));
    CHECK(strlen(name) > 0);
  }
  CHECK_EQ(MPI_T_enum_get_item(items, n, &value, name, &length), MPI_T_ERR_INVALID_ITEM);
  CHECK_EQ(MPI_T_enum_get_item(items, -1, &value, name, &length), MPI_T_ERR_INVALID_ITEM);
}

static void all_cvars(void) {
  int n = 0;
  CHECK_OK(MPI_T_cvar_get_num(&n));
  for (int i = 0; i < n; i++) {
    char name[kRoom], cut[4], help[kRoom];
    int length = 0, cut_length = 4, help_length = kRoom, verbosity, bind, scope, index = -1, count = -1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    CHECK_OK(MPI_T_cvar_get_info(i, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK_OK(MPI_T_cvar_get_info(i, cut, &cut_length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    int needed = length;
    length = kRoom;
    CHECK_OK(MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &items, help, &help_length, &bind, &scope));
    check_text(name, needed, cut, cut_length);
    CHECK(class_of_cvar_type(type));
    CHECK_EQ(bind, MPI_T_BIND_NO_OBJECT);
    CHECK_OK(MPI_T_cvar_get_index(name, &index));
    CHECK_EQ(index, i);
    if (items != MPI_T_ENUM_NULL) enumeration(items);
    MPI_T_cvar_handle handle;
    CHECK_OK(MPI_T_cvar_handle_alloc(i, NULL, &handle, &count));
    CHECK(count >= 1);
    int size = 0;
    CHECK_OK(MPI_Type_size(type, &size));
    char* value = check_alloc((size_t)(count * size));
    CHECK_OK(MPI_T_cvar_read(handle, value));
    free(value);
    CHECK_OK(MPI_T_cvar_handle_free(&handle));
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
  }
  CHECK_EQ(MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
  CHECK_EQ(MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
}

static void all_pvars(void) {
  int n = 0;
  MPI_T_pvar_session session;
  CHECK_OK(MPI_T_pvar_get_num(&n));
  CHECK_OK(MPI_T_pvar_session_create(&session));
  for (int i = 0; i < n; i++) {
    char name[kRoom], cut[4], help[kRoom];
    int length = 0, cut_length = 4, help_length = kRoom, verbosity, of_class, bind, readonly, continuous, atomic, index = -1;
    MPI_Datatype type;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    CHECK_OK(MPI_T_pvar_get_info(i, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK_OK(MPI_T_pvar_get_info(i, cut, &cut_length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    int needed = length;
    length = kRoom;
    CHECK_OK(MPI_T_pvar_get_info(i, name, &length, &verbosity, &of_class, &type, &items, help, &help_length, &bind, &readonly,
                                 &continuous, &atomic));
    check_text(name, needed, cut, cut_length);
    CHECK_OK(MPI_T_pvar_get_index(name, of_class, &index));
    CHECK_EQ(index, i);
    if (items != MPI_T_ENUM_NULL) enumeration(items);
    if (bind != MPI_T_BIND_NO_OBJECT && bind != MPI_T_BIND_MPI_COMM) continue;
    MPI_T_pvar_handle handle;
    MPI_Comm comm = MPI_COMM_WORLD;
    int count = -1, size = 0;
    CHECK_OK(MPI_T_pvar_handle_alloc(session, i, bind == MPI_T_BIND_MPI_COMM ? &comm : NULL, &handle, &count));
    CHECK_OK(MPI_Type_size(type, &size));
    char* value = check_alloc((size_t)(count * size));
    CHECK_EQ(MPI_T_pvar_start(session, handle), continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS);
    CHECK_OK(MPI_T_pvar_read(session, handle, value));
    CHECK_EQ(MPI_T_pvar_reset(session, handle), readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS);
    CHECK_EQ(MPI_T_pvar_write(session, handle, value), readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS);
    CHECK_EQ(MPI_T_pvar_stop(session, handle), continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS);
    free(value);
    CHECK_OK(MPI_T_pvar_handle_free(session, &handle));
    CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
  }
  CHECK_OK(MPI_T_pvar_session_free(&session));
  CHECK(session == MPI_T_PVAR_SESSION_NULL);
  CHECK_EQ(MPI_T_pvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
           MPI_T_ERR_INVALID_INDEX);
}

static void all_categories(void) {
  int n = 0, update = -1, again = -1;
  CHECK_OK(MPI_T_category_get_num(&n));
  for (int i = 0; i < n; i++) {
    char name[kRoom];
    int length = kRoom, cvars = -1, pvars = -1, below = -1, index = -1, events = -1, total = 0;
    CHECK_OK(MPI_T_category_get_info(i, name, &length, NULL, NULL, &cvars, &pvars, &below));
    CHECK_OK(MPI_T_category_get_num_events(i, &events));
    CHECK_OK(MPI_T_category_get_index(name, &index));
    CHECK_EQ(index, i);
    int most = cvars + pvars + below + events + 1;
    int* indices = check_alloc((size_t)most * sizeof *indices);
    CHECK_OK(MPI_T_category_get_cvars(i, cvars, indices));
    CHECK_OK(MPI_T_cvar_get_num(&total));
    for (int j = 0; j < cvars; j++) CHECK(indices[j] >= 0 && indices[j] < total);
    CHECK_OK(MPI_T_category_get_pvars(i, pvars, indices));
    CHECK_OK(MPI_T_pvar_get_num(&total));
    for (int j = 0; j < pvars; j++) CHECK(indices[j] >= 0 && indices[j] < total);
    CHECK_OK(MPI_T_category_get_categories(i, below, indices));
    for (int j = 0; j < below; j++) CHECK(indices[j] >= 0 && indices[j] < n && indices[j] != i);
    CHECK_OK(MPI_T_category_get_events(i, events, indices));
    free(indices);
  }
  CHECK_EQ(MPI_T_category_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
  CHECK_OK(MPI_T_category_changed(&update));
  CHECK_OK(MPI_T_category_changed(&again));
  CHECK_EQ(update, again);
}

static void wrong_arguments(void) {
  int n = 0, index, count, value = 0;
  MPI_T_cvar_handle cvar = MPI_T_CVAR_HANDLE_NULL;
  MPI_T_pvar_handle pvar = MPI_T_PVAR_HANDLE_NULL;
  MPI_T_pvar_session none = MPI_T_PVAR_SESSION_NULL, session;
  CHECK_EQ(MPI_T_cvar_get_index("there is no such variable", &index), MPI_T_ERR_INVALID_NAME);
  CHECK_EQ(MPI_T_pvar_get_index("there is no such variable", MPI_T_PVAR_CLASS_COUNTER, &index), MPI_T_ERR_INVALID_NAME);
  CHECK_EQ(MPI_T_category_get_index("there is no such category", &index), MPI_T_ERR_INVALID_NAME);
  CHECK_EQ(MPI_T_event_get_index("there is no such event", &index), MPI_T_ERR_INVALID_NAME);
  CHECK_OK(MPI_T_cvar_get_num(&n));
  CHECK_EQ(MPI_T_cvar_handle_alloc(n, NULL, &cvar, &count), MPI_T_ERR_INVALID_INDEX);
  CHECK_EQ(MPI_T_cvar_handle_free(&cvar), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, &value), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_cvar_write(MPI_T_CVAR_HANDLE_NULL, &value), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_session_free(&none), MPI_T_ERR_INVALID_SESSION);
  CHECK_OK(MPI_T_pvar_session_create(&session));
  CHECK_OK(MPI_T_pvar_get_num(&n));
  CHECK_EQ(MPI_T_pvar_handle_alloc(session, n, NULL, &pvar, &count), MPI_T_ERR_INVALID_INDEX);
  CHECK_EQ(MPI_T_pvar_handle_alloc(none, 0, NULL, &pvar, &count), MPI_T_ERR_INVALID_SESSION);
  CHECK_EQ(MPI_T_pvar_handle_free(session, &pvar), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_start(session, pvar), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_stop(session, pvar), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_read(session, pvar, &value), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_readreset(session, pvar, &value), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_write(session, pvar, &value), MPI_T_ERR_INVALID_HANDLE);
  CHECK_EQ(MPI_T_pvar_reset(session, pvar), MPI_T_ERR_INVALID_HANDLE);
  CHECK_OK(MPI_T_pvar_session_free(&session));
}

// The same class of codes that MPI_Error_class knows, with a text.
static void error_codes(void) {
  int class = -1, length = 0;
  char text[MPI_MAX_ERROR_STRING] = "";
  CHECK_OK(MPI_Error_class(MPI_T_ERR_INVALID_HANDLE, &class));
  CHECK_EQ(class, MPI_T_ERR_INVALID_HANDLE);
  CHECK_OK(MPI_Error_string(MPI_T_ERR_INVALID_HANDLE, text, &length));
  CHECK(length > 0);
}

static const CheckCase kCases[] = {
    {"control variables", all_cvars, 0},     {"performance variables", all_pvars, 0}, {"categories", all_categories, 0},
    {"wrong arguments", wrong_arguments, 0}, {"error codes", error_codes, 0},
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
