// Candidates from all segments: found, scored, fused, post-ranked.
#include "retrieval/hybrid/snapshot_search.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "retrieval/hybrid/expansion.h"
#include "retrieval/hybrid/fusion.h"
#include "retrieval/hybrid/post_ranking.h"
#include "retrieval/hybrid/sorted_retrieval.h"
#include "retrieval/hybrid/word_match.h"
#include "retrieval/hybrid/word_trust.h"
#include "retrieval/lexical/phrase.h"
#include "retrieval/lexical/ranked_search.h"

namespace emptor::retrieval {
namespace {

/// Upper bound of the candidates of each search when variants are grouped.
constexpr size_t kMaxCandidates = 1 << 14;
/// Of the records found by words, those that may show how many of the words one record has.
constexpr size_t kCoverageRecords = 10;

/// The records of a view that pass the filter; null when all do.
std::shared_ptr<const RecordSet> AllowedRecords(const SegmentView& view,
                                                const CompiledFilter& filter, int64_t now_unix) {
  if (filter.empty()) return view.all_live() ? nullptr : view.live;
  auto allowed = std::make_shared<RecordSet>(view.columns().Select(filter, now_unix));
  if (!view.all_live()) allowed->Intersect(*view.live);
  return allowed;
}

/// Of `allowed` (null: the live ones) the records with one of the ids.
std::shared_ptr<const RecordSet> AllowedAmong(const SegmentView& view,
                                              const std::unordered_set<std::string>& ids,
                                              const std::shared_ptr<const RecordSet>& allowed) {
  auto among = std::make_shared<RecordSet>(view.segment->size());
  for (const std::string& id : ids) {
    const auto record = view.segment->Find(id);
    const bool is_allowed = record && (allowed == nullptr || allowed->contains(*record));
    if (is_allowed) among->Insert(*record);
  }
  return among;
}

/// Of `allowed` (null: the live ones) the records with none of the ids.
std::shared_ptr<const RecordSet> AllowedBut(const SegmentView& view,
                                            const std::unordered_set<std::string>& ids,
                                            const std::shared_ptr<const RecordSet>& allowed) {
  auto others = std::make_shared<RecordSet>(allowed == nullptr ? *view.live : *allowed);
  for (const std::string& id : ids) {
    if (const auto record = view.segment->Find(id)) others->Erase(*record);
  }
  return others;
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

/// The steps of one search.
class Search {
 public:
  Search(const Snapshot& snapshot, const Analyzer& analyzer, const SnapshotQuery& query, size_t k)
      : views_(snapshot.segments), query_(query), k_(k) {
    const CompiledFilter filter(query.request->filter);
    const std::vector<Phrase> phrases = CompilePhrases(analyzer, query.request->quoting());
    for (const SegmentView& view : views_) {
      allowed_.push_back(AllowedRecords(view, filter, query.now_unix));
      if (const auto* const only = query.request->only) {
        allowed_.back() = AllowedAmong(view, *only, allowed_.back());
      }
      if (const auto* const except = query.request->except) {
        allowed_.back() = AllowedBut(view, *except, allowed_.back());
      }
      if (phrases.empty()) continue;
      allowed_.back() = std::make_shared<const RecordSet>(
          MatchPhrases(view.segment->lexical, phrases, allowed_.back().get()));
    }
  }

  void FindByWords(const Analyzer& analyzer, float expansions) {
    std::vector<const InvertedIndex*> indexes;
    for (const SegmentView& view : views_) indexes.push_back(&view.segment->lexical);
    terms_ = Expand(CompileQuery(analyzer, query_.rewritten->text, indexes),
                    query_.rewritten->expansions, expansions, indexes);
    std::vector<Candidate> found;
    for (size_t s = 0; s < views_.size(); ++s) {
      LexicalMatches matches = SearchRanked(*indexes[s], terms_.terms, k_, AllowedIn(s));
      matched_ += matches.matched.count();
      for (const ScoredRecord& hit : matches.best) {
        found.push_back({.segment = s, .record = hit.record, .lexical = hit.score});
      }
      lexical_matches_.push_back(std::move(matches.matched));
    }
    may_have_more_ = may_have_more_ || found.size() >= k_;
    KeepBest(&Candidate::lexical, k_, found);
    FindCoverage(analyzer, indexes, found);
    Append(found);
  }

  /// The records of a sorted result: every allowed record, or those that have every word.
  std::vector<RecordSet> FindMatching(const Analyzer& analyzer) const {
    std::vector<RecordSet> matching;
    for (size_t s = 0; s < views_.size(); ++s) {
      matching.push_back(allowed_[s] == nullptr ? *views_[s].live : *allowed_[s]);
    }
    if (query_.request->browse) return matching;
    const WordQuery words =
        CompileWords(analyzer, *query_.rewritten, query_.request->quoting(), views_);
    return MatchEveryWord(words, views_, std::move(matching));
  }

  /// The first k of `matching` in the requested order, with their lexical scores.
  std::vector<Candidate> TakeSorted(const std::vector<RecordSet>& matching) {
    const SearchRequest& request = *query_.request;
    const SortCriteria order{
        .sort = request.sort,
        .currency = request.filter.currency.empty() ? request.currency : request.filter.currency,
        .region = request.filter.region,
        .now_unix = query_.now_unix};
    matched_ = 0;
    for (const RecordSet& each : matching) matched_ += each.count();
    std::vector<Candidate> list;
    for (const SortedRecord& each : RetrieveSorted(views_, matching, order, k_)) {
      list.push_back({.segment = each.view, .record = each.record});
      if (request.browse) continue;
      const InvertedIndex& index = views_[each.view].segment->lexical;
      list.back().lexical = ScoreConcepts(index, terms_, {&each.record, 1}).front();
    }
    may_have_more_ = matched_ > list.size();
    return list;
  }

  absl::Status FindByVector(PathCounts& paths) {
    std::vector<Candidate> found;
    for (size_t s = 0; s < views_.size(); ++s) {
      if (views_[s].live_count == 0) continue;
      const auto matches = views_[s].segment->vectors->Search(query_.vector, k_, AllowedIn(s));
      if (!matches.ok()) return matches.status();
      ++(matches->path == VectorPath::kFaiss ? paths.faiss : paths.scan);
      for (const ScoredRecord& hit : matches->best) {
        if (hit.score <= 0) break;  // unrelated: not a match
        found.push_back({.segment = s, .record = hit.record, .vector = hit.score});
      }
    }
    may_have_more_ = may_have_more_ || found.size() >= k_;
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
        if (!IsCandidate(found.back())) CountIfNew(found.back());
      }
    }
    Append(found);
  }

