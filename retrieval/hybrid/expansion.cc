// Weights by document frequency.
#include "retrieval/hybrid/expansion.h"

#include <algorithm>
#include <memory>

namespace emptor::retrieval {
namespace {

/// Records of all `segments` together that have the term.
uint64_t CountRecords(std::string_view term, std::span<const InvertedIndex* const> segments) {
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->document_frequency(term);
  return records;
}

}  // namespace

RewrittenQuery RewriteForSearch(const ShopWords* words, const SearchRequest& request,
                                const Snapshot& snapshot) {
  if (words == nullptr || request.mode == SearchMode::kVector) return {.text = request.query};
  std::vector<const InvertedIndex*> segments;
  bool names_record = false;
  for (const SegmentView& view : snapshot.segments) {
    segments.push_back(&view.segment->lexical);
    names_record = names_record || !view.segment->identifiers.Find(request.query).empty();
  }
  const std::shared_ptr<const WordBook> book = words->book();
  return book->rewriter().Rewrite(
      {.query = request.query,
       .language = request.language,
       .correct = request.correct && !names_record},
      *words->synonyms(), [&](std::string_view term) { return CountRecords(term, segments); });
}

void AddExpansions(std::span<const Expansion> expansions,
                   std::span<const InvertedIndex* const> segments, std::vector<QueryTerm>& terms) {
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->record_count();
  for (const Expansion& expansion : expansions) {
    const uint64_t own = CountRecords(expansion.term, segments);
    if (own == 0) continue;
    const uint64_t of = expansion.of.empty() ? 0 : CountRecords(expansion.of, segments);
    const float weight = expansion.factor * ComputeIdf(records, std::max(own, of));
    const auto known = std::find_if(terms.begin(), terms.end(), [&](const QueryTerm& term) {
      return term.text == expansion.term;
    });
    if (known == terms.end()) {
      terms.push_back({expansion.term, weight});
    } else {
      known->weight = std::max(known->weight, weight);
    }
  }
}

}  // namespace emptor::retrieval
