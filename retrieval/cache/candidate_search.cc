// Nearest vectors and shared words, fused by entry.
#include "retrieval/cache/candidate_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "retrieval/cache/verifier.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kNeighbours = 32;      // phrasings by vector, and as many by words
constexpr size_t kShareOf = 10;         // neighbours that vote
constexpr double kShareScale = 0.05;    // of cosine
constexpr size_t kMaxMatches = 8;       // entries that are reported
constexpr size_t kLearnedBest = 4;      // entries by the classifier
constexpr size_t kLearnedRows = 4;      // their nearest phrasings
constexpr size_t kVerified = 8;         // phrasings of an entry that may agree with the question
constexpr size_t kMaxPostings = 10000;  // read of one segment; the rarest terms come first
constexpr double kFunctionWeight = 0.25;
constexpr double kOddsPrior = 1;         // phrasings, as frequent as everywhere
constexpr ptrdiff_t kSpelled = 16;       // nearest entries whose trigrams are compared
constexpr double kTrigramWeight = 0.25;  // trigrams of a word say the same several times
constexpr double kPriorEntries = 10;     // keeps idf steady where there are few entries

/// Size of the intersection of ascending lists.
size_t CountCommon(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  size_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++common;
      ++i;
      ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return common;
}

double& At(FaqFeatures& features, FaqFeature feature) {
  return features[static_cast<size_t>(feature)];
}

}  // namespace

CandidateSearch::CandidateSearch(const FaqSnapshot& snapshot, std::string_view question,
                                 std::string_view locale, std::span<const float> vector)
    : snapshot_(snapshot),
      question_(question),
      language_(PrimarySubtag(locale)),
      vector_(vector),
      text_(ReadQuestionText(question, LanguageOfQuestion(question, locale))),
      form_(ReadQuestionForm(question, locale)) {
  for (const QuestionTerm& term : text_.terms) {
    const size_t entries = snapshot_.EntriesWithTerm(term.hash);
    const double frequency = static_cast<double>(snapshot_.PhrasingsWithTerm(term.hash)) /
                             std::max<double>(1, static_cast<double>(snapshot_.phrasing_count()));
    terms_.push_back(
        {term.hash, Idf(entries, term.is_function), entries, frequency, term.is_function});
    mass_ += terms_.back().weight;
    if (entries == 0) unknown_mass_ += terms_.back().weight;
  }
}

/// Robertson and Sparck Jones' weight, smoothed so that it stays positive.
double CandidateSearch::Idf(size_t entries, bool is_function) const {
  const double all = static_cast<double>(snapshot_.entry_count()) + kPriorEntries;
  const double with = std::min(static_cast<double>(entries), all);
  const double idf = std::log(1 + (all - with + 0.5) / (with + 0.5));
  return is_function ? kFunctionWeight * idf : idf;
}

double CandidateSearch::Normalised(double cosine) const {
  const double background = std::min(snapshot_.background(), 0.95);
  return (cosine - background) / (1 - background);
}

FaqMatches CandidateSearch::Run() {
  FaqMatches found;
  if (text_.terms.empty()) return found;
  std::vector<Near> near;
  if (!vector_.empty()) FindByVector(near);
  found.has_vector = !near.empty();
  if (!found.has_vector) vector_ = {};
  FindByWords(near);
  FindByClassifier(near);
  found.is_learned = learned_.size() > 1;
  for (Near& each : near) Measure(each);
  std::vector<Candidate> candidates = GroupByEntry(near);
  if (candidates.empty()) return found;
  AddShares(candidates);
  AddOdds(candidates);
  AddLearned(candidates);
  for (const Candidate* each : ChooseReported(candidates)) {
    found.matches.push_back(MatchOf(*each, candidates));
  }
  return found;
}