  /// Pinned records are candidates of any query, if they pass the filter.
  void FindPinned() {
    if (query_.request->merchandising == nullptr || query_.request->sort != SortOrder::kRelevance)
      return;
    std::vector<Candidate> found;
    for (const std::string& id : query_.request->merchandising->pinned) {
      for (size_t s = 0; s < views_.size(); ++s) {
        const auto record = views_[s].segment->Find(id);
        if (!record || !IsAllowed(s, *record)) continue;
        const auto place = static_cast<uint32_t>(found.size() + 1);
        found.push_back({.segment = s, .record = *record, .pinned = place});
        const bool is_counted = query_.request->browse || IsCandidate(found.back());
        if (!is_counted) CountIfNew(found.back());
      }
    }
    Append(found);
  }

  /// Adds the variants of the hit's item group that pass the filter.
  void CountVariants(const Candidate& candidate, Hit& hit) const {
    hit.group = views_[candidate.segment].segment->groups.group(candidate.record);
    if (hit.group == 0) return;
    for (size_t s = 0; s < views_.size(); ++s) {
      const Segment& segment = *views_[s].segment;
      for (const uint32_t record : segment.groups.members(hit.group)) {
        if (IsAllowed(s, record)) hit.variant_ids.push_back(segment.ids[record]);
      }
    }
    hit.variants = hit.variant_ids.size();
    std::sort(hit.variant_ids.begin(), hit.variant_ids.end());
    if (hit.variants > kMaxVariantIds) hit.variant_ids.resize(kMaxVariantIds);
  }

