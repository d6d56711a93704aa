// Tells new prices from changes that may alter what a search finds.
#pragma once

#include "catalog/import/importer.h"
#include "catalog/product_store.h"

namespace emptor::services {

/// True when the batch only changes list and sale prices, their dates and `updated_at` of products
/// that the store holds with a price in the same currency: the filters on prices and what ranks by
/// them are all that may find something else. False where a record cannot be read. Reads each
/// record of the batch up to the first other change.
bool ChangesPricesAlone(const catalog::ProductStore& stored, const catalog::ImportBatch& batch);

}  // namespace emptor::services
