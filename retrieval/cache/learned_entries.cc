// Entries in the order of their ids, so that equal FAQs learn equally.
#include "retrieval/cache/learned_entries.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "retrieval/cache/faq_snapshot.h"

namespace emptor::retrieval {

std::shared_ptr<const LearnedEntries> LearnedEntries::Train(std::span<const FaqSegmentView> views) {
  std::vector<Place> places;
  size_t phrasings = 0;
  for (uint32_t i = 0; i < views.size(); ++i) {
    uint32_t row = 0;
    for (const auto& record : views[i].segment().records()) {
      const auto count = static_cast<uint32_t>(record->phrasings.size());
      if (views[i].alive().contains(row)) {
        places.push_back({record, i, row, row + count});
        phrasings += count;
      }
      row += count;
    }
  }
  const bool is_small = places.size() < 2 || phrasings < kMinPhrasings * places.size();
  if (is_small || phrasings * places.size() > kMaxCells) return nullptr;
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.record->id < b.record->id; });
  std::vector<ClassifierExample> examples;
  for (uint32_t entry = 0; entry < places.size(); ++entry) {
    const Place& place = places[entry];
    const QuantizedRows& rows = views[place.segment].segment().vectors().rows();
    for (uint32_t row = place.first; row < place.last; ++row) {
      std::vector<float> vector(static_cast<size_t>(rows.dimension()));
      rows.DecodeInto(row, vector);
      const FaqPhrasing& phrasing = place.record->phrasings[row - place.first];
      examples.push_back({&phrasing.words, std::move(vector), entry});
    }
  }
  EntryClassifier classifier(examples, places.size());
  return std::shared_ptr<const LearnedEntries>(
      new LearnedEntries(std::move(places), std::move(classifier)));
}

std::vector<LearnedScore> LearnedEntries::Score(std::span<const FaqSegmentView> views,
                                                const QuestionText& text,
                                                std::span<const float> vector,
                                                std::string_view language) const {
  std::vector<float> scores(places_.size());
  classifier_.ScoreInto(text, vector, scores);
  std::vector<LearnedScore> found;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (!views[place.segment].AllowedFor(language).contains(place.first)) continue;
    found.push_back(
        {place.record.get(), place.segment, place.first, place.last, scores[i], /*probability=*/0});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  double sum = 0;
  for (LearnedScore& each : found) {
    sum += each.probability = std::exp(each.score - found.front().score);
  }
  for (LearnedScore& each : found) each.probability /= sum;
  return found;
}

}  // namespace emptor::retrieval
