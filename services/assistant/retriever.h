// From an understood message to the sources of its answer.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/assist_events.h"
#include "services/assistant/query_understanding.h"
#include "services/grounding/source.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct RetrieverOptions {
  int max_products = 4;
  int max_documents = 2;
  int candidates = 40;  // hits looked at
  int considered = 12;  // products among which the question may name one
  /// A record that shares no word with the query must be at least this near in meaning.
  float min_cosine = 0.3f;
  /// A message that names no product and no support topic is about the shop, not about goods, when
  /// its best document leads its best product by this: difference of cosines plus `lexical_share`
  /// times the difference of BM25 scores. Set on twenty messages of our own, none of them a test's.
  float document_lead = -0.06f;
  float lexical_share = 0.03f;
  /// A document this far ahead of the next one (fused score) stands alone.
  float clear_lead = 0.1f;
};

struct RetrievalInput {
  Understanding understanding;
  std::string question;
  retrieval::FilterParts fixed;      // conditions that are never relaxed
  std::vector<std::string> exclude;  // products that the answer should not offer again
};

struct Retrieved {
  std::vector<Source> sources;                     // products in rank order, then documents
  std::vector<std::string> why;                    // by product
  retrieval::Filter filter;                        // as it was applied in the end
  std::vector<retrieval::RelaxationStep> relaxed;  // conditions given up because nothing met them
  /// The question names these products, or these documents answer it: an answer that rests on none
  /// of the sources has missed them.
  bool must_be_used = false;
};

/// Thread-safety: any thread. Errors: those of the search and the store.
absl::StatusOr<Retrieved> Retrieve(const ShopReader& shop, const RetrieverOptions& options,
                                   const RetrievalInput& input);

/// Keeps the products that the question names, when it names one (two, for a comparison) clearly
/// better than the others: a model that sees one product cannot mistake it for another. Gives
/// whether it did. Pure.
bool FocusOnNamed(const Understanding& understanding, const std::string& question,
                  std::vector<Source>& products);

}  // namespace emptor::services