  /// One candidate for each record, with its score in both searches.
  std::vector<Candidate> TakeCompleted() {
    std::stable_sort(candidates_.begin(), candidates_.end(), ByPlace);
    std::vector<Candidate> merged;
    for (const Candidate& next : candidates_) {
      if (merged.empty() || ByPlace(merged.back(), next)) {
        merged.push_back(next);
      } else {
        merged.back().identified = merged.back().identified || next.identified;
        merged.back().pinned = std::max(merged.back().pinned, next.pinned);
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

  /// The share of the query's words that the best of the records found by words has; 1 where words
  /// were not searched.
  float coverage() const { return coverage_; }
  size_t matched() const { return matched_; }
  /// True when a greater k could find more records.
  bool may_have_more() const { return may_have_more_; }

 private:
  /// Of the best records of each segment.
  void FindCoverage(const Analyzer& analyzer, std::span<const InvertedIndex* const> indexes,
                    std::vector<Candidate> found) {
    const auto words = WordsOfQuery(analyzer, *query_.rewritten, terms_, indexes);
    KeepBest(&Candidate::lexical, kCoverageRecords, found);
    coverage_ = words.empty() ? 1 : 0;
    for (const Candidate& candidate : found) {
      const float share =
          BestCoverage(*indexes[candidate.segment], terms_, words, {&candidate.record, 1});
      coverage_ = std::max(coverage_, share);
    }
  }

  const RecordSet* AllowedIn(size_t s) const { return allowed_[s].get(); }
  bool IsAllowed(size_t s, uint32_t record) const {
    return allowed_[s] == nullptr || allowed_[s]->contains(record);
  }

  bool IsCandidate(const Candidate& wanted) const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& candidate) {
      return candidate.segment == wanted.segment && candidate.record == wanted.record;
    });
  }

  void Append(const std::vector<Candidate>& found) {
    candidates_.insert(candidates_.end(), found.begin(), found.end());
  }

  /// REQUIRES: each record is passed once, except those that matched by words.
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
    const std::vector<float> lexical = ScoreConcepts(segment.lexical, terms_, records);
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
  ExpandedQuery terms_;
  std::vector<RecordSet> lexical_matches_;  // empty when words were not searched
  std::vector<Candidate> candidates_;
  float coverage_ = 1;
  size_t matched_ = 0;
  bool may_have_more_ = false;
};

/// Every record that passes the filter, and the pinned ones wherever they are in the order.
std::vector<Candidate> Browse(const Analyzer& analyzer, Search& search) {
  search.FindPinned();
  std::vector<Candidate> pinned = search.TakeCompleted();
  std::vector<Candidate> list = search.TakeSorted(search.FindMatching(analyzer));
  for (const Candidate& each : pinned) {
    const auto is_same = [&](const Candidate& matching) {
      return matching.segment == each.segment && matching.record == each.record;
    };
    const auto found = std::find_if(list.begin(), list.end(), is_same);
    if (found != list.end()) {
      found->pinned = each.pinned;
    } else {
      list.push_back(each);
    }
  }
  return list;
}

/// The records that words and vector find, by their fused scores.
absl::StatusOr<std::vector<Candidate>> Rank(const Snapshot& snapshot, const Analyzer& analyzer,
                                            const FusionOptions& fusion, const SnapshotQuery& query,
                                            Search& search, PathCounts& paths) {
  const SearchRequest& request = *query.request;
  if (request.mode != SearchMode::kVector) search.FindByWords(analyzer, fusion.expansions);
  if (!query.vector.empty()) {
    if (absl::Status status = search.FindByVector(paths); !status.ok()) return status;
  }
  if (request.mode != SearchMode::kVector) search.FindByIdentifier();
  search.FindPinned();
  std::vector<Candidate> candidates = search.TakeCompleted();
  FusionOptions weights = fusion;
  if (query.vector.empty()) weights.vector_weight = 0;
  if (request.mode == SearchMode::kVector) weights.lexical_weight = 0;
  const float full = weights.trusted_coverage;
  const float trust = full > 0 ? std::min(1.0f, search.coverage() / full) : 1.0f;
  FuseScores(weights, trust, candidates);
  ApplyPopularityAndStock(snapshot, weights, candidates);
  return candidates;
}

std::vector<RecordSet> SetsOf(const Snapshot& snapshot, std::span<const Candidate> candidates) {
  std::vector<RecordSet> sets;
  for (const SegmentView& view : snapshot.segments) sets.emplace_back(view.segment->size());
  for (const Candidate& each : candidates) sets[each.segment].Insert(each.record);
  return sets;
}

/// The records that have every word, in the requested order; when there is none, those that the
/// vector search finds.
absl::StatusOr<std::vector<Candidate>> Sort(const Snapshot& snapshot, const Analyzer& analyzer,
                                            const FusionOptions& fusion, const SnapshotQuery& query,
                                            Search& search, PathCounts& paths) {
  const bool by_words = query.request->mode != SearchMode::kVector;
  if (by_words) {
    search.FindByWords(analyzer, fusion.expansions);
    std::vector<Candidate> list = search.TakeSorted(search.FindMatching(analyzer));
    if (!list.empty()) return list;
  }
  if (!query.vector.empty()) {
    if (absl::Status status = search.FindByVector(paths); !status.ok()) return status;
  }
  if (by_words) search.FindByIdentifier();
  return search.TakeSorted(SetsOf(snapshot, search.TakeCompleted()));
}

absl::StatusOr<std::vector<Candidate>> FindInOrder(const Snapshot& snapshot,
                                                   const Analyzer& analyzer,
                                                   const FusionOptions& fusion,
                                                   const SnapshotQuery& query, Search& search,
                                                   PathCounts& paths) {
  if (query.request->browse) return Browse(analyzer, search);
  const auto find = query.request->sort == SortOrder::kRelevance ? Rank : Sort;
  return find(snapshot, analyzer, fusion, query, search, paths);
}

SearchResult ResultOf(const Snapshot& snapshot, const SnapshotQuery& query, const Search& search,
                      const std::vector<Candidate>& candidates) {
  SearchResult result;
  result.matched = search.matched();
  if (!query.request->browse) result.corrections = query.rewritten->corrections;
  if (!result.corrections.empty()) result.corrected_query = query.rewritten->text;
  for (const Candidate& candidate : candidates) {
    Hit hit{.id = snapshot.segments[candidate.segment].segment->ids[candidate.record],
            .score = candidate.fused,
            .lexical_score = candidate.lexical,
            .vector_score = candidate.vector,
            .pinned = candidate.pinned > 0};
    if (query.request->group_variants) search.CountVariants(candidate, hit);
    result.hits.push_back(std::move(hit));
  }
  return result;
}

}  // namespace

