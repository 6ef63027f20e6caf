// SPDX-License-Identifier: BSD-3-Clause
// Buffered sends: the room a buffer gives, detach waits for the messages, and the buffers of communicators and sessions
// (MPI-4.1).
#include "../check.h"

#define HAVE_BUFFERS_OF_COMMS (MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1))

enum { kTag = 2, kMessages = 10 };

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

static void send_all(MPI_Comm comm, int bytes, const void* data) {
  for (int i = 0; i < kMessages; i++) CHECK_OK(MPI_Bsend(data, bytes, MPI_BYTE, right(), kTag + i, comm));
}

static void receive_all(MPI_Comm comm, int bytes, unsigned char* data) {
  for (int i = kMessages - 1; i >= 0; i--) {  // backwards: every message must have been buffered
    memset(data, 0, (size_t)bytes);
    CHECK_OK(MPI_Recv(data, bytes, MPI_BYTE, left(), kTag + i, comm, MPI_STATUS_IGNORE));
    CHECK_PATTERN(data, (size_t)bytes, (unsigned)left());
  }
}

static const int kSizes[] = {0, 1, 7, 64, 3000, 100000};

// A buffer of the size that the standard promises to be enough holds all messages at once; after detach it can be used again.
static void exact_room(void) {
  unsigned char* out = check_alloc(100000);
  unsigned char* in = check_alloc(100000);
  check_fill(out, 100000, (unsigned)check_rank);
  for (int s = 0; s < 6; s++) {
    int packed, room, size;
    void *detached, *buffer;
    CHECK_OK(MPI_Pack_size(kSizes[s], MPI_BYTE, MPI_COMM_WORLD, &packed));
    room = kMessages * (packed + MPI_BSEND_OVERHEAD);
    buffer = check_alloc((size_t)room);
    for (int round = 0; round < 3; round++) {
      CHECK_OK(MPI_Buffer_attach(buffer, room));
      send_all(MPI_COMM_WORLD, kSizes[s], out);
      receive_all(MPI_COMM_WORLD, kSizes[s], in);
      CHECK_OK(MPI_Buffer_detach(&detached, &size));
      CHECK(detached == buffer);
      CHECK_EQ(size, room);
      CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    free(buffer);
  }
  free(in);
  free(out);
}

// Space comes back when messages are gone: far more goes through the buffer than fits in it at once.
static void reuse(void) {
  enum { kBytes = 10000, kRounds = 200 };
  unsigned char* out = check_alloc(kBytes);
  unsigned char* in = check_alloc(kBytes);
  int room = 4 * (kBytes + MPI_BSEND_OVERHEAD), size;
  void *buffer = check_alloc((size_t)room), *detached;
  CHECK_OK(MPI_Buffer_attach(buffer, room));
  for (int round = 0; round < kRounds; round++) {
    int bytes = 1 + round * 7919 % kBytes;
    check_fill(out, (size_t)bytes, (unsigned)(check_rank + round));
    CHECK_OK(MPI_Bsend(out, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD));
    memset(out, 0, (size_t)bytes);
    CHECK_OK(MPI_Recv(in, bytes, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_PATTERN(in, (size_t)bytes, (unsigned)(left() + round));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  CHECK_OK(MPI_Buffer_detach(&detached, &size));
  free(buffer);
  free(in);
  free(out);
}

// Detach returns only when all messages are delivered, hence a receive must be possible meanwhile.
static void detach_delivers(void) {
  unsigned char* out = check_alloc(300000);
  unsigned char* in = check_alloc(300000);
  int room = 300000 + MPI_BSEND_OVERHEAD, size;
  void *buffer = check_alloc((size_t)room), *detached;
  MPI_Request request;
  check_fill(out, 300000, (unsigned)check_rank);
  CHECK_OK(MPI_Irecv(in, 300000, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Buffer_attach(buffer, room));
  CHECK_OK(MPI_Bsend(out, 300000, MPI_BYTE, right(), kTag, MPI_COMM_WORLD));
  CHECK_OK(MPI_Buffer_detach(&detached, &size));
  memset(buffer, 0, (size_t)room);
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_PATTERN(in, 300000, (unsigned)left());
  free(buffer);
  free(in);
  free(out);
}

static void no_room(void) {
  char data[1000] = {0};
  char buffer[300 + MPI_BSEND_OVERHEAD];
  void* detached;
  int size;
  CHECK_CLASS(MPI_Bsend(data, 1, MPI_BYTE, right(), kTag, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CHECK_OK(MPI_Buffer_attach(buffer, sizeof buffer));
  CHECK_CLASS(MPI_Bsend(data, sizeof data, MPI_BYTE, right(), kTag, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CHECK(MPI_Buffer_attach(data, sizeof data) != MPI_SUCCESS);  // one buffer at a time; the class is not prescribed
  CHECK_OK(MPI_Buffer_detach(&detached, &size));
}

#if HAVE_BUFFERS_OF_COMMS
// A communicator's own buffer is used in place of the process's; the sizes show which one was attached where.
static void buffer_of_comm(void) {
  enum { kBytes = 5000, kRoom = kMessages * (kBytes + MPI_BSEND_OVERHEAD) };
  unsigned char* out = check_alloc(kBytes);
  unsigned char* in = check_alloc(kBytes);
  void *buffer = check_alloc(kRoom), *detached;
  char small[MPI_BSEND_OVERHEAD + 16];
  int size;
  MPI_Comm comm;
  check_fill(out, kBytes, (unsigned)check_rank);
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Buffer_attach(small, sizeof small));
  CHECK_OK(MPI_Comm_attach_buffer(comm, buffer, kRoom));
  for (int round = 0; round < 3; round++) {
    send_all(comm, kBytes, out);
    receive_all(comm, kBytes, in);
    CHECK_OK(MPI_Comm_flush_buffer(comm));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  MPI_Request request;
  send_all(comm, kBytes, out);
  CHECK_OK(MPI_Comm_iflush_buffer(comm, &request));
  receive_all(comm, kBytes, in);
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Comm_detach_buffer(comm, &detached, &size));
  CHECK(detached == buffer);
  CHECK_EQ(size, kRoom);
  CHECK_OK(MPI_Buffer_flush());
  CHECK_OK(MPI_Buffer_detach(&detached, &size));
  CHECK(detached == small);
  CHECK_EQ(size, sizeof small);
  CHECK_OK(MPI_Comm_free(&comm));
  free(buffer);
  free(in);
  free(out);
}

static void automatic_buffer(void) {
  enum { kBytes = 20000 };
  unsigned char* out = check_alloc(kBytes);
  unsigned char* in = check_alloc(kBytes);
  void* detached = NULL;
  int size = -1;
  check_fill(out, kBytes, (unsigned)check_rank);
  CHECK_OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
  for (int s = 0; s < 5; s++) {
    send_all(MPI_COMM_WORLD, kSizes[s], out);
    receive_all(MPI_COMM_WORLD, kSizes[s], in);
  }
  CHECK_OK(MPI_Buffer_detach(&detached, &size));
  CHECK(detached == MPI_BUFFER_AUTOMATIC);
  free(in);
  free(out);
}

static void buffer_of_session(void) {
  enum { kBytes = 1000, kRoom = kMessages * (kBytes + MPI_BSEND_OVERHEAD) };
  unsigned char out[kBytes], in[kBytes];
  void *buffer = check_alloc(kRoom), *detached;
  int size;
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  check_fill(out, kBytes, (unsigned)check_rank);
  CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
  CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
  CHECK_OK(MPI_Comm_create_from_group(group, "test/buffered", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
  CHECK_OK(MPI_Session_attach_buffer(session, buffer, kRoom));
  send_all(comm, kBytes, out);
  receive_all(comm, kBytes, in);
  CHECK_OK(MPI_Session_flush_buffer(session));
  CHECK_OK(MPI_Session_detach_buffer(session, &detached, &size));
  CHECK(detached == buffer);
  CHECK_EQ(size, kRoom);
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Session_finalize(&session));
  free(buffer);
}
#endif

static const CheckCase kCases[] = {
    {"exactly enough room", exact_room, 0},          {"room comes back", reuse, 0},
    {"detach delivers", detach_delivers, 0},         {"no room", no_room, 0},
#if HAVE_BUFFERS_OF_COMMS
    {"buffer of a communicator", buffer_of_comm, 0}, {"automatic buffer", automatic_buffer, 0},
    {"buffer of a session", buffer_of_session, 0},
#endif
};
CHECK_MAIN(kCases)
