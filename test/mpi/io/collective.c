// SPDX-License-Identifier: BSD-3-Clause
// Collective access under all hints that change how it is done: the result is the same (MPI 5.0 section 14.2.8).
#include "files.h"

static void set(MPI_Info info, const char* key, const char* value) { CHECK_OK(MPI_Info_set(info, key, value)); }

static const struct {
  const char *nodes, *buffer, *together, *sieve;
} kHints[] = {
    {"1", "16777216", "automatic", "automatic"}, {"1", "16777216", "enable", "automatic"}, {"2", "4096", "enable", "automatic"},
    {"3", "1000", "enable", "enable"},           {"64", "333", "enable", "disable"},       {"1", "65536", "disable", "enable"},
    {"1", "65536", "disable", "disable"},
};
enum { kHintCount = sizeof kHints / sizeof kHints[0] };

static MPI_Info make_hints(int i) {
  MPI_Info info;
  CHECK_OK(MPI_Info_create(&info));
  set(info, "cb_nodes", kHints[i].nodes);
  set(info, "cb_buffer_size", kHints[i].buffer);
  set(info, "romio_cb_read", kHints[i].together);
  set(info, "romio_cb_write", kHints[i].together);
  set(info, "romio_ds_read", kHints[i].sieve);
  set(info, "romio_ds_write", kHints[i].sieve);
  return info;
}

// A random filetype: blocks of bytes of which each belongs to at most one process; the same list of owners everywhere.
typedef struct Pattern {
  int blocks, bytes;  // of a tile
  int* owner;         // of each block
  int* length;
  MPI_Datatype mine;
} Pattern;

static Pattern make_pattern(unsigned* state) {
  Pattern p = {.blocks = 10 + (int)(check_random(state) % 60)};
  p.owner = check_alloc((size_t)p.blocks * sizeof(int));
  p.length = check_alloc((size_t)p.blocks * sizeof(int));
  int* lengths = check_alloc((size_t)p.blocks * sizeof(int));
  int* starts = check_alloc((size_t)p.blocks * sizeof(int));
  int n = 0;
  for (int i = 0; i < p.blocks; i++) {
    p.owner[i] = (int)(check_random(state) % (unsigned)(check_size + 1)) - 1;  // -1: a hole
    p.length[i] = 1 + (int)(check_random(state) % 40);
    if (p.owner[i] == check_rank) {
      lengths[n] = p.length[i];
      starts[n++] = p.bytes;
    }
    p.bytes += p.length[i];
  }
  MPI_Datatype raw;
  CHECK_OK(MPI_Type_indexed(n, lengths, starts, MPI_BYTE, &raw));
  CHECK_OK(MPI_Type_create_resized(raw, 0, p.bytes, &p.mine));
  CHECK_OK(MPI_Type_commit(&p.mine));
  CHECK_OK(MPI_Type_free(&raw));
  free(lengths);
  free(starts);
  return p;
}

static void free_pattern(Pattern* p) {
  CHECK_OK(MPI_Type_free(&p->mine));
  free(p->owner);
  free(p->length);
}

// Writes `bytes` of each process from its `skip`th on, and compares the file with what the pattern says; reads it back.
static void random_once(unsigned* state, int hints, const Way* way) {
  enum { kMostTiles = 12 };
  Pattern p = make_pattern(state);
  MPI_Info info = make_hints(hints);
  MPI_File fh = new_file(info);
  CHECK_OK(MPI_Info_free(&info));
  const int displacement = (int)(check_random(state) % 100), tiles = 1 + (int)(check_random(state) % kMostTiles);
  const int room = displacement + tiles * p.bytes;
  unsigned char* image = check_alloc((size_t)room);
  memset(image, '.', (size_t)room);
  if (check_rank == 0) CHECK_OK(MPI_File_write_at(fh, 0, image, room, MPI_BYTE, MPI_STATUS_IGNORE));
  publish(fh);
  CHECK_OK(MPI_File_set_view(fh, displacement, MPI_BYTE, p.mine, "native", MPI_INFO_NULL));

  // Byte k that a process sees has the pattern of its rank.
  int* seen = check_alloc((size_t)check_size * sizeof(int));
  int* skip = check_alloc((size_t)check_size * sizeof(int));
  int* bytes = check_alloc((size_t)check_size * sizeof(int));
  for (int r = 0; r < check_size; r++) {
    int of_tile = 0;
    for (int i = 0; i < p.blocks; i++) of_tile += p.owner[i] == r ? p.length[i] : 0;
    const int all = of_tile * tiles;
    skip[r] = all ? (int)(check_random(state) % (unsigned)all) : 0;
    bytes[r] = all - skip[r] ? (int)(check_random(state) % (unsigned)(all - skip[r] + 1)) : 0;
  }
  for (int at = displacement, block = 0; at < room; at += p.length[block], block = (block + 1) % p.blocks) {
    const int r = p.owner[block];
    for (int i = 0; r >= 0 && i < p.length[block]; i++, seen[r]++)
      if (seen[r] >= skip[r] && seen[r] < skip[r] + bytes[r])
        image[at + i] = check_pattern((unsigned)r, (size_t)(seen[r] - skip[r]));
  }
  const int mine = bytes[check_rank];
  // In memory with gaps: every second byte.
  MPI_Datatype gaps;
  CHECK_OK(MPI_Type_vector(mine, 1, 2, MPI_BYTE, &gaps));
  CHECK_OK(MPI_Type_commit(&gaps));
  const int in_gaps = (int)(check_random(state) % 2);
  unsigned char* data = check_alloc((size_t)mine * 2);
  for (int i = 0; i < mine; i++) data[in_gaps ? 2 * i : i] = check_pattern((unsigned)check_rank, (size_t)i);
  CHECK_OK(MPI_File_seek(fh, skip[check_rank], MPI_SEEK_SET));
  CHECK_OK(write_way(way, fh, skip[check_rank], data, in_gaps ? 1 : mine, in_gaps ? gaps : MPI_BYTE, MPI_STATUS_IGNORE));
  publish(fh);
  long size;
  unsigned char* all = file_bytes(&size);
  if (CHECK_EQ(size, room)) CHECK_BYTES(all, image, (size_t)room);
  free(all);

  MPI_Status status;
  int count;
  memset(data, 0, (size_t)mine * 2);
  CHECK_OK(MPI_File_seek(fh, skip[check_rank], MPI_SEEK_SET));
  CHECK_OK(read_way(way, fh, skip[check_rank], data, in_gaps ? 1 : mine, in_gaps ? gaps : MPI_BYTE, &status));
  CHECK_OK(MPI_Get_elements(&status, MPI_BYTE, &count));
  CHECK_EQ(count, mine);
  for (int i = 0; i < mine; i++)
    if (!CHECK_EQ(data[in_gaps ? 2 * i : i], check_pattern((unsigned)check_rank, (size_t)i))) break;
  CHECK_OK(MPI_Type_free(&gaps));
  free(data);
  free(image);
  free(seen);
  free(skip);
  free(bytes);
  free_pattern(&p);
  close_and_delete(&fh);
}

