// Candidates from all segments, completed, fused and cut.
#include "retrieval/hybrid/snapshot_search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "retrieval/hybrid/expansion.h"
#include "retrieval/hybrid/fusion.h"
#include "retrieval/hybrid/listing.h"
#include "retrieval/hybrid/rerank.h"
#include "retrieval/hybrid/word_match.h"
#include "retrieval/lexical/phrase.h"
#include "retrieval/lexical/ranked_search.h"

namespace emptor::retrieval {
namespace {

/// The records of a view that the filter keeps; null where that is all of them.
std::shared_ptr<const RecordSet> AllowedRecords(const SegmentView& view,
                                                const CompiledFilter& filter, int64_t now_unix) {
  if (filter.empty()) return view.all_live() ? nullptr : view.live;
  auto allowed = std::make_shared<RecordSet>(view.columns().Select(filter, now_unix));
  if (!view.all_live()) allowed->Intersect(*view.live);
  return allowed;
}

bool ByPlace(const Candidate& a, const Candidate& b) {
  return std::tie(a.segment, a.record) < std::tie(b.segment, b.record);
}

/// Keeps the best `k` by `score`.
void KeepBest(float Candidate::*score, size_t k, std::vector<Candidate>& candidates) {
  if (candidates.size() <= k) return;
  std::sort(candidates.begin(), candidates.end(), [score](const Candidate& a, const Candidate& b) {
    return a.*score != b.*score ? a.*score > b.*score : ByPlace(a, b);
  });
  candidates.resize(k);
}

/// The search of one request, step by step.
class Search {
 public:
  Search(const Snapshot& snapshot, const Analyzer& analyzer, const SnapshotQuery& query, size_t k)
      : views_(snapshot.segments), query_(query), k_(k) {
    const CompiledFilter filter(query.request->filter);
    const std::vector<Phrase> phrases = CompilePhrases(analyzer, query.request->query);
    for (const SegmentView& view : views_) {
      allowed_.push_back(AllowedRecords(view, filter, query.now_unix));
      if (phrases.empty()) continue;
      allowed_.back() = std::make_shared<const RecordSet>(
          MatchPhrases(view.segment->lexical, phrases, allowed_.back().get()));
    }
  }

  void FindByWords(const Analyzer& analyzer) {
    std::vector<const InvertedIndex*> indexes;
    for (const SegmentView& view : views_) indexes.push_back(&view.segment->lexical);
    terms_ = CompileQuery(analyzer, query_.rewritten->text, indexes);
    AddExpansions(query_.rewritten->expansions, indexes, terms_);
    std::vector<Candidate> found;
    for (size_t s = 0; s < views_.size(); ++s) {
      LexicalMatches matches = SearchRanked(*indexes[s], terms_, k_, AllowedIn(s));
      matched_ += matches.matched.count();
      for (const ScoredRecord& hit : matches.best) {
        found.push_back({.segment = s, .record = hit.record, .lexical = hit.score});
      }
      lexical_matches_.push_back(std::move(matches.matched));
    }
    KeepBest(&Candidate::lexical, k_, found);
    Append(found);
  }

  /// What a list shows: every allowed record, or those that hold every word.
  std::vector<RecordSet> FindListed(const Analyzer& analyzer) const {
    std::vector<RecordSet> listed;
    for (size_t s = 0; s < views_.size(); ++s) {
      listed.push_back(allowed_[s] == nullptr ? *views_[s].live : *allowed_[s]);
    }
    if (query_.request->browse) return listed;
    const WordQuery words =
        CompileWords(analyzer, *query_.rewritten, query_.request->query, views_);
    return MatchEveryWord(words, views_, std::move(listed));
  }

  /// The first of a list in their order, with what words score them.
  SearchResult List(const std::vector<RecordSet>& listed, size_t limit) const {
    const SearchRequest& request = *query_.request;
    const ListOrder order{
        .sort = request.sort,
        .currency = request.filter.currency.empty() ? request.currency : request.filter.currency,
        .region = request.filter.region,
        .now_unix = query_.now_unix};
    SearchResult result;
    for (const RecordSet& each : listed) result.matched += each.count();
    for (const ListedRecord& each : ListRecords(views_, listed, order, limit)) {
      const Segment& segment = *views_[each.view].segment;
      result.hits.push_back({.id = segment.ids[each.record]});
      if (request.browse) continue;
      result.hits.back().lexical_score =
          ScoreRecords(segment.lexical, terms_, {&each.record, 1}).front();
    }
    return result;
  }

  absl::Status FindByVector(PathCounts& paths) {
    std::vector<Candidate> found;
    for (size_t s = 0; s < views_.size(); ++s) {
      if (views_[s].live_count == 0) continue;
      const auto matches = views_[s].segment->vectors->Search(query_.vector, k_, AllowedIn(s));
      if (!matches.ok()) return matches.status();
      ++(matches->path == VectorPath::kFaiss ? paths.faiss : paths.exact);
      for (const ScoredRecord& hit : matches->best) {
        if (hit.score <= 0) break;  // unrelated is no match
        found.push_back({.segment = s, .record = hit.record, .vector = hit.score});
      }
    }
    KeepBest(&Candidate::vector, k_, found);
    for (const Candidate& candidate : found) CountIfNew(candidate);
    Append(found);
    return absl::OkStatus();
  }

  void FindByIdentifier() {
    std::vector<Candidate> found;
    for (size_t s = 0; s < views_.size(); ++s) {
      const RecordSet* allowed = AllowedIn(s);
      for (const uint32_t r : views_[s].segment->identifiers.Find(query_.request->query)) {
        if (allowed != nullptr && !allowed->contains(r)) continue;
        found.push_back({.segment = s, .record = r, .identified = true});
        const bool known = std::any_of(candidates_.begin(), candidates_.end(), [&](const auto& c) {
          return c.segment == s && c.record == r;
        });
        if (!known) CountIfNew(found.back());
      }
    }
    Append(found);
  }

