// Brings a new generation of a shop up to date with the one that is served: replays the writes that
// came while it was built.
#pragma once

#include "absl/status/status.h"
#include "catalog/product_store.h"
#include "services/shop/shop_parts.h"
#include "services/shop/written_records.h"

namespace emptor::services {

/// Makes each of the records that `delta` names what `served` holds. REQUIRES: the caller holds
/// parts.writes.mutex. Errors: of the stores and the embedder; kResourceExhausted for new text
/// beyond the budget of memory. What was written before the error stays.
absl::Status ReplayDelta(ShopParts& parts, const WrittenRecords& delta,
                         const catalog::ProductStore& served);

}  // namespace emptor::services
