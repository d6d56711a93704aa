// The product search of a shop on disk: opened as it was saved and brought up to date with the
// store, or built from the records; saved while searches and writes go on.
#pragma once

#include "absl/status/status.h"
#include "services/shop/shop_parts.h"

namespace emptor::services {

/// Sets parts.products and parts.profile, and restores parts.words where they were saved. Builds
/// the index when none is saved or when more than half of the products have changed since; embeds
/// only texts without a stored vector of this embedder. Errors: of the store and the embedder; of
/// HybridSearcher::Build.
absl::Status OpenIndex(ShopParts& parts);

/// Takes no lock for long. One call at a time. Errors: kFailedPrecondition (the search does not
/// show what the store holds), of the store, kUnavailable (file system).
absl::Status SaveIndex(ShopParts& parts);

/// True when the saved index shows what the store holds now.
bool IsIndexSaved(ShopParts& parts);

}  // namespace emptor::services
