// Views of segments, and exact matches.
#include "retrieval/cache/faq_snapshot.h"

#include <algorithm>
#include <set>
#include <utility>

#include "retrieval/cache/candidate_search.h"

namespace emptor::retrieval {
namespace {

/// As many pairs as count as much as what a sample says.
constexpr double kPriorPairs = 50;
/// Mean cosine of unrelated questions: a middle of the embedders that were measured.
constexpr double kPriorBackground = 0.15;

}  // namespace

FaqSegmentView::FaqSegmentView(std::shared_ptr<const FaqSegment> segment, RecordSet alive)
    : segment_(std::move(segment)),
      alive_(std::move(alive)),
      alive_rows_(alive_.count()),
      of_any_(alive_.size()) {
  alive_.ForEach([&](uint32_t row) {
    const std::string& language = segment_->record_at(row).language;
    if (language.empty()) {
      of_any_.Insert(row);
    } else {
      by_language_.try_emplace(language, alive_.size()).first->second.Insert(row);
    }
  });
  for (auto& [language, rows] : by_language_) {
    of_any_.ForEach([&rows = rows](uint32_t row) { rows.Insert(row); });
  }
}

const RecordSet& FaqSegmentView::AllowedFor(std::string_view language) const {
  if (language.empty()) return alive_;
  const auto found = by_language_.find(language);
  return found == by_language_.end() ? of_any_ : found->second;
}

FaqSnapshot::FaqSnapshot(std::vector<FaqSegmentView> segments,
                         std::shared_ptr<const LearnedEntries> learned)
    : segments_(std::move(segments)), learned_(std::move(learned)) {
  double sum = kPriorBackground * kPriorPairs, pairs = kPriorPairs;
  for (const FaqSegmentView& view : segments_) {
    const FaqRecord* last = nullptr;
    view.alive().ForEach([&](uint32_t row) {
      const FaqRecord* const record = &view.segment().record_at(row);
      if (std::exchange(last, record) != record) ++entries_;
    });
    phrasings_ += view.alive_rows();
    const auto background = view.segment().background();
    sum += background.mean * static_cast<double>(background.pairs);
    pairs += static_cast<double>(background.pairs);
  }
  background_ = sum / pairs;
}

size_t FaqSnapshot::PhrasingsWithTerm(uint64_t term) const {
  size_t phrasings = 0;
  for (const FaqSegmentView& view : segments_) phrasings += view.segment().RowsOfTerm(term).size();
  return phrasings;
}

size_t FaqSnapshot::PhrasingsWithTrigram(uint32_t trigram) const {
  size_t phrasings = 0;
  for (const FaqSegmentView& view : segments_) {
    phrasings += view.segment().PhrasingsWithTrigram(trigram);
  }
  return phrasings;
}

size_t FaqSnapshot::EntriesWithTerm(uint64_t term) const {
  size_t entries = 0;
  for (const FaqSegmentView& view : segments_) entries += view.segment().EntriesWithTerm(term);
  return entries;
}

FaqMatches FaqSnapshot::MatchExactly(std::string_view question, std::string_view locale) const {
  FaqMatches found;
  if (question.size() > kMaxQuestionBytes) return found;
  const std::string key = ExactKey(question);
  if (key.empty()) return found;
  const std::string language = PrimarySubtag(locale);
  bool has_own_locale = false;  // a match with the very locale hides the others
  std::set<std::string_view> seen;
  for (const FaqSegmentView& view : segments_) {
    const RecordSet& allowed = view.AllowedFor(language);
    for (const uint32_t row : view.segment().RowsOfKey(key)) {
      if (!allowed.contains(row)) continue;
      const FaqRecord& record = view.segment().record_at(row);
      const bool is_own = !locale.empty() && record.locale == locale;
      if (is_own && !has_own_locale) {
        found.matches.clear();
        seen.clear();
        has_own_locale = true;
      }
      if ((has_own_locale && !is_own) || !seen.insert(record.id).second) continue;
      found.matches.push_back(
          {.id = record.id, .phrasing = view.segment().phrasing_at(row).text, .similarity = 1});
    }
  }
  found.exact = !found.matches.empty();
  return found;
}

FaqMatches FaqSnapshot::Match(std::string_view question, std::string_view locale,
                              std::span<const float> vector) const {
  if (question.size() > kMaxQuestionBytes) return {};
  return CandidateSearch(*this, question, locale, vector).Run();
}

}  // namespace emptor::retrieval
