// How a shop's budget of memory is shared out.
#pragma once

#include <cstddef>

#include "catalog/product_store.h"

namespace emptor::services {

/// The storage's caches within a budget: a sixteenth of it each, at most the store's default sizes.
/// A budget of 0 keeps the defaults.
catalog::StoreOptions StoreWithin(size_t memory_bytes);

/// What a store of these sizes takes when its caches are full: one write buffer is filled while
/// another is written.
size_t StoreBytes(const catalog::StoreOptions& options);

}  // namespace emptor::services
