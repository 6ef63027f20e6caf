// SPDX-License-Identifier: BSD-3-Clause
// Copies of array sections that belong to requests. A copy goes back into its section when the request completes, in whichever
// call of the Fortran bindings that is; persistent requests fill their copies again when they start. Any thread may use it.
#pragma once

#include "section.h"

namespace starling::fortran {

// A buffer of a collective that is not over when the call returns.
class Kept {
 public:
  Kept(const CFI_cdesc_t* descriptor, Access access);
  Kept(const Kept&) = delete;
  ~Kept() { delete[] image_; }
  operator void*() { return image_ ? image_ : buffer_of(section_.base()); }

 private:
  friend class Copies;
  Section section_;
  Access access_;
  char* image_ = nullptr;
};

enum Lifetime { kOnce, kPersistent };

// Hands the copies over to the request that a call made.
void hold(const Fint* request, Lifetime lifetime, Kept* buffers[], int n);

template <class... Buffers>
void hold(int code, const Fint* request, Lifetime lifetime, Buffers&... buffers) {
  Kept* all[] = {&buffers...};
  if (code == MPI_SUCCESS) hold(request, lifetime, all, static_cast<int>(sizeof...(buffers)));
}

void started(const Fint* requests, int n);  // about to start
void forgotten(const Fint* request);        // about to be freed

// The requests as they are before a call that may complete them.
class Completing {
 public:
  Completing(const Fint* requests, int n);
  void done(int i);  // the i-th has completed
  void all_done();

 private:
  int n_;
  Room<Fint> requests_;
};

}  // namespace starling::fortran
