// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_split: everybody learns colour and key of everybody (one allgather) and finds its own communicator by itself.
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

struct Record {
  std::int64_t color;
  std::int32_t key;
  std::int32_t rank;  // in the parent
  InterContexts proposal;
};

// The records of one colour, in the order of their new ranks.
std::vector<Record> members_of(std::int64_t color, const std::vector<Record>& records) {
  std::vector<Record> members;
  for (const Record& record : records)
    if (record.color == color) members.push_back(record);
  std::sort(members.begin(), members.end(),
            [](const Record& a, const Record& b) { return a.key != b.key ? a.key < b.key : a.rank < b.rank; });
  return members;
}

Ref<Group> group_of(const std::vector<Record>& members, const Group& parent, Peer self) {
  std::vector<Peer> peers;
  peers.reserve(members.size());
  for (const Record& member : members) peers.push_back(parent.peer(member.rank));
  return Ref<Group>::adopt(make_group(std::move(peers), self));
}

std::vector<Record> gather(Comm& intra, const Record& mine) {
  std::vector<Record> records(static_cast<std::size_t>(intra.size));
  records[static_cast<std::size_t>(intra.rank)] = mine;
  allgather(intra, creation_tag(intra), records.data(), sizeof(Record));
  return records;
}

Comm* split_intra(Comm& parent, const Record& mine) {
  std::vector<Record> records = gather(parent, mine);
  if (mine.color == kNoColor) return nullptr;
  std::vector<Record> members = members_of(mine.color, records);
  Worker& worker = *parent.worker;
  Comm* made = make_comm(members[0].proposal.local, worker, group_of(members, *parent.group, worker.self()), {}, &parent);
  choose_worker(*made);
  return made;
}

// Both sides gather; the leaders exchange the tables. Of the two first members of a colour, the smaller context is taken.
Comm* split_inter(Comm& parent, const Record& mine) {
  int tag = creation_tag(parent);
  Comm& local = *parent.local_comm;
  std::vector<Record> here = gather(local, mine);
  std::vector<Record> there(static_cast<std::size_t>(parent.remote_size));
  std::size_t bytes = there.size() * sizeof(Record);
  if (parent.rank == 0) exchange(parent, tag, here.data(), here.size() * sizeof(Record), there.data(), bytes, 0);
  broadcast(local, creation_tag(local), there.data(), bytes, 0);
  if (mine.color == kNoColor) return nullptr;
  here = members_of(mine.color, here);
  there = members_of(mine.color, there);
  if (there.empty()) return nullptr;
  InterContexts contexts{std::min(here[0].proposal.inter, there[0].proposal.inter), here[0].proposal.local};
  Worker& worker = *parent.worker;
  return make_inter(contexts, worker, group_of(here, *parent.group, worker.self()),
                    group_of(there, *parent.remote_group, worker.self()), &parent);
}

}  // namespace

Comm* split(Comm& parent, std::int64_t color, int key) {
  Record mine{color, key, parent.rank, {next_context(), next_context()}};
  return parent.inter ? split_inter(parent, mine) : split_intra(parent, mine);
}

void comm_split(Comm& comm, int color, int key, Comm*& newcomm) {
  if (color < 0 && color != kUndefined) fail(kErrArg, "the color is %d, but must be MPI_UNDEFINED or not negative", color);
  newcomm = split(comm, color == kUndefined ? kNoColor : color, key);
}

}  // namespace starling::comm
