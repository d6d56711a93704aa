// Exhaustive scoring and MaxScore.
#include "retrieval/lexical/ranked_search.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/container/flat_hash_set.h"

namespace emptor::retrieval {
namespace {

// From here on skipping saves more than the random access that it costs.
constexpr size_t kPrunedFromRecords = 65536;

/// A posting list under way, with the factor that turns its impacts into scores.
struct Cursor {
  PostingList list;
  float unit = 0;   // idf * impact_unit
  float bound = 0;  // greatest score in the list
  size_t at = 0;

  bool done() const { return at == list.records.size(); }
  uint32_t record() const { return list.records[at]; }
  float score() const { return unit * static_cast<float>(list.impacts[at]); }

  /// Moves to the first record >= target: doubling steps, then bisection.
  void SeekTo(uint32_t target) {
    size_t low = at;
    size_t step = 1;
    while (low + step < list.records.size() && list.records[low + step] < target) {
      low += step;
      step *= 2;
    }
    const size_t high = std::min(low + step + 1, list.records.size());
    at = static_cast<size_t>(std::lower_bound(list.records.begin() + static_cast<ptrdiff_t>(low),
                                              list.records.begin() + static_cast<ptrdiff_t>(high),
                                              target) -
                             list.records.begin());
  }
};

/// One cursor for each term that occurs, the most promising first. Both searches add scores in this
/// order, which makes their sums equal to the last bit.
std::vector<Cursor> OpenCursors(const InvertedIndex& index, std::span<const QueryTerm> query) {
  std::vector<Cursor> cursors;
  for (const QueryTerm& term : query) {
    const auto list = index.Find(term.text);
    if (!list) continue;
    const float unit = term.weight * index.impact_unit();
    cursors.push_back({*list, unit, unit * static_cast<float>(list->max_impact), 0});
  }
  std::stable_sort(cursors.begin(), cursors.end(),
                   [](const Cursor& a, const Cursor& b) { return a.bound > b.bound; });
  return cursors;
}

RecordSet FindMatched(std::span<const Cursor> cursors, size_t records, const RecordSet* allowed) {
  RecordSet matched(records);
  for (const Cursor& cursor : cursors) {
    for (const uint32_t record : cursor.list.records) matched.Insert(record);
  }
  if (allowed != nullptr) matched.Intersect(*allowed);
  return matched;
}

/// bounds[i]: the most that cursors i, i+1, ... can add together, with room for rounding.
std::vector<float> SuffixBounds(std::span<const Cursor> cursors) {
  std::vector<float> bounds(cursors.size() + 1, 0.0f);
  for (size_t i = cursors.size(); i-- > 0;) {
    bounds[i] = (bounds[i + 1] + cursors[i].bound) * (1.0f + 1e-5f);
  }
  return bounds;
}

/// MaxScore. Cursors [0, essential) are walked; the others are only asked about records found
/// there.
std::vector<ScoredRecord> WalkEssential(std::vector<Cursor> cursors, size_t k,
                                        const RecordSet* allowed) {
  TopKQueue queue(k);
  const std::vector<float> bounds = SuffixBounds(cursors);
  size_t essential = cursors.size();
  while (essential > 0) {
    uint32_t record = std::numeric_limits<uint32_t>::max();
    for (size_t i = 0; i < essential; ++i) {
      if (!cursors[i].done()) record = std::min(record, cursors[i].record());
    }
    if (record == std::numeric_limits<uint32_t>::max()) break;
    const bool wanted = allowed == nullptr || allowed->contains(record);
    float score = 0;
    for (size_t i = 0; i < essential; ++i) {
      if (cursors[i].done() || cursors[i].record() != record) continue;
      score += cursors[i].score();
      ++cursors[i].at;
    }
    if (!wanted) continue;
    size_t i = essential;
    for (; i < cursors.size() && score + bounds[i] > queue.threshold(); ++i) {
      cursors[i].SeekTo(record);
      if (!cursors[i].done() && cursors[i].record() == record) score += cursors[i].score();
    }
    if (i < cursors.size()) continue;
    queue.Push({record, score});
    while (essential > 0 && bounds[essential - 1] <= queue.threshold()) --essential;
  }
  return queue.TakeSorted();
}

}  // namespace

std::vector<QueryTerm> CompileQuery(const Analyzer& analyzer, std::string_view query,
                                    std::span<const InvertedIndex* const> segments) {
  uint64_t records = 0;
  for (const InvertedIndex* segment : segments) records += segment->record_count();
  std::vector<QueryTerm> terms;
  absl::flat_hash_set<std::string> seen;
  analyzer.ForEachTerm(query, TextRole::kQuery, [&](std::string_view term) {
    if (!seen.emplace(term).second) return;
    uint64_t document_frequency = 0;
    for (const InvertedIndex* segment : segments) {
      if (const auto list = segment->Find(term)) document_frequency += list->records.size();
    }
    if (document_frequency == 0) return;
    terms.push_back({std::string(term), ComputeIdf(records, document_frequency)});
  });
  return terms;
}

LexicalMatches SearchExhaustively(const InvertedIndex& index, std::span<const QueryTerm> query,
                                  size_t k, const RecordSet* allowed) {
  const std::vector<Cursor> cursors = OpenCursors(index, query);
  std::vector<float> scores(index.record_count(), 0.0f);
  for (const Cursor& cursor : cursors) {
    for (size_t i = 0; i < cursor.list.records.size(); ++i) {
      scores[cursor.list.records[i]] += cursor.unit * static_cast<float>(cursor.list.impacts[i]);
    }
  }
  TopKQueue queue(k);
  RecordSet matched = FindMatched(cursors, index.record_count(), allowed);
  matched.ForEach([&](uint32_t record) { queue.Push({record, scores[record]}); });
  return {queue.TakeSorted(), std::move(matched)};
}

LexicalMatches SearchMaxScore(const InvertedIndex& index, std::span<const QueryTerm> query,
                              size_t k, const RecordSet* allowed) {
  std::vector<Cursor> cursors = OpenCursors(index, query);
  RecordSet matched = FindMatched(cursors, index.record_count(), allowed);
  return {k == 0 ? std::vector<ScoredRecord>() : WalkEssential(std::move(cursors), k, allowed),
          std::move(matched)};
}

LexicalMatches SearchRanked(const InvertedIndex& index, std::span<const QueryTerm> query, size_t k,
                            const RecordSet* allowed) {
  return index.record_count() < kPrunedFromRecords ? SearchExhaustively(index, query, k, allowed)
                                                   : SearchMaxScore(index, query, k, allowed);
}

std::vector<float> ScoreRecords(const InvertedIndex& index, std::span<const QueryTerm> query,
                                std::span<const uint32_t> records) {
  std::vector<float> scores(records.size(), 0.0f);
  for (const Cursor& cursor : OpenCursors(index, query)) {
    const auto& list = cursor.list.records;
    for (size_t i = 0; i < records.size(); ++i) {
      const auto found = std::lower_bound(list.begin(), list.end(), records[i]);
      if (found == list.end() || *found != records[i]) continue;
      scores[i] +=
          cursor.unit *
          static_cast<float>(cursor.list.impacts[static_cast<size_t>(found - list.begin())]);
    }
  }
  return scores;
}

}  // namespace emptor::retrieval