absl::StatusOr<SearchResult> SearchSnapshot(const Snapshot& snapshot, const Analyzer& analyzer,
                                            const FusionOptions& own, const SnapshotQuery& query,
                                            PathCounts& paths) {
  const SearchRequest& request = *query.request;
  const FusionOptions& fusion = request.fusion != nullptr ? *request.fusion : own;
  const auto limit = static_cast<size_t>(request.limit);
  const bool is_own_order = request.sort == SortOrder::kRelevance;
  for (size_t k = std::max(limit, static_cast<size_t>(std::max(fusion.candidates, 1)));; k *= 4) {
    Search search(snapshot, analyzer, query, k);
    auto candidates = FindInOrder(snapshot, analyzer, fusion, query, search, paths);
    if (!candidates.ok()) return candidates.status();
    if (is_own_order && request.merchandising != nullptr) {
      ApplyMerchandising(snapshot, *request.merchandising, *candidates);
    }
    if (request.group_variants) {
      KeepBestVariants(snapshot, *candidates);
      const bool is_short = candidates->size() < limit && search.may_have_more();
      if (is_short && k < kMaxCandidates) continue;  // variants took up many candidates
    }
    if (is_own_order && !request.browse) Diversify(snapshot, request.diversity, *candidates);
    candidates->resize(std::min(candidates->size(), limit));
    return ResultOf(snapshot, query, search, *candidates);
  }
}

std::vector<std::string> MatchingIds(const Snapshot& snapshot, const Analyzer& analyzer,
                                     const SnapshotQuery& query) {
  const std::vector<RecordSet> matching =
      Search(snapshot, analyzer, query, 0).FindMatching(analyzer);
  std::vector<std::string> ids;
  for (size_t s = 0; s < matching.size(); ++s) {
    const std::vector<std::string>& all = snapshot.segments[s].segment->ids;
    matching[s].ForEach([&](uint32_t record) { ids.push_back(all[record]); });
  }
  return ids;
}

}  // namespace emptor::retrieval
