// SPDX-License-Identifier: BSD-3-Clause
// The tool interface (MPI 5.0, 15.3) before MPI_Init and after MPI_Finalize, nested, and when it is not initialized.
#include "../check.h"

static int failures;

static void expect(int code, int want, const char* text) {
  if (code == want) return;
  failures++;
  fprintf(stderr, "%s gives %d, not %d\n", text, code, want);
}
#define EXPECT(call, want) expect(call, want, #call)

static void use(void) {
  int n = -1, count = -1, value = -1, index = -1;
  char name[256];
  int length = sizeof name;
  MPI_T_cvar_handle handle;
  MPI_T_pvar_session session;
  EXPECT(MPI_T_cvar_get_num(&n), MPI_SUCCESS);
  if (n <= 0) failures++;
  EXPECT(MPI_T_pvar_get_num(&n), MPI_SUCCESS);
  EXPECT(MPI_T_category_get_num(&n), MPI_SUCCESS);
  EXPECT(MPI_T_cvar_get_info(0, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_SUCCESS);
  if (length != (int)strlen(name) + 1) failures++;
  EXPECT(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
  if (index != 0) failures++;
  EXPECT(MPI_T_cvar_handle_alloc(0, NULL, &handle, &count), MPI_SUCCESS);
  EXPECT(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
  EXPECT(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
  EXPECT(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
  (void)value;
}

static void refuse(void) {
  int n;
  EXPECT(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
  EXPECT(MPI_T_pvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
  EXPECT(MPI_T_category_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
  EXPECT(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
}

int main(int argc, char** argv) {
  int provided = -1, rank, all = 0;
  refuse();
  EXPECT(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
  use();
  EXPECT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
  EXPECT(MPI_T_finalize(), MPI_SUCCESS);
  use();
  MPI_Init(&argc, &argv);
  use();
  EXPECT(MPI_T_finalize(), MPI_SUCCESS);
  refuse();
  EXPECT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
  use();
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  use();
  EXPECT(MPI_T_finalize(), MPI_SUCCESS);
  refuse();
  if (rank == 0) printf("%d passed, %d failed\n", all + failures == 0, all + failures != 0);
  return all + failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
