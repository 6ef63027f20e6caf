// SPDX-License-Identifier: BSD-3-Clause
// Between the wrappers, which know the ABI's types, and the recorder, which does not. Included by wrappers.cc only, inside the
// namespace of the ABI and after its mpi.h; hence no include of its own.
#pragma once

template <class Function>
Function next(EntryIndex index) {
  return reinterpret_cast<Function>(next_entries[index]);
}

template <class Function>
EntryPointer pointer(Function* function) {
  return reinterpret_cast<EntryPointer>(function);
}

// The bits of a handle: an int or a pointer.
template <class Handle>
Word word(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Word>(handle);
  else
    return static_cast<std::uint32_t>(handle);
}
template <class Handle>
Handle handle(Word bits) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Handle>(bits);
  else
    return static_cast<Handle>(bits);
}

template <class Count>
std::uint64_t payload(Count count, MPI_Datatype datatype) {
  return static_cast<std::uint64_t>(count) * recorder.type_size(word(datatype));
}

template <class Count>
std::uint64_t total(const Count* counts, std::size_t length, MPI_Datatype datatype) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < length; ++i) sum += static_cast<std::uint64_t>(counts[i]);
  return sum * recorder.type_size(word(datatype));
}

// ---- Messages

inline Operation sending(MPI_Comm comm, int dest, int tag, std::uint64_t bytes) {
  return {dest == MPI_PROC_NULL ? nullptr : recorder.comm(word(comm)), Role::kSender, dest, tag, bytes};
}

inline Operation receiving(MPI_Comm comm, int source, int tag) {
  return {source == MPI_PROC_NULL ? nullptr : recorder.comm(word(comm)), Role::kReceiver,
          source == MPI_ANY_SOURCE ? kAny : source, tag == MPI_ANY_TAG ? kAny : tag, 0};
}

// An operation that is over when the call is; true if the profile can tell for whom the call waited.
inline bool done(const Timed& call, const Operation& operation) {
  if (!operation.comm) return false;
  Event event = recorder.start(operation, call.span().begin);
  recorder.end(event, &call.span());
  return event.identity != 0;
}

inline void started(const Timed& call, const Operation& operation, MPI_Request request) {
  if (operation.comm) recorder.add(word(request), {operation, recorder.start(operation, call.span().begin), false, true});
}

inline void planned(const Operation& operation, MPI_Request request) {
  if (operation.comm) recorder.add(word(request), {operation, {}, true, false});
}

inline void send(const Timed& call, MPI_Comm comm, int dest, int tag, std::uint64_t bytes) {
  Guard guard;
  if (done(call, sending(comm, dest, tag, bytes))) recorder.count_split(call.span());
}

inline void send_started(const Timed& call, MPI_Comm comm, int dest, int tag, std::uint64_t bytes, MPI_Request request) {
  Guard guard;
  started(call, sending(comm, dest, tag, bytes), request);
}

inline void send_planned(const Timed&, MPI_Comm comm, int dest, int tag, std::uint64_t bytes, MPI_Request request) {
  Guard guard;
  planned(sending(comm, dest, tag, bytes), request);
}

inline void receive(const Timed& call, MPI_Comm comm, int, int, const MPI_Status& status) {
  Guard guard;
  if (done(call, receiving(comm, status.MPI_SOURCE, status.MPI_TAG))) recorder.count_split(call.span());
}

inline void look_out(const Timed& call, MPI_Comm comm, int, int, const MPI_Status& status) {
  Guard guard;
  Operation operation = receiving(comm, status.MPI_SOURCE, status.MPI_TAG);
  operation.role = Role::kLookout;
  if (done(call, operation)) recorder.count_split(call.span());
}

inline void receive_started(const Timed& call, MPI_Comm comm, int source, int tag, MPI_Request request) {
  Guard guard;
  started(call, receiving(comm, source, tag), request);
}

inline void receive_planned(const Timed&, MPI_Comm comm, int source, int tag, MPI_Request request) {
  Guard guard;
  planned(receiving(comm, source, tag), request);
}

inline void exchange(const Timed& call, MPI_Comm comm, int dest, int sendtag, std::uint64_t bytes, int, int,
                     const MPI_Status& status) {
  Guard guard;
  bool known = done(call, sending(comm, dest, sendtag, bytes));
  if (done(call, receiving(comm, status.MPI_SOURCE, status.MPI_TAG)) || known) recorder.count_split(call.span());
}

