// One record of a feed, independent of the format.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "catalog/product.h"
#include "catalog/product_json.h"
#include "catalog/repair.h"

namespace emptor::catalog {

/// A part of a row that was repaired or left out, or why the row is unusable.
using FeedProblem = FieldProblem;

/// Changes of some fields of a product; the other fields keep their stored values.
struct ProductPatch {
  Product values;                   // the id, and what `fields` names
  std::vector<std::string> fields;  // names of catalog_jsonl.md: "price", "availability"
};

/// std::monostate: the row is unusable.
using FeedRecord = std::variant<std::monostate, Product, ProductPatch, Document, RecordDeletion>;

/// One record of a feed. Invariant: every row of the feed that is not blank belongs to exactly one
/// FeedRow, so that each has a result. A row with several variants gives one FeedRow for each,
/// consecutive, with the same lines, all but the last with `more`.
struct FeedRow {
  uint64_t line = 0;      // where it begins, from 1
  uint64_t end_line = 0;  // where it ends; a record may span many
  /// Offset of its end in the decompressed feed, after conversion to UTF-8 and repairs of XML
  /// references.
  uint64_t end_offset = 0;
  bool more =
      false;  // the next FeedRow is of the same lines; an import cannot resume after this one
  /// The field of an amount that names no currency where no default is set; empty: none.
  std::string lacks_currency = {};
  std::string id;  // empty if the row has none
  FeedRecord record;
  /// Why the record is unusable; otherwise what was repaired or left out.
  std::vector<FeedProblem> problems;
  /// The text of the row, cut at kMaxRawBytes: always of an unusable row, of others where it is at
  /// hand.
  std::string raw;

  static constexpr size_t kMaxRawBytes = 64u << 10;
};

}  // namespace emptor::catalog