/// The first ones, and in any case the nearest by vector and the best by the classifier.
std::vector<const CandidateSearch::Candidate*> CandidateSearch::ChooseReported(
    const std::vector<Candidate>& candidates) const {
  const auto nearest =
      std::max_element(candidates.begin(), candidates.end(),
                       [](const auto& a, const auto& b) { return a.similarity < b.similarity; });
  const auto most_probable = std::max_element(
      candidates.begin(), candidates.end(),
      [](const auto& a, const auto& b) { return a.learned_probability < b.learned_probability; });
  std::vector<const Candidate*> reported;
  for (const Candidate& each : candidates) reported.push_back(&each);
  std::stable_partition(reported.begin(), reported.end(), [&](const Candidate* each) {
    const auto rank = static_cast<size_t>(each - candidates.data());
    return rank + 2 < kMaxMatches || each == &*nearest || each == &*most_probable;
  });
  reported.resize(std::min(reported.size(), kMaxMatches));
  return reported;
}

void CandidateSearch::FindByVector(std::vector<Near>& near) const {
  for (uint32_t i = 0; i < snapshot_.segments().size(); ++i) {
    const FaqSegmentView& view = snapshot_.segments()[i];
    const RecordSet& allowed = view.AllowedFor(language_);
    const bool is_all = language_.empty() && view.alive_rows() == view.segment().row_count();
    const auto matches =
        view.segment().vectors().Search(vector_, kNeighbours, is_all ? nullptr : &allowed);
    if (!matches.ok()) continue;  // the zero vector
    for (const ScoredRecord& each : matches->best) {
      near.push_back({.segment = i, .row = each.record, .cosine = each.score});
    }
  }
}

std::vector<uint32_t> CandidateSearch::RowsByWords(const FaqSegmentView& view,
                                                   const RecordSet& allowed) const {
  std::vector<const WeightedTerm*> rarest;
  for (const WeightedTerm& term : terms_) {
    if (term.entries > 0) rarest.push_back(&term);
  }
  std::sort(rarest.begin(), rarest.end(),
            [](const auto* a, const auto* b) { return a->weight > b->weight; });
  // Of the rows of this segment; zero again at the end.
  thread_local std::vector<float> shared;
  shared.resize(std::max(shared.size(), view.segment().row_count()));
  std::vector<uint32_t> touched;
  size_t read = 0;
  for (const WeightedTerm* term : rarest) {
    const auto posting_rows = view.segment().RowsOfTerm(term->hash);
    if (read + posting_rows.size() > kMaxPostings) continue;
    read += posting_rows.size();
    for (const uint32_t row : posting_rows) {
      if (!allowed.contains(row)) continue;
      if (shared[row] == 0) touched.push_back(row);
      shared[row] += static_cast<float>(term->weight);
    }
  }
  TopKQueue best(kNeighbours);
  constexpr float kLengthCost = 0.05f;  // prefers the shorter of two with the same words
  for (const uint32_t row : touched) {
    const float cost = kLengthCost * static_cast<float>(view.segment().term_count_at(row));
    best.Push({row, std::exchange(shared[row], 0) - cost});
  }
  std::vector<uint32_t> rows;
  for (const ScoredRecord& each : best.TakeSorted()) rows.push_back(each.record);
  return rows;
}

void CandidateSearch::FindByWords(std::vector<Near>& near) const {
  const auto by_vector = static_cast<ptrdiff_t>(near.size());
  for (uint32_t i = 0; i < snapshot_.segments().size(); ++i) {
    const FaqSegmentView& view = snapshot_.segments()[i];
    const QuantizedQuery* query = nullptr;
    std::optional<QuantizedQuery> quantized;
    if (!vector_.empty()) query = &quantized.emplace(vector_);
    for (const uint32_t row : RowsByWords(view, view.AllowedFor(language_))) {
      const auto end = near.begin() + by_vector;
      const bool is_known = std::any_of(near.begin(), end, [&](const Near& each) {
        return each.segment == i && each.row == row;
      });
      if (is_known) continue;
      const double cosine =
          query == nullptr ? 0 : view.segment().vectors().rows().Score(*query, row);
      near.push_back({.segment = i, .row = row, .cosine = cosine});
    }
  }
}

