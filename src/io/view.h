// SPDX-License-Identifier: BSD-3-Clause
// FileView: which bytes of a file a process sees (MPI 5.0 section 14.3). The data of the filetype, repeated without end from
// the displacement on, is numbered by its position: 0 is the first byte that the process sees. Positions count bytes as they
// are in the file; an offset, in this folder, is a place in the file.
#pragma once

#include "datatype/datatype.h"
#include "datatype/walk.h"

namespace starling::io {

class FileView {
 public:
  FileView();  // all bytes of the file, the etype is a byte
  // `tile` is the filetype and `etype_bytes` the size of the etype as they are in the file.
  FileView(Count displacement, Ref<Datatype> tile, Count etype_bytes);

  Count displacement() const { return displacement_; }
  Count etype_bytes() const { return etype_bytes_; }
  bool empty() const { return tile_->size == 0; }
  // Positions follow each other in the file without gaps.
  bool contiguous() const { return tile_->contiguous; }
  // A larger position is a larger offset.
  bool ordered() const { return ordered_; }

  // How long the contiguous pieces are, on average.
  Count piece_bytes() const;

  Count offset(Count position) const;
  // How many positions lie before an offset. For an ordered view.
  Count positions_before(Count offset) const;

  // Calls visit(offset, bytes) for each contiguous piece of the file that holds positions [position, position + bytes), in
  // order, neighbours merged, until it returns false.
  template <class Visit>
  void for_each_piece(Count position, Count bytes, Visit&& visit) const {
    Pieces<Visit> pieces(visit);
    walk(position, bytes, pieces);
    pieces.flush();
  }
  // The same with a visitor of datatype/walk.h, which gets offsets as addresses.
  template <class Visitor>
  void walk(Count position, Count bytes, Visitor& visitor) const {
    datatype::walk(reinterpret_cast<const void*>(displacement_), *tile_, position, bytes, visitor);
  }

 private:
  template <class Visit>
  class Pieces {
   public:
    explicit Pieces(Visit& visit) : visit_(visit) {}
    void run(datatype::Address at, Count bytes) {
      if (at != offset_ + bytes_) {
        flush();
        offset_ = at;
        bytes_ = 0;
      }
      bytes_ += bytes;
    }
    void strided(datatype::Address at, Count count, Count stride, Count bytes) {
      for (Count i = 0; i < count && !full(); ++i) run(at + i * stride, bytes);
    }
    bool full() const { return stopped_; }
    void flush() {
      if (bytes_ > 0 && !stopped_) stopped_ = !visit_(offset_, bytes_);
      bytes_ = 0;
    }

   private:
    Visit& visit_;
    Count offset_ = 0, bytes_ = 0;
    bool stopped_ = false;
  };

  Count displacement_ = 0;
  Ref<Datatype> tile_;
  Count etype_bytes_ = 1;
  bool ordered_ = true;
};

// Whether the data of one element of the type lies in the order of its addresses, without overlap.
bool ordered(const Datatype& type);

}  // namespace starling::io
