// From an understood message to the sources of its answer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/events/assist_events.h"
#include "services/assistant/reading/asked_needs.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/search/document_finder.h"
#include "services/assistant/search/named_products.h"
#include "services/assistant/types/type_catalog.h"
#include "services/grounding/source.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct RetrieverOptions {
  int max_products = 4;
  int max_documents = 2;
  int considered = 12;  // products among which the question may name one
  /// A message that names no product and no support topic is about the shop, not about goods, when
  /// its best document leads its best product by this: difference of cosines plus `lexical_share`
  /// times the difference of BM25 scores. Chosen on twenty messages, none of them from a test.
  float document_lead = -0.06f;
  float lexical_share = 0.03f;
  /// A document that leads the next one by this (fused score) is the only source.
  float clear_lead = 0.1f;
};

struct RetrievalInput {
  Understanding understanding;
  std::string question;
  retrieval::FilterParts fixed;      // conditions that are never relaxed
  std::vector<std::string> exclude;  // products that the answer should not offer again
  std::shared_ptr<const TypeTable> table = nullptr;  // of understanding.type; null: it names none
  int64_t now_unix = 0;                              // prices to rank by are those payable then
  catalog::Market market = {};
};

struct Retrieved {
  std::vector<Source> sources;                     // products in rank order, then documents
  std::vector<std::string> why;                    // by product
  retrieval::Filter asked;                         // with the attributes that the words name
  retrieval::Filter filter;                        // as it was applied in the end
  std::vector<retrieval::RelaxationStep> relaxed;  // conditions given up because nothing met them
  std::vector<std::string> lacking = {};  // properties that are named and no product found says
  bool leaves_type = false;               // no goods of the type are shown: those of a maker are
  std::string not_sold = {};  // what the shopper asks for and no title names; empty: nothing
  /// The question names these products, or these documents answer it: an answer that uses none of
  /// them misses the question.
  bool must_be_used = false;
  std::optional<size_t> counted = {};  // all records that meet the conditions, if that was asked
  size_t ranked = 0, stating = 0;      // records that a superlative chose from; that state its key
  bool is_about_shown = false;        // the products are those that the question names or refers to
  bool misses_words = false;          // words that are demanded: no product has all of them
  std::optional<int> shop_best = {};  // the source that ranks before those that are referred to
  CacheUse cache = CacheUse::kBypass;  // kHit: an entry of the FAQ is the only source
  NeedReport needs = {};               // what was asked for, and which of it the products meet
};

/// Products come from the product search that serves /v1/search (shop/product_search.h), those that
/// fit only. Thread-safety: any thread. Errors: those of the search and the store.
absl::StatusOr<Retrieved> Retrieve(const ShopReader& shop, const RetrieverOptions& options,
                                   const RetrievalInput& input);

}  // namespace emptor::services
