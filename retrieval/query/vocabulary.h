// The view of the catalog that query understanding reads.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "retrieval/filter/filter_row.h"

namespace emptor::retrieval {

/// A value in the spelling of the catalog.
struct CatalogValue {
  std::string text;
  size_t records = 0;
};

/// An empty function means that the catalog has no such values. Functions are called from one
/// thread, with folded text.
struct QueryVocabulary {
  std::string currency = "USD";  // of amounts without a currency
  std::function<std::optional<CatalogValue>(FilterField, const std::string& folded)> find;
  /// Number of records that claim a term (filter/filter_terms.h).
  std::function<size_t(const std::string& term)> mentions;
  /// True when records state quantities in this base unit for an attribute whose name contains
  /// `attribute` (empty: any), and at least as many as state it as a number without a unit.
  std::function<bool(const std::string& attribute, const std::string& base)> has_measure;

  std::optional<CatalogValue> Find(FilterField field, const std::string& folded) const {
    return find ? find(field, folded) : std::nullopt;
  }
};

}  // namespace emptor::retrieval
