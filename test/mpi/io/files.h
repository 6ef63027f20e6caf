// SPDX-License-Identifier: BSD-3-Clause
// Temporary files, and the functions for data access in a table, for the tests of files. Files lie in TMPDIR (else /tmp); every
// process knows the same name, and delete_file removes it.
#ifndef STARLING_TEST_IO_FILES_H_
#define STARLING_TEST_IO_FILES_H_

#include <unistd.h>

#include "../check.h"

static char file_name[512];

// A new name, the same at all processes.
static inline const char* new_file_name(void) {
  static int count;
  if (check_rank == 0) {
    const char* folder = getenv("TMPDIR");
    snprintf(file_name, sizeof file_name, "%s/starling-io-%d-%d", folder && *folder ? folder : "/tmp", (int)getpid(), count++);
    unlink(file_name);
  }
  CHECK_OK(MPI_Bcast(file_name, sizeof file_name, MPI_CHAR, 0, MPI_COMM_WORLD));
  return file_name;
}

static inline void delete_file(void) {
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  if (check_rank == 0) unlink(file_name);
}

// A new file on MPI_COMM_WORLD, opened for reading and writing.
static inline MPI_File new_file(MPI_Info info) {
  MPI_File fh = MPI_FILE_NULL;
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, new_file_name(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &fh));
  return fh;
}

static inline void close_and_delete(MPI_File* fh) {
  CHECK_OK(MPI_File_close(fh));
  CHECK(*fh == MPI_FILE_NULL);
  delete_file();
}

// What was written becomes visible to all.
static inline void publish(MPI_File fh) {
  CHECK_OK(MPI_File_sync(fh));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_sync(fh));
}

// The whole file as it is, to be freed. Only after all have published.
static inline unsigned char* file_bytes(long* size) {
  FILE* file = fopen(file_name, "rb");
  *size = 0;
  if (!CHECK(file != NULL)) return check_alloc(1);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  unsigned char* bytes = check_alloc((size_t)*size);
  CHECK_EQ(fread(bytes, 1, (size_t)*size, file), *size);
  fclose(file);
  return bytes;
}

// ---- All forms of data access behind one signature

typedef enum Where { kExplicit, kIndividual, kShared, kOrdered } Where;
typedef enum Form { kBlocking, kNonblocking, kSplit } Form;

typedef struct Way {
  const char* name;
  Where where;
  Form form;
  int collective;
} Way;

static const Way kWays[] = {
    {"at", kExplicit, kBlocking, 0},         {"iat", kExplicit, kNonblocking, 0},    {"at_all", kExplicit, kBlocking, 1},
    {"iat_all", kExplicit, kNonblocking, 1}, {"at_all begin", kExplicit, kSplit, 1}, {"individual", kIndividual, kBlocking, 0},
    {"i", kIndividual, kNonblocking, 0},     {"all", kIndividual, kBlocking, 1},     {"iall", kIndividual, kNonblocking, 1},
    {"all begin", kIndividual, kSplit, 1},   {"shared", kShared, kBlocking, 0},      {"ishared", kShared, kNonblocking, 0},
    {"ordered", kOrdered, kBlocking, 1},     {"ordered begin", kOrdered, kSplit, 1},
};
enum { kWayCount = sizeof kWays / sizeof kWays[0] };

static inline int write_way(const Way* w, MPI_File fh, MPI_Offset at, const void* buf, int n, MPI_Datatype type,
                            MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (w->form == kBlocking) {
    if (w->where == kExplicit)
      return w->collective ? MPI_File_write_at_all(fh, at, buf, n, type, status)
                           : MPI_File_write_at(fh, at, buf, n, type, status);
    if (w->where == kIndividual)
      return w->collective ? MPI_File_write_all(fh, buf, n, type, status) : MPI_File_write(fh, buf, n, type, status);
    return w->where == kShared ? MPI_File_write_shared(fh, buf, n, type, status)
                               : MPI_File_write_ordered(fh, buf, n, type, status);
  }
  if (w->form == kSplit) {
    if (w->where == kExplicit) {
      code = MPI_File_write_at_all_begin(fh, at, buf, n, type);
      return code ? code : MPI_File_write_at_all_end(fh, buf, status);
    }
    if (w->where == kIndividual) {
      code = MPI_File_write_all_begin(fh, buf, n, type);
      return code ? code : MPI_File_write_all_end(fh, buf, status);
    }
    code = MPI_File_write_ordered_begin(fh, buf, n, type);
    return code ? code : MPI_File_write_ordered_end(fh, buf, status);
  }
  if (w->where == kExplicit)
    code = w->collective ? MPI_File_iwrite_at_all(fh, at, buf, n, type, &request)
                         : MPI_File_iwrite_at(fh, at, buf, n, type, &request);
  else if (w->where == kIndividual)
    code = w->collective ? MPI_File_iwrite_all(fh, buf, n, type, &request) : MPI_File_iwrite(fh, buf, n, type, &request);
  else
    code = MPI_File_iwrite_shared(fh, buf, n, type, &request);
  return code ? code : MPI_Wait(&request, status);
}

static inline int read_way(const Way* w, MPI_File fh, MPI_Offset at, void* buf, int n, MPI_Datatype type, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (w->form == kBlocking) {
    if (w->where == kExplicit)
      return w->collective ? MPI_File_read_at_all(fh, at, buf, n, type, status)
                           : MPI_File_read_at(fh, at, buf, n, type, status);
    if (w->where == kIndividual)
      return w->collective ? MPI_File_read_all(fh, buf, n, type, status) : MPI_File_read(fh, buf, n, type, status);
    return w->where == kShared ? MPI_File_read_shared(fh, buf, n, type, status)
                               : MPI_File_read_ordered(fh, buf, n, type, status);
  }
  if (w->form == kSplit) {
    if (w->where == kExplicit) {
      code = MPI_File_read_at_all_begin(fh, at, buf, n, type);
      return code ? code : MPI_File_read_at_all_end(fh, buf, status);
    }
    if (w->where == kIndividual) {
      code = MPI_File_read_all_begin(fh, buf, n, type);
      return code ? code : MPI_File_read_all_end(fh, buf, status);
    }
    code = MPI_File_read_ordered_begin(fh, buf, n, type);
    return code ? code : MPI_File_read_ordered_end(fh, buf, status);
  }
  if (w->where == kExplicit)
    code = w->collective ? MPI_File_iread_at_all(fh, at, buf, n, type, &request)
                         : MPI_File_iread_at(fh, at, buf, n, type, &request);
  else if (w->where == kIndividual)
    code = w->collective ? MPI_File_iread_all(fh, buf, n, type, &request) : MPI_File_iread(fh, buf, n, type, &request);
  else
    code = MPI_File_iread_shared(fh, buf, n, type, &request);
  return code ? code : MPI_Wait(&request, status);
}

#endif  // STARLING_TEST_IO_FILES_H_
