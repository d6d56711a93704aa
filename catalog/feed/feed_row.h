// What a feed says of one record, whatever the format of the feed.
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

/// Some fields of a product; the others stay as they are stored.
struct ProductPatch {
  Product values;                   // the id, and what `fields` names
  std::vector<std::string> fields;  // names of catalog_jsonl.md: "price", "availability"
};

/// Nothing: the row is unusable.
using FeedRecord = std::variant<std::monostate, Product, ProductPatch, Document, RecordDeletion>;

/// One record of a feed. Invariant: every row of the feed that is not blank belongs to exactly one
/// FeedRow, so that each can be accounted for; or, when it holds a product with several variants,
/// to one for each of them, which follow each other with the same lines, all but the last with
/// `more`.
struct FeedRow {
  uint64_t line = 0;      // where it begins, from 1
  uint64_t end_line = 0;  // where it ends; a record may stretch over many
  /// Bytes of the unpacked feed up to its end; of one that is not UTF-8, of the converted text.
  uint64_t end_offset = 0;
  bool more = false;  // the next FeedRow is of the same lines; no place to resume behind
  /// The field of an amount that names no currency where no default is set; empty: none.
  std::string lacks_currency = {};
  std::string id;  // empty when the row does not tell it
  FeedRecord record;
  /// Why the record is unusable; else what was left out of it, which is reported and not guessed.
  std::vector<FeedProblem> problems;
  /// The feed's own bytes, cut at kMaxRawBytes: of an unusable row; of others where they cost
  /// nothing.
  std::string raw;

  static constexpr size_t kMaxRawBytes = 64u << 10;
};

}  // namespace emptor::catalog
