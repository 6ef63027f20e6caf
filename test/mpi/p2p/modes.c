// SPDX-License-Identifier: BSD-3-Clause
// Every send mode, blocking, non-blocking and persistent, with every kind of receive, for sizes on both sides of the points
// where a library may change its protocol. Each rank sends to its right neighbour; with one rank that is itself.
#include "../check.h"

enum { kTag = 17, kGuard = 64 };

typedef enum { kStandard, kSynchronous, kReady, kBuffered, kModes } Mode;
typedef enum { kBlocking, kNonblocking, kPersistent, kForms } Form;

static const int kSizes[] = {0,     1,     2,     7,     8,     15,    16,     31,     39,     40,     41,    63,    64,
                             65,    100,   127,   128,   200,   255,   256,    257,    511,    512,    1000,  1023,  1024,
                             1025,  2047,  2048,  4095,  4096,  4097,  8191,   8192,   8193,   9000,   16383, 16384, 16385,
                             32767, 32768, 32769, 65535, 65536, 65537, 131071, 131072, 131073, 262144, 300001};
static const int kLargeSizes[] = {524287, 524288, 1048577, 2097152, 4194304};

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

static void send_blocking(Mode mode, const void* buffer, int bytes) {
  switch (mode) {
    case kStandard:
      CHECK_OK(MPI_Send(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD));
      break;
    case kSynchronous:
      CHECK_OK(MPI_Ssend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD));
      break;
    case kReady:
      CHECK_OK(MPI_Rsend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD));
      break;
    default:
      CHECK_OK(MPI_Bsend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD));
      break;
  }
}

static MPI_Request send_nonblocking(Mode mode, const void* buffer, int bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (mode) {
    case kStandard:
      CHECK_OK(MPI_Isend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
    case kSynchronous:
      CHECK_OK(MPI_Issend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
    case kReady:
      CHECK_OK(MPI_Irsend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
    default:
      CHECK_OK(MPI_Ibsend(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
  }
  return request;
}

static MPI_Request send_persistent(Mode mode, const void* buffer, int bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (mode) {
    case kStandard:
      CHECK_OK(MPI_Send_init(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
    case kSynchronous:
      CHECK_OK(MPI_Ssend_init(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
    case kReady:
      CHECK_OK(MPI_Rsend_init(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
    default:
      CHECK_OK(MPI_Bsend_init(buffer, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
      break;
  }
  CHECK_OK(MPI_Start(&request));
  return request;
}

static void check_received(const unsigned char* buffer, int bytes, const MPI_Status* status) {
  int count = -1;
  CHECK_OK(MPI_Get_count(status, MPI_BYTE, &count));
  CHECK_EQ(count, bytes);
  CHECK_EQ(status->MPI_SOURCE, left());
  CHECK_EQ(status->MPI_TAG, kTag);
  CHECK_PATTERN(buffer, (size_t)bytes, (unsigned)left());
  for (int i = 0; i < kGuard; i++) {
    if (!CHECK_EQ(buffer[bytes + i], 0xee)) break;
  }
}

// One message around the ring. The receive is posted first, and with `agreed` all ranks know so (ready mode needs that).
static void exchange(Mode mode, Form form, int bytes, const unsigned char* out, unsigned char* in) {
  MPI_Request receive = MPI_REQUEST_NULL, send = MPI_REQUEST_NULL;
  MPI_Status status;
  memset(in + bytes, 0xee, kGuard);
  memset(in, 0, (size_t)bytes);
  CHECK_OK(MPI_Irecv(in, bytes, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &receive));
  if (mode == kReady) CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  if (form == kBlocking) send_blocking(mode, out, bytes);
  if (form == kNonblocking) send = send_nonblocking(mode, out, bytes);
  if (form == kPersistent) send = send_persistent(mode, out, bytes);
  CHECK_OK(MPI_Wait(&receive, &status));
  CHECK(receive == MPI_REQUEST_NULL);
  CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
  if (form == kPersistent) CHECK_OK(MPI_Request_free(&send));
  CHECK(send == MPI_REQUEST_NULL);
  check_received(in, bytes, &status);
}

static void run_sizes(const int* sizes, int count) {
  int largest = sizes[count - 1], room = largest + MPI_BSEND_OVERHEAD;
  unsigned char* out = check_alloc((size_t)largest);
  unsigned char* in = check_alloc((size_t)largest + kGuard);
  void* buffer = check_alloc((size_t)room);
  check_fill(out, (size_t)largest, (unsigned)check_rank);
  for (int i = 0; i < count; i++) {
    for (int form = 0; form < kForms; form++) {
      for (int mode = 0; mode < kModes; mode++) {
        int attached = 0;
        if (mode == kBuffered) CHECK_OK(MPI_Buffer_attach(buffer, room));
        exchange((Mode)mode, (Form)form, sizes[i], out, in);
        if (mode == kBuffered) CHECK_OK(MPI_Buffer_detach(&buffer, &attached));
        if (mode == kBuffered) CHECK_EQ(attached, room);
      }
    }
  }
  CHECK_PATTERN(out, (size_t)largest, (unsigned)check_rank);
  free(buffer);
  free(in);
  free(out);
}

static void small_and_medium(void) { run_sizes(kSizes, sizeof kSizes / sizeof *kSizes); }
static void large(void) { run_sizes(kLargeSizes, sizeof kLargeSizes / sizeof *kLargeSizes); }

// The message arrives before the receive is posted: the receiver probes for a later message first.
static void unexpected(void) {
  int largest = kLargeSizes[1];
  unsigned char* out = check_alloc((size_t)largest);
  unsigned char* in = check_alloc((size_t)largest + kGuard);
  check_fill(out, (size_t)largest, (unsigned)check_rank);
  for (size_t i = 0; i < sizeof kSizes / sizeof *kSizes; i++) {
    for (int mode = kStandard; mode <= kSynchronous; mode++) {
      MPI_Request sends[2];
      MPI_Status status;
      sends[0] = send_nonblocking((Mode)mode, out, kSizes[i]);
      CHECK_OK(MPI_Isend(NULL, 0, MPI_BYTE, right(), kTag + 1, MPI_COMM_WORLD, &sends[1]));
      CHECK_OK(MPI_Recv(NULL, 0, MPI_BYTE, left(), kTag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      memset(in + kSizes[i], 0xee, kGuard);
      CHECK_OK(MPI_Recv(in, kSizes[i], MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &status));
      check_received(in, kSizes[i], &status);
      CHECK_OK(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
    }
  }
  free(in);
  free(out);
}

// A synchronous send must not complete before the receive has started.
static void synchronous_waits(void) {
  static const int sizes[] = {0, 8, 1024, 100000, 1048576};
  unsigned char* out = check_alloc((size_t)sizes[4]);
  unsigned char* in = check_alloc((size_t)sizes[4]);
  for (int i = 0; i < 5; i++) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    CHECK_OK(MPI_Issend(out, sizes[i], MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &request));
    for (int turn = 0; turn < 20; turn++) {
      CHECK_OK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      CHECK_EQ(done, 0);
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Recv(in, sizes[i], MPI_BYTE, left(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  free(in);
  free(out);
}

static const CheckCase kCases[] = {
    {"all modes, forms and sizes", small_and_medium, 0},
    {"large messages", large, 0},
    {"unexpected messages", unexpected, 0},
    {"a synchronous send waits for its receive", synchronous_waits, 0},
};
CHECK_MAIN(kCases)
