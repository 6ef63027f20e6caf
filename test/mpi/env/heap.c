// SPDX-License-Identifier: BSD-3-Clause
// Memory from malloc and its family, large and small, before and after it is used for messages; and fork() in between.
// run: also=MVP_SHM_HEAP=no
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static const size_t kSizes[] = {1, 100, 4096, 32767, 32768, 32769, 100000, 131072, 1 << 20, (5 << 20) + 3, 33 << 20};
enum { kSizeCount = sizeof kSizes / sizeof kSizes[0] };

static int zero(const unsigned char* at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (at[i]) return 0;
  return 1;
}

static void family(void) {
  for (int round = 0; round < 3; round++)
    for (int s = 0; s < kSizeCount; s++) {
      const size_t n = kSizes[s];
      unsigned char* m = malloc(n);
      CHECK(m != NULL && (uintptr_t)m % 16 == 0 && malloc_usable_size(m) >= n);
      memset(m, 1 + round, n);
      unsigned char* c = calloc(n, 1);
      CHECK(c != NULL && c != m && zero(c, n));
      memset(c, 7, n);
      void* a = NULL;
      CHECK_EQ(posix_memalign(&a, 4096, n), 0);
      CHECK_EQ((uintptr_t)a % 4096, 0);
      memset(a, 8, n);
      CHECK(m[0] == 1 + round && m[n - 1] == 1 + round && c[0] == 7 && c[n - 1] == 7);
      free(c);
      m = realloc(m, n * 3);
      CHECK(m[0] == 1 + round && m[n - 1] == 1 + round);
      memset(m, 9, n * 3);
      m = realloc(m, n / 2 + 1);
      CHECK(m[0] == 9 && m[n / 2] == 9);
      free(a);
      free(m);
    }
  void* a = NULL;
  CHECK_EQ(posix_memalign(&a, 3, 100000), EINVAL);
  CHECK_EQ(posix_memalign(&a, 1 << 21, 100000), 0);
  CHECK_EQ((uintptr_t)a % (1 << 21), 0);
  free(a);
  volatile size_t huge = SIZE_MAX / 2;
  void* volatile nothing = malloc(huge);  // volatile: a compiler may take it for granted that memory nobody uses is there
  CHECK(nothing == NULL);
  nothing = calloc(huge, 4);
  CHECK(nothing == NULL);
  free(NULL);
}

// The C library allocates for the program, too, and takes over what the program has allocated.
static void library_calls(void) {
  const size_t n = 30000;
  char* text = malloc(n + 1);
  memset(text, 'x', n);
  text[n - 1] = '\n';
  text[n] = 0;
  size_t room = 8192;
  char* line = malloc(room);
  FILE* file = fmemopen(text, n, "r");
  CHECK_EQ(getline(&line, &room, file), n);
  CHECK(memcmp(line, text, n) == 0 && room > n);
  fclose(file);
  char* copy = realloc(strdup(text), 5 * n);
  CHECK(memcmp(copy, text, n + 1) == 0);
  free(copy);
  free(line);
  free(text);
}

static unsigned char sample(size_t i, int rank, int round) { return (unsigned char)(i * 31 + (size_t)(rank * 7 + round)); }

// Both ends in memory of every kind, which is freed and comes again at the same address.
static void messages(void) {
  static unsigned char still[1 << 20];
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  for (int round = 0; round < 4; round++)
    for (int s = 0; s < kSizeCount; s++) {
      const size_t n = kSizes[s];
      unsigned char* out = round == 1 && n <= sizeof still ? still : malloc(n);
      unsigned char* in = round == 2 && n <= sizeof still ? still : malloc(n);
      for (size_t i = 0; i < n; i++) out[i] = sample(i, check_rank, round);
      CHECK_OK(MPI_Sendrecv(out, (int)n, MPI_BYTE, right, s, in, (int)n, MPI_BYTE, left, s, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      size_t wrong = 0;
      for (size_t i = 0; i < n; i++) wrong += in[i] != sample(i, left, round);
      CHECK_EQ(wrong, 0);
      if (out != still) free(out);
      if (in != still) free(in);
    }
}

// A child has the memory as it was; what it writes is not in messages, and what messages bring is not in it.
static void forking(void) {
  const size_t n = 1 << 20;
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  unsigned char* out = malloc(n);
  unsigned char* in = calloc(n, 1);
  int go[2], status = -1;
  memset(out, check_rank + 1, n);
  CHECK_EQ(pipe(go), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    close(go[1]);
    const int told = read(go[0], &byte, 1) == 1;
    const int as_it_was = zero(in, n) && out[0] == check_rank + 1 && out[n - 1] == check_rank + 1;
    memset(out, 99, n);
    memset(in, 99, n);
    free(in);
    unsigned char* more = malloc(n);
    memset(more, 98, n);
    _exit(told && as_it_was && out[0] == 99 ? 0 : 1);
  }
  CHECK(child > 0);
  close(go[0]);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(MPI_Sendrecv(out, (int)n, MPI_BYTE, right, 0, in, (int)n, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(in[0] == left + 1 && in[n - 1] == left + 1);
    if (i == 0) {
      CHECK_EQ(write(go[1], "x", 1), 1);
      close(go[1]);
      CHECK_EQ(waitpid(child, &status, 0), child);
      CHECK_EQ(status, 0);
      memset(in, 0, n);
      CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    }
  }
  free(in);
  free(out);
}

static const CheckCase kCases[] = {
    {"the family of malloc", family, 0},
    {"calls of the C library", library_calls, 0},
    {"messages", messages, 0},
    {"fork", forking, 0},
};
CHECK_MAIN(kCases)
