// Finds the entries near a question and measures their features.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/cache/faq_snapshot.h"

namespace emptor::retrieval {

/// One search. Thread-safety: one thread. Lifetime: within that of its arguments.
class CandidateSearch {
 public:
  /// `vector`: of the question, or empty.
  CandidateSearch(const FaqSnapshot& snapshot, std::string_view question, std::string_view locale,
                  std::span<const float> vector);

  FaqMatches Run();

 private:
  struct WeightedTerm {
    uint64_t hash = 0;
    double weight = 0;  // idf
    size_t entries = 0;
    double frequency = 0;  // share of the phrasings that have it
    bool is_function = false;
  };
  /// A phrasing near the question.
  struct Near {
    uint32_t segment = 0;
    uint32_t row = 0;
    double cosine = 0;            // of the vectors
    double question_covered = 0;  // shares of the terms' weight
    double phrasing_covered = 0;
    double trigrams = 0;
    /// What decides which phrasing is nearest.
    double score() const { return cosine + 0.5 * overlap(); }
    double overlap() const { return 0.5 * (question_covered + phrasing_covered); }
  };
  /// An entry with its phrasings among the near ones, nearest first.
  struct Candidate {
    const FaqRecord* record = nullptr;
    std::vector<const Near*> near = {};
    double similarity = 0;  // greatest, normalised
    double overlap = 0;     // greatest
    double share = 0;       // of the neighbours
    double word_odds = 0;   // log odds of the question's words, summed
    double word_posterior = 0;
    double spelling_odds = 0;  // of its trigrams, as much as words of that many letters
    double spelling_posterior = 0;
    double learned_score = 0;
    double learned_probability = 0;
  };

  double Idf(size_t entries, bool is_function) const;
  double Normalised(double cosine) const;
  void FindByVector(std::vector<Near>& near) const;
  void FindByWords(std::vector<Near>& near) const;
  std::vector<uint32_t> RowsByWords(const FaqSegmentView& view, const RecordSet& allowed) const;
  void FindByClassifier(std::vector<Near>& near);
  void Measure(Near& near) const;
  std::vector<Candidate> GroupByEntry(const std::vector<Near>& near) const;
  void AddShares(std::vector<Candidate>& candidates) const;
  void AddOdds(std::vector<Candidate>& candidates) const;
  void AddLearned(std::vector<Candidate>& candidates) const;
  std::vector<const Candidate*> ChooseReported(const std::vector<Candidate>& candidates) const;
  FormComparison CompareNearest(const Candidate& candidate) const;
  const FaqPhrasing& PhrasingOf(const Near& near) const;
  void MeasureMargins(const Candidate& candidate, const std::vector<Candidate>& all,
                      FaqFeatures& features) const;
  FaqMatch MatchOf(const Candidate& candidate, const std::vector<Candidate>& all) const;
  double UnknownTo(const FaqRecord& record) const;

  const FaqSnapshot& snapshot_;
  std::string_view question_;
  std::string language_;  // primary subtag of the locale
  std::span<const float> vector_;
  QuestionText text_;
  QuestionForm form_;
  std::vector<WeightedTerm> terms_;    // by hash
  double mass_ = 0;                    // of the terms' weights
  double unknown_mass_ = 0;            // of those that no entry has
  std::vector<LearnedScore> learned_;  // of all entries, best first; empty without a classifier
};

}  // namespace emptor::retrieval
