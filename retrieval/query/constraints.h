// Query understanding: conditions on the records, and the remaining search text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval {

struct QueryConstraints {
  Filter filter;
  std::optional<catalog::Money> budget;  // the amount that the shopper named as a limit
  /// The query without the words that only state a condition ("under 200", "not sony"). Words that
  /// also describe the product (brand, colour, category) stay. May be empty.
  std::string search_text;
};

struct ConstraintOptions {
  /// A word is read as a brand when at least this share of the records that mention it are of that
  /// brand: "Apple" is a brand in an electronics shop, "Home" is not.
  double min_brand_share = 0.3;
};

/// Reads price, measures, rating, stock, store, condition, negations, brand, colour, size and
/// category, in that order; a word is part of one condition at most. English first, then German,
/// French, Spanish and Chinese for price, negation and stock. `tokens` are those of `message`.
/// Pure, linear in the message. Rules only, no model.
QueryConstraints ReadConstraints(const std::vector<QueryToken>& tokens, std::string_view message,
                                 const QueryVocabulary& vocabulary,
                                 const ConstraintOptions& options = {});

/// The same for a text. Control and format characters count as blanks.
QueryConstraints ReadConstraints(std::string_view text, const QueryVocabulary& vocabulary,
                                 const ConstraintOptions& options = {});

}  // namespace emptor::retrieval
