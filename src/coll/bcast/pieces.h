// SPDX-License-Identifier: BSD-3-Clause
// What the broadcasts by scatter and allgather share: the message cut into pieces, and the scatter down a binomial tree.
#pragma once

#include "coll/packed.h"
#include "coll/tree.h"

namespace starling::coll {

// Pieces first ... last - 1 of the message.
inline Data pieces(const Data& message, const Partition& cut, int first, int last) {
  return message.part(cut.first(first), cut.first(last) - cut.first(first));
}

// Of the processes numbered from the root, those below cut.parts get a piece each; inner ones also those of their children for
// a while.
Task scatter_pieces(Ctx c, Data message, Partition cut, int root);

}  // namespace starling::coll
