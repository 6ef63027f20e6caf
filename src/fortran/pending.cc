// SPDX-License-Identifier: BSD-3-Clause
#include "pending.h"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace starling::fortran {

// The copies of one request.
class Copies {
 public:
  Lifetime lifetime = kOnce;

  void take(Kept& buffer) {
    if (buffer.image_) copies_.push_back({buffer.section_, buffer.access_, std::unique_ptr<char[]>(buffer.image_)});
    buffer.image_ = nullptr;
  }
  bool empty() const { return copies_.empty(); }
  void fill() {
    for (Copy& copy : copies_) copy.section.gather(copy.image.get());
  }
  void give_back() {
    for (Copy& copy : copies_) {
      if (copy.access == kWrite) copy.section.scatter(copy.image.get());
    }
  }

 private:
  struct Copy {
    Section section;
    Access access;
    std::unique_ptr<char[]> image;
  };
  std::vector<Copy> copies_;
};

namespace {

struct Pending {
  std::mutex mutex;
  std::unordered_map<Fint, Copies> of;  // by the request's integer
};

// Never destroyed: a library may complete requests while the process ends.
Pending& pending() {
  static Pending* all = new Pending;
  return *all;
}

// How many requests have copies: where there is none, completion costs this one look.
std::atomic<int> holders{0};

void complete(Fint request) {
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  const auto found = all.of.find(request);
  if (found == all.of.end()) return;
  found->second.give_back();
  if (found->second.lifetime == kPersistent) return;
  all.of.erase(found);
  holders = static_cast<int>(all.of.size());
}

}  // namespace

Kept::Kept(const CFI_cdesc_t* descriptor, Access access) : section_(descriptor), access_(access) {
  if (section_.contiguous()) return;
  image_ = new char[section_.bytes()];
  section_.gather(image_);
}

void hold(const Fint* request, Lifetime lifetime, Kept* buffers[], int n) {
  Copies copies;
  copies.lifetime = lifetime;
  for (int i = 0; i < n; ++i) copies.take(*buffers[i]);
  if (copies.empty()) return;
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  all.of.insert_or_assign(*request, std::move(copies));
  holders = static_cast<int>(all.of.size());
}

void started(const Fint* requests, int n) {
  if (holders == 0) return;
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  for (int i = 0; i < n; ++i) {
    const auto found = all.of.find(requests[i]);
    if (found != all.of.end()) found->second.fill();
  }
}

void forgotten(const Fint* request) {
  if (holders == 0) return;
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  const auto found = all.of.find(*request);
  if (found == all.of.end() || found->second.lifetime == kOnce) return;  // one that is under way still writes into its copies
  all.of.erase(found);
  holders = static_cast<int>(all.of.size());
}

Completing::Completing(const Fint* requests, int n) : n_(holders == 0 || n < 0 ? 0 : n), requests_(n_) {
  for (int i = 0; i < n_; ++i) requests_.data()[i] = requests[i];
}

void Completing::done(int i) {
  if (i >= 0 && i < n_) complete(requests_.data()[i]);
}

void Completing::all_done() {
  for (int i = 0; i < n_; ++i) complete(requests_.data()[i]);
}

}  // namespace starling::fortran
