// SPDX-License-Identifier: BSD-3-Clause
// The forms with a request (MPI 5.0 section 12.3.5). The operations are complete when they return, and so are their requests.
#include "base/error.h"
#include "p2p/request.h"
#include "rma/entry.gen.h"
#include "rma/win.h"

namespace starling::rma {

namespace {

void check_passive(const Win& win, int target_rank) {
  if (target_rank != kProcNull && (win.epoch == Epoch::kFence || win.epoch == Epoch::kStart))
    fail(kErrRmaSync, "operations with a request need a passive target: MPI_Win_lock or MPI_Win_lock_all");
}

}  // namespace

void rput(const void* origin_addr, Count origin_count, Datatype& origin_datatype, int target_rank, Count target_disp,
          Count target_count, Datatype& target_datatype, Win& win, Request*& request) {
  check_passive(win, target_rank);
  put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
  request = p2p::completed_send();
}

void rget(void* origin_addr, Count origin_count, Datatype& origin_datatype, int target_rank, Count target_disp,
          Count target_count, Datatype& target_datatype, Win& win, Request*& request) {
  check_passive(win, target_rank);
  get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
  request = p2p::completed_send();
}

void raccumulate(const void* origin_addr, Count origin_count, Datatype& origin_datatype, int target_rank, Count target_disp,
                 Count target_count, Datatype& target_datatype, Op& op, Win& win, Request*& request) {
  check_passive(win, target_rank);
  accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
  request = p2p::completed_send();
}

void rget_accumulate(const void* origin_addr, Count origin_count, Datatype* origin_datatype, void* result_addr,
                     Count result_count, Datatype& result_datatype, int target_rank, Count target_disp, Count target_count,
                     Datatype& target_datatype, Op& op, Win& win, Request*& request) {
  check_passive(win, target_rank);
  get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
                 target_disp, target_count, target_datatype, op, win);
  request = p2p::completed_send();
}

}  // namespace starling::rma
