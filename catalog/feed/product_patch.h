// Changes of single fields: of a PATCH request, an inventory feed or an update.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "catalog/feed/feed_row.h"

namespace emptor::catalog {

/// {"id":"k1","price":{...},"sale_price":null}: the fields that change, as in
/// docs/formats/catalog_jsonl.md; null removes a field (RFC 7396). Objects and arrays replace the
/// stored value as a whole. Errors: kInvalidArgument, message `field: what is wrong`; the values
/// are checked against the rest of the record when the patch is applied and validated. With
/// `lenient`, fields that are unknown, of another type or beyond a limit are repaired or left out,
/// and what is stored stays; an unusable id, title or price is an error all the same.
absl::StatusOr<ProductPatch> PatchFromJson(const JsonValue& value,
                                           LenientReading* lenient = nullptr);

/// Repairs the values of the patch (repair.h); a field of which nothing is left leaves the patch. A
/// description above its limit stays for whoever makes it plain text.
void RepairPatch(ProductPatch& patch, std::vector<FieldProblem>& problems);

/// `product` with the patch's fields. Errors: kInvalidArgument (a field without such a name; "id").
absl::Status ApplyPatch(const ProductPatch& patch, Product& product);

}  // namespace emptor::catalog