/// Adds the nearest phrasings of the most probable entries.
void CandidateSearch::FindByClassifier(std::vector<Near>& near) {
  if (vector_.empty() || snapshot_.learned() == nullptr) return;
  learned_ = snapshot_.learned()->Score(snapshot_.segments(), text_, vector_, language_);
  const QuantizedQuery query(vector_);
  for (size_t i = 0; i < std::min(learned_.size(), kLearnedBest); ++i) {
    const LearnedScore& entry = learned_[i];
    const bool is_known = std::any_of(near.begin(), near.end(), [&](const Near& each) {
      return each.segment == entry.segment && each.row >= entry.first && each.row < entry.last;
    });
    if (is_known) continue;
    const QuantizedRows& rows = snapshot_.segments()[entry.segment].segment().vectors().rows();
    TopKQueue best(kLearnedRows);
    for (uint32_t row = entry.first; row < entry.last; ++row) {
      best.Push({row, rows.Score(query, row)});
    }
    for (const ScoredRecord& each : best.TakeSorted()) {
      near.push_back({.segment = entry.segment, .row = each.record, .cosine = each.score});
    }
  }
}

void CandidateSearch::Measure(Near& near) const {
  const FaqSegment& segment = snapshot_.segments()[near.segment].segment();
  const QuestionText& phrasing = segment.phrasing_at(near.row).words;
  double shared = 0, all = 0;
  size_t i = 0;
  for (const QuestionTerm& term : phrasing.terms) {
    while (i < terms_.size() && terms_[i].hash < term.hash) ++i;
    const bool is_shared = i < terms_.size() && terms_[i].hash == term.hash;
    const double weight =
        is_shared ? terms_[i].weight : Idf(snapshot_.EntriesWithTerm(term.hash), term.is_function);
    all += weight;
    if (is_shared) shared += weight;
  }
  near.question_covered = mass_ > 0 ? shared / mass_ : 0;
  near.phrasing_covered = all > 0 ? shared / all : 0;
  const size_t trigrams = text_.trigrams.size() + phrasing.trigrams.size();
  if (trigrams > 0) {
    near.trigrams = 2.0 * static_cast<double>(CountCommon(text_.trigrams, phrasing.trigrams)) /
                    static_cast<double>(trigrams);
  }
}

std::vector<CandidateSearch::Candidate> CandidateSearch::GroupByEntry(
    const std::vector<Near>& near) const {
  std::vector<const Near*> order;
  for (const Near& each : near) order.push_back(&each);
  std::sort(order.begin(), order.end(), [](const Near* a, const Near* b) {
    if (a->score() != b->score()) return a->score() > b->score();
    return std::pair(a->segment, a->row) < std::pair(b->segment, b->row);
  });
  std::vector<Candidate> candidates;
  absl::flat_hash_map<const FaqRecord*, size_t> place;
  for (const Near* each : order) {
    const FaqRecord* record = &snapshot_.segments()[each->segment].segment().record_at(each->row);
    const auto [found, is_new] = place.try_emplace(record, candidates.size());
    if (is_new) candidates.push_back({.record = record, .similarity = -1});
    Candidate& candidate = candidates[found->second];
    candidate.near.push_back(each);
    candidate.similarity = std::max(candidate.similarity, Normalised(each->cosine));
    candidate.overlap = std::max(candidate.overlap, each->overlap());
  }
  return candidates;
}

