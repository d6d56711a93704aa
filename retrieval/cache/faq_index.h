// Finds the FAQ entry that asks the same as a shopper does, or says that none does.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::retrieval {

/// What is known of an entry: the ways in which its question is asked.
struct FaqPhrasings {
  std::string id;
  std::string locale;  // empty: any
  std::vector<std::string> phrasings;
};

enum class FaqDecision {
  kHit,     // the first candidate asks the same about the same facts
  kUnsure,  // one of the candidates may be meant
  kNone,    // outside of the FAQ
};

struct FaqCandidate {
  std::string id;
  std::string phrasing;   // the one that is nearest to the question
  double confidence = 0;  // estimated probability that the entry answers the question
  double similarity = 0;  // cosine of the vectors, 1 for an exact match
};

struct FaqAnswer {
  FaqDecision decision = FaqDecision::kNone;
  bool exact = false;                    // the normalised texts are equal
  std::vector<FaqCandidate> candidates;  // best first, at most 3; empty for kNone
};

/// When a candidate is served. Fitted by FitFaqTuning on labelled questions (faq_tuning.h).
struct FaqTuning;
/// What is found before a tuning decides (faq_features.h).
struct FaqMatches;

/// Thread-safety: Lookup from any thread, also during Update; calls of Update are serialised by the
/// caller. Lifetime: the embedder outlives it.
class FaqIndex {
 public:
  /// An empty index. Errors: those of the embedder.
  static absl::StatusOr<std::unique_ptr<FaqIndex>> Create(const Embedder& embedder);
  ~FaqIndex();

  /// Adds or replaces entries and removes others. Errors: those of the embedder; then nothing has
  /// changed.
  absl::Status Update(std::span<const FaqPhrasings> entries, std::span<const std::string> removed);

  /// Learns from the phrasings which entry a question asks for (LearnedEntries): look-ups are
  /// better afterwards. What was learned is forgotten by an Update. Call it after the last of a
  /// series of updates; serialised with them. Cost: up to about a second; nothing for large FAQs.
  void Learn();

  /// `locale`: the language of the question where it is known, else empty. When the embedder fails,
  /// exact and lexical matches go on. A question of more than kMaxQuestionBytes bytes finds
  /// nothing.
  FaqAnswer Lookup(std::string_view question, std::string_view locale) const;

  /// What Lookup decides by: for FitFaqTuning and evaluations.
  FaqMatches Match(std::string_view question, std::string_view locale) const;

  /// Replaces the tuning (DefaultFaqTuning) for later look-ups. Thread-safety: any thread.
  void SetTuning(FaqTuning tuning);

  /// Number of entries.
  size_t size() const;

  size_t memory_bytes() const;

 private:
  struct Impl;
  explicit FaqIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
