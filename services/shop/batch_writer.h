// Writes batches of records to a shop: durable first, then visible.
#pragma once

#include "absl/status/status.h"
#include "catalog/import/importer.h"
#include "services/shop/record_embedder.h"
#include "services/shop/shop_parts.h"

namespace emptor::services {

// REQUIRES of each function: the caller holds parts.writes.mutex.

/// To be called before a series of writes. Reopens a store that stopped because the disk was full,
/// and shows what is stored of writes that failed. Errors: kAborted (the shop is retired),
/// kResourceExhausted (the disk is still full), of the store and the embedder.
absl::Status ResumeWrites(ShopParts& parts);

/// Embeds new text, stores the batch, then shows it to searches. Errors: kAborted (the shop is
/// retired), kResourceExhausted (new text beyond the budget of memory), of the store and the
/// embedder; the batch is then stored whole or not at all.
absl::Status WriteBatch(ShopParts& parts, catalog::ImportBatch& batch,
                        const KnownVectors& known = {});

/// OK when the search shows all that the store holds.
absl::Status CheckInStep(const ShopParts& parts);

}  // namespace emptor::services
