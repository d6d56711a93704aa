// What a catalog knows, as far as understanding a query depends on it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "retrieval/filter/filter_row.h"

namespace emptor::retrieval {

/// A value of the catalog in the catalog's own spelling.
struct CatalogValue {
  std::string text;
  size_t records = 0;
};

/// Functions may be empty: then the catalog knows nothing of the kind. They are called from one
/// thread, with folded text.
struct QueryVocabulary {
  std::string currency = "USD";  // of amounts that name none
  std::function<std::optional<CatalogValue>(FilterField, const std::string& folded)> find;
  /// Records whose title, options or attributes own to a term (hybrid/filter_terms.h).
  std::function<size_t(const std::string& term)> mentions;
  /// Whether records have quantities in this base unit, of a property whose name holds `attribute`
  /// (empty: of any), and no fewer than have that property as a number without a unit.
  std::function<bool(const std::string& attribute, const std::string& base)> has_measure;

  std::optional<CatalogValue> Find(FilterField field, const std::string& folded) const {
    return find ? find(field, folded) : std::nullopt;
  }
};

}  // namespace emptor::retrieval