/// By vectors, or by words where there are none.
void CandidateSearch::AddShares(std::vector<Candidate>& candidates) const {
  std::vector<std::pair<double, Candidate*>> neighbours;
  for (Candidate& candidate : candidates) {
    for (const Near* each : candidate.near) {
      neighbours.emplace_back(vector_.empty() ? each->overlap() : each->cosine, &candidate);
    }
  }
  std::stable_sort(neighbours.begin(), neighbours.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  neighbours.resize(std::min(neighbours.size(), kShareOf));
  double sum = 0;
  for (const auto& [nearness, candidate] : neighbours) {
    const double weight = std::exp((nearness - neighbours.front().first) / kShareScale);
    candidate->share += weight;
    sum += weight;
  }
  if (sum == 0) return;
  for (Candidate& candidate : candidates) candidate.share /= sum;
}

/// Naive Bayes over what an entry's phrasings have, each against its frequency in all.
void CandidateSearch::AddOdds(std::vector<Candidate>& candidates) const {
  const double rare = 0.5 / std::max<double>(1, static_cast<double>(snapshot_.phrasing_count()));
  const auto odds_of = [](double with, double phrasings, double everywhere) {
    return std::log((with + kOddsPrior * everywhere) / (phrasings + kOddsPrior) / everywhere);
  };
  std::vector<double> trigram_frequencies;
  for (const uint32_t trigram : text_.trigrams) {
    trigram_frequencies.push_back(
        std::max(rare, 2 * rare * static_cast<double>(snapshot_.PhrasingsWithTrigram(trigram))));
  }
  double words = 1, spellings = 1;  // the 1 is none
  for (Candidate& candidate : candidates) {
    const auto phrasings = static_cast<double>(candidate.record->phrasings.size());
    for (const WeightedTerm& term : terms_) {
      const double odds = odds_of(candidate.record->PhrasingsWithTerm(term.hash), phrasings,
                                  std::max(term.frequency, rare));
      candidate.word_odds += term.is_function ? kFunctionWeight * odds : odds;
    }
    const bool is_near = &candidate - candidates.data() < kSpelled;
    for (size_t i = 0; i < text_.trigrams.size() && is_near; ++i) {
      candidate.spelling_odds +=
          kTrigramWeight * odds_of(candidate.record->PhrasingsWithTrigram(text_.trigrams[i]),
                                   phrasings, trigram_frequencies[i]);
    }
    candidate.word_posterior = std::exp(std::min(candidate.word_odds, 50.0));
    if (is_near) candidate.spelling_posterior = std::exp(std::min(candidate.spelling_odds, 50.0));
    words += candidate.word_posterior;
    spellings += candidate.spelling_posterior;
  }
  for (Candidate& candidate : candidates) {
    candidate.word_posterior /= words;
    candidate.spelling_posterior /= spellings;
  }
}

void CandidateSearch::AddLearned(std::vector<Candidate>& candidates) const {
  absl::flat_hash_map<const FaqRecord*, const LearnedScore*> scores;
  for (const LearnedScore& each : learned_) scores[each.record] = &each;
  for (Candidate& candidate : candidates) {
    const auto found = scores.find(candidate.record);
    if (found == scores.end()) continue;
    candidate.learned_score = found->second->score;
    candidate.learned_probability = found->second->probability;
  }
}

double CandidateSearch::UnknownTo(const FaqRecord& record) const {
  if (mass_ <= 0) return 0;
  double unknown = 0;
  for (const WeightedTerm& term : terms_) {
    if (record.PhrasingsWithTerm(term.hash) == 0) {
      unknown += term.weight;
    }
  }
  return unknown / mass_;
}

/// The nearest phrasing that agrees, else the nearest.
FormComparison CandidateSearch::CompareNearest(const Candidate& candidate) const {
  FormComparison nearest;
  for (size_t i = 0; i < std::min(candidate.near.size(), kVerified); ++i) {
    FormComparison comparison = CompareForms(form_, PhrasingOf(*candidate.near[i]).form);
    const bool agrees = comparison.Contradiction(candidate.record->tolerated).empty();
    if (agrees) return comparison;
    if (i == 0) nearest = std::move(comparison);
  }
  return nearest;
}

const FaqPhrasing& CandidateSearch::PhrasingOf(const Near& near) const {
  return snapshot_.segments()[near.segment].segment().phrasing_at(near.row);
}

/// Similarities, and margins to the best of the others.
void CandidateSearch::MeasureMargins(const Candidate& candidate, const std::vector<Candidate>& all,
                                     FaqFeatures& features) const {
  double other_similarity = 0, other_overlap = 0;
  for (const Candidate& each : all) {
    if (&each == &candidate) continue;
    other_similarity = std::max(other_similarity, each.similarity);
    other_overlap = std::max(other_overlap, each.overlap);
  }
  At(features, FaqFeature::kWordMargin) = candidate.overlap - other_overlap;
  if (learned_.size() > 1) {
    const LearnedScore& other = learned_[learned_.front().record == candidate.record ? 1 : 0];
    At(features, FaqFeature::kLearnedScore) = candidate.learned_score;
    At(features, FaqFeature::kLearnedMargin) = candidate.learned_score - other.score;
    At(features, FaqFeature::kLearnedProbability) = candidate.learned_probability;
    At(features, FaqFeature::kLearnedLead) = candidate.learned_probability - other.probability;
  }
  if (vector_.empty()) return;
  std::vector<double> cosines;
  for (const Near* each : candidate.near) cosines.push_back(Normalised(each->cosine));
  std::sort(cosines.rbegin(), cosines.rend());
  cosines.resize(std::min<size_t>(cosines.size(), 3));
  double mean = 0;
  for (const double cosine : cosines) mean += cosine / static_cast<double>(cosines.size());
  At(features, FaqFeature::kSimilarity) = candidate.similarity;
  At(features, FaqFeature::kMargin) = candidate.similarity - other_similarity;
  At(features, FaqFeature::kMeanSimilarity) = mean;
}

FaqMatch CandidateSearch::MatchOf(const Candidate& candidate,
                                  const std::vector<Candidate>& all) const {
  const Near& best = *candidate.near.front();
  const FaqPhrasing& phrasing = PhrasingOf(best);
  FaqMatch match{.id = candidate.record->id, .phrasing = phrasing.text, .similarity = best.cosine};
  const FormComparison compared = CompareNearest(candidate);
  match.contradiction = compared.Contradiction(candidate.record->tolerated);

  FaqFeatures& features = match.features;
  MeasureMargins(candidate, all, features);
  At(features, FaqFeature::kNeighbourShare) = candidate.share;
  At(features, FaqFeature::kQuestionCovered) = best.question_covered;
  At(features, FaqFeature::kPhrasingCovered) = best.phrasing_covered;
  At(features, FaqFeature::kUnknownToEntry) = UnknownTo(*candidate.record);
  At(features, FaqFeature::kUnknownToAll) = mass_ > 0 ? unknown_mass_ / mass_ : 0;
  At(features, FaqFeature::kWordOdds) = candidate.word_odds / static_cast<double>(terms_.size());
  At(features, FaqFeature::kWordPosterior) = candidate.word_posterior;
  At(features, FaqFeature::kSpellingOdds) =
      candidate.spelling_odds / std::max<double>(1, static_cast<double>(text_.trigrams.size()));
  At(features, FaqFeature::kSpellingPosterior) = candidate.spelling_posterior;
  At(features, FaqFeature::kTrigrams) = best.trigrams;
  const double words = std::max<double>(text_.words, 1);
  At(features, FaqFeature::kLengthDifference) =
      std::abs(std::log(words / std::max<double>(phrasing.words.words, 1)));
  At(features, FaqFeature::kShortness) = 1 / words;
  At(features, FaqFeature::kFrame) = compared.frame;
  At(features, FaqFeature::kExtraWords) = compared.extra;
  At(features, FaqFeature::kMissingWords) = compared.missing;
  At(features, FaqFeature::kFrameWithExtra) = compared.frame * compared.extra;
  At(features, FaqFeature::kContradicted) = match.contradiction.empty() ? 0 : 1;
  return match;
}

}  // namespace emptor::retrieval
