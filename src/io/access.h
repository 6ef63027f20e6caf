// SPDX-License-Identifier: BSD-3-Clause
// Access: one transfer between memory and a file, from its check to its status. How the bytes move is said in transfer.h (by
// this process alone) and collective.h (by all together).
#pragma once

#include <memory>

#include "base/error.h"
#include "coll/data.h"
#include "io/file.h"
#include "object/status.h"

namespace starling::io {

enum class Direction { kRead, kWrite };

struct Access {
  // Throws if the file does not permit it or its view does not fit. Data to be written is converted here if need be.
  Access(File& f, Direction d, void* buffer, Count count, Datatype& type);

  bool writes() const { return direction == Direction::kWrite; }
  Count etypes() const { return file->view.etype_bytes() > 0 ? bytes / file->view.etype_bytes() : 0; }
  // Begins at this number of etypes from the start of the view.
  void place(Count etype);
  // How many etypes the access got to, a partial one counted.
  Count reached() const;
  // The range of the file that the access lies in; the whole file if the view is not ordered. Not for an empty one.
  Count first_offset() const;
  Count end_offset() const;

  // After the bytes have moved: converts what was read. Throws `error` if there is one.
  void finish();
  Status status() const;

  Ref<File> file;
  Direction direction;
  bool ordered = false;       // the place is still to be agreed on, in the order of the ranks
  Count position = 0;         // in the view, of the first byte
  Count bytes = 0;            // as they are in the file
  coll::Data memory;          // those bytes: the user's data, or `converted`
  Count moved = 0;            // so many of the bytes, from the first on
  Error error{kSuccess, {}};  // the first that was met where others must not be left waiting

 private:
  bool is_converted() const { return !file->how->native(); }

  Ref<Datatype> type_;
  void* buffer_;
  std::unique_ptr<std::byte[]> converted_;
};

}  // namespace starling::io