  /// One entry a record, each with its score in both searches.
  std::vector<Candidate> TakeCompleted() {
    std::stable_sort(candidates_.begin(), candidates_.end(), ByPlace);
    std::vector<Candidate> merged;
    for (const Candidate& next : candidates_) {
      if (merged.empty() || ByPlace(merged.back(), next)) {
        merged.push_back(next);
      } else {
        merged.back().identified = merged.back().identified || next.identified;
      }
    }
    for (auto begin = merged.begin(); begin != merged.end();) {
      const auto end = std::find_if(begin, merged.end(), [&](const Candidate& candidate) {
        return candidate.segment != begin->segment;
      });
      Complete(std::span(begin, end));
      begin = end;
    }
    return merged;
  }

  size_t matched() const { return matched_; }
  const std::vector<QueryTerm>& terms() const { return terms_; }

 private:
  const RecordSet* AllowedIn(size_t s) const { return allowed_[s].get(); }

  void Append(const std::vector<Candidate>& found) {
    candidates_.insert(candidates_.end(), found.begin(), found.end());
  }

  /// REQUIRES: each record is given once, save those that matched by words.
  void CountIfNew(const Candidate& candidate) {
    const bool by_words =
        !lexical_matches_.empty() && lexical_matches_[candidate.segment].contains(candidate.record);
    if (!by_words) ++matched_;
  }

  /// Computes both scores of candidates of one segment.
  void Complete(std::span<Candidate> candidates) {
    const Segment& segment = *views_[candidates.front().segment].segment;
    std::vector<uint32_t> records;
    for (const Candidate& candidate : candidates) records.push_back(candidate.record);
    const std::vector<float> lexical = ScoreRecords(segment.lexical, terms_, records);
    for (size_t i = 0; i < candidates.size(); ++i) candidates[i].lexical = lexical[i];
    if (query_.vector.empty()) return;
    const QuantizedQuery query(query_.vector);
    for (size_t i = 0; i < candidates.size(); ++i) {
      candidates[i].vector = segment.vectors->rows().Score(query, records[i]);
    }
  }

  const std::vector<SegmentView>& views_;
  const SnapshotQuery& query_;
  const size_t k_;
  std::vector<std::shared_ptr<const RecordSet>> allowed_;  // [views] null: every record
  std::vector<QueryTerm> terms_;
  std::vector<RecordSet> lexical_matches_;  // empty when words were not searched
  std::vector<Candidate> candidates_;
  size_t matched_ = 0;
};

std::vector<RecordSet> SetsOf(const Snapshot& snapshot, std::span<const Candidate> candidates) {
  std::vector<RecordSet> sets;
  for (const SegmentView& view : snapshot.segments) sets.emplace_back(view.segment->size());
  for (const Candidate& each : candidates) sets[each.segment].Insert(each.record);
  return sets;
}

void TellCorrections(const RewrittenQuery& rewritten, SearchResult& result) {
  result.corrections = rewritten.corrections;
  if (!result.corrections.empty()) result.corrected_query = rewritten.text;
}

/// What a list shows that was asked for by words; nothing where no record holds one.
std::optional<SearchResult> ListByWords(const Search& search, const Analyzer& analyzer,
                                        const SnapshotQuery& query, size_t limit) {
  SearchResult result = search.List(search.FindListed(analyzer), limit);
  if (result.matched == 0) return std::nullopt;
  TellCorrections(*query.rewritten, result);
  return result;
}

}  // namespace

absl::StatusOr<SearchResult> SearchSnapshot(const Snapshot& snapshot, const Analyzer& analyzer,
                                            const FusionOptions& fusion, const SnapshotQuery& query,
                                            PathCounts& paths) {
  const SearchRequest& request = *query.request;
  const auto limit = static_cast<size_t>(request.limit);
  Search search(snapshot, analyzer, query,
                std::max(limit, static_cast<size_t>(std::max(fusion.candidates, 1))));
  if (request.browse) return search.List(search.FindListed(analyzer), limit);
  if (request.mode != SearchMode::kVector) search.FindByWords(analyzer);
  const bool sorts = request.sort != SortOrder::kRelevance;
  if (sorts) {
    if (auto listed = ListByWords(search, analyzer, query, limit)) return *std::move(listed);
  }
  if (!query.vector.empty()) {
    if (absl::Status status = search.FindByVector(paths); !status.ok()) return status;
  }
  if (request.mode != SearchMode::kVector) search.FindByIdentifier();

  std::vector<Candidate> candidates = search.TakeCompleted();
  if (sorts) return search.List(SetsOf(snapshot, candidates), limit);
  FusionOptions weights = fusion;
  if (query.vector.empty()) weights.vector_weight = 0;
  if (request.mode == SearchMode::kVector) weights.lexical_weight = 0;
  FuseScores(weights, candidates);
  if (request.mode == SearchMode::kHybrid) {
    const RankingModel* model = request.ranker != nullptr ? request.ranker : query.ranker;
    if (!request.rerank) model = nullptr;
    Rerank(snapshot, search.terms(), model, request.on_features, candidates);
  }
  candidates.resize(std::min(candidates.size(), limit));
  SearchResult result;
  result.matched = search.matched();
  TellCorrections(*query.rewritten, result);
  for (const Candidate& candidate : candidates) {
    result.hits.push_back(
        {.id = snapshot.segments[candidate.segment].segment->ids[candidate.record],
         .score = candidate.fused,
         .lexical_score = candidate.lexical,
         .vector_score = candidate.vector});
  }
  return result;
}

}  // namespace emptor::retrieval