static void random_patterns(void) {
  const Way* ways[] = {&kWays[7], &kWays[2], &kWays[3], &kWays[8], &kWays[9]};
  unsigned state = 12345;
  for (int i = 0; i < 35; i++) random_once(&state, i % kHintCount, ways[i % 5]);
}

// Reads that end beyond the file: each gets what is there.
static void end_of_file(void) {
  for (int h = 0; h < kHintCount; h++) {
    enum { kRecord = 10, kRecords = 20 };
    MPI_Info info = make_hints(h);
    MPI_File fh = new_file(info);
    MPI_Datatype record, tile;
    MPI_Status status;
    int count;
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Type_contiguous(kRecord, MPI_BYTE, &record));
    CHECK_OK(MPI_Type_create_resized(record, 0, kRecord * check_size, &tile));
    CHECK_OK(MPI_Type_commit(&tile));
    CHECK_OK(MPI_Type_free(&record));
    const int end = kRecord * check_size * 5 + 13;
    unsigned char* bytes = check_alloc((size_t)end);
    check_fill(bytes, (size_t)end, 1);
    if (check_rank == 0) CHECK_OK(MPI_File_write_at(fh, 0, bytes, end, MPI_BYTE, MPI_STATUS_IGNORE));
    publish(fh);
    CHECK_OK(MPI_File_set_view(fh, kRecord * check_rank, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    unsigned char back[kRecord * kRecords];
    memset(back, '-', sizeof back);
    CHECK_OK(MPI_File_read_all(fh, back, sizeof back, MPI_BYTE, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    int want = 0;
    for (int i = 0; i < kRecord * kRecords; i++) {
      const int at = (i / kRecord * check_size + check_rank) * kRecord + i % kRecord;
      if (at < end) want++;
      if (!CHECK_EQ(back[i], at < end ? bytes[at] : '-')) break;
    }
    CHECK_EQ(count, want);
    free(bytes);
    CHECK_OK(MPI_Type_free(&tile));
    close_and_delete(&fh);
  }
}

// All read the same, and only some take part.
static void overlapping_reads(void) {
  for (int h = 0; h < kHintCount; h++) {
    enum { kBytes = 10000 };
    MPI_Info info = make_hints(h);
    MPI_File fh = new_file(info);
    unsigned char bytes[kBytes], back[kBytes];
    CHECK_OK(MPI_Info_free(&info));
    check_fill(bytes, kBytes, 2);
    CHECK_OK(MPI_File_write_at_all(fh, 0, bytes, check_rank == check_size - 1 ? kBytes : 0, MPI_BYTE, MPI_STATUS_IGNORE));
    publish(fh);
    memset(back, 0, kBytes);
    CHECK_OK(MPI_File_read_at_all(fh, 0, back, check_rank % 3 == 1 ? 0 : kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    if (check_rank % 3 != 1) CHECK_BYTES(back, bytes, kBytes);
    close_and_delete(&fh);
  }
}

static const CheckCase kCases[] = {
    {"random patterns", random_patterns, 0},
    {"end of file", end_of_file, 0},
    {"overlapping reads", overlapping_reads, 0},
};
CHECK_MAIN(kCases)
