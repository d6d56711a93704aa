// A set of records as a FAISS filter.
#pragma once

#include <faiss/impl/IDSelector.h>

#include "retrieval/record_set.h"

namespace emptor::retrieval {

/// Selects the members of `set`. The indexes of this folder recognise the type and read the bitmap
/// itself, without a virtual call a record. Lifetime: `set` outlives it.
struct RecordSelector final : faiss::IDSelector {
  explicit RecordSelector(const RecordSet& set_in) : set(set_in) {}

  bool is_member(idx_t id) const override {
    return id >= 0 && static_cast<size_t>(id) < set.size() &&
           set.contains(static_cast<uint32_t>(id));
  }

  const RecordSet& set;
};

}  // namespace emptor::retrieval