// The request stands for the receive; of the send only the start is known.
inline void exchange_started(const Timed& call, MPI_Comm comm, int dest, int sendtag, std::uint64_t bytes, int source,
                             int recvtag, MPI_Request request) {
  Guard guard;
  Operation to_send = sending(comm, dest, sendtag, bytes);
  if (to_send.comm) recorder.end(recorder.start(to_send, call.span().begin), nullptr);
  started(call, receiving(comm, source, recvtag), request);
}

// ---- Collective operations

// The communicator of a collective operation that can be split: not one between two groups.
inline Comm* intra(const Timed& call, MPI_Comm comm) {
  if (!call.good()) return nullptr;
  Guard guard;
  Comm* known = recorder.comm(word(comm));
  return known->id == 0 || known->inter ? nullptr : known;
}

inline Operation with_role(Operation operation) {
  if (operation.role == Role::kRoot && operation.peer != operation.comm->rank) operation.role = Role::kLeaf;
  return operation;
}

inline void collective(const Timed& call, const Operation& operation) {
  Guard guard;
  if (done(call, with_role(operation))) recorder.count_split(call.span());
}

inline void collective_started(const Timed& call, const Operation& operation, MPI_Request request) {
  Guard guard;
  started(call, with_role(operation), request);
}

inline void collective_planned(const Timed&, const Operation& operation, MPI_Request request) {
  Guard guard;
  planned(with_role(operation), request);
}

// A new communicator: everybody in the old one had to come. It is looked at now, because the order in which communicators come
// up names them.
inline void made_by_parent(const Timed& call, MPI_Comm parent, MPI_Comm made) {
  if (Comm* the_parent = intra(call, parent)) collective(call, {the_parent, Role::kAll, 0, 0, 0});
  Guard guard;
  if (made != MPI_COMM_NULL) recorder.comm(word(made));
}

inline void made_by_members(const Timed& call, MPI_Comm made) {
  if (made == MPI_COMM_NULL) return;
  Guard guard;
  if (done(call, {recorder.comm(word(made)), Role::kAll, 0, 0, 0})) recorder.count_split(call.span());
}

// ---- Completion

// The operation of a request is over. True if the profile can tell for whom it waited.
inline bool completed(Word request, const MPI_Status& status, const Span* span) {
  Pending* pending = recorder.pending(request);
  if (!pending || !pending->active) return false;
  Event& event = pending->event;
  if (event.identity == 0 && event.role == Role::kReceiver) {
    Operation matched = pending->operation;
    matched.peer = status.MPI_SOURCE;
    matched.tag = status.MPI_TAG;
    event = recorder.start(matched, event.post);
  }
  bool known = event.identity != 0;
  recorder.completed(request, *pending, span);
  return known;
}

// The requests of a call, kept because the call overwrites them, and room for their statuses if the user does not want them.
class Requests {
 public:
  Requests(const Timed& call, int count, const MPI_Request* requests, MPI_Status* statuses) : call_(call), statuses_(statuses) {
    if (!call.active() || count <= 0) return;
    for (int i = 0; i < count; ++i) words().push_back(word(requests[i]));
    if (statuses_ != MPI_STATUSES_IGNORE) return;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(MPI_Status);
    if (own().size() < bytes) own().resize(bytes);
    statuses_ = reinterpret_cast<MPI_Status*>(own().data());
  }
  ~Requests() { words().clear(); }
  Requests(const Requests&) = delete;

  MPI_Status* statuses() const { return statuses_; }

  // `done` of them are over, the i-th being indices[i] (nullptr: i). `waited`: the call lasted until all of these were.
  void over(int done, const int* indices, bool waited) {
    if (!call_.good() || done <= 0) return;
    Guard guard;
    bool known = false;
    for (int i = 0; i < done; ++i) {
      auto at = static_cast<std::size_t>(indices ? indices[i] : i);
      known |= completed(words()[at], statuses_[i], waited ? &call_.span() : nullptr);
    }
    if (known && waited) recorder.count_split(call_.span());
  }

 private:
  static std::vector<Word>& words() {
    static thread_local std::vector<Word> kept;
    return kept;
  }
  // Bytes, because std::vector<MPI_Status> would be one type with two layouts: the library contains both ABIs.
  static std::vector<std::byte>& own() {
    static thread_local std::vector<std::byte> room;
    return room;
  }

  const Timed& call_;
  MPI_Status* statuses_;
};
