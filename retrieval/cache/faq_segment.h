// An immutable part of a FAQ index: entries, their phrasings' keys, terms and vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "retrieval/cache/faq_index.h"
#include "retrieval/cache/question_form.h"
#include "retrieval/cache/question_text.h"
#include "retrieval/cache/verifier.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

/// A phrasing, read once.
struct FaqPhrasing {
  std::string text;
  std::string key;  // ExactKey
  QuestionText words;
  QuestionForm form;
};

/// An entry, read once. Segments share it.
struct FaqRecord {
  std::string id;
  std::string locale;    // as it was given
  std::string language;  // primary subtag of the locale in lower case; empty: any
  std::vector<FaqPhrasing> phrasings;
  struct Term {
    uint64_t hash = 0;
    uint32_t phrasings = 0;  // that have it
  };
  std::vector<Term> terms;  // by hash, ascending

  DifferenceKinds tolerated;  // kinds in which the phrasings differ among each other
  struct Trigram {
    uint32_t hash = 0;
    uint32_t phrasings = 0;
  };
  std::vector<Trigram> trigrams;  // by hash; empty for one phrasing, which has them itself

  /// Number of the entry's phrasings with the term, with the trigram.
  uint32_t PhrasingsWithTerm(uint64_t term) const;
  uint32_t PhrasingsWithTrigram(uint32_t trigram) const;
};

/// "de" of "de-AT"; empty for an empty locale.
std::string PrimarySubtag(std::string_view locale);

/// Texts longer than kMaxQuestionBytes are cut.
std::shared_ptr<const FaqRecord> ReadFaqRecord(const FaqPhrasings& entry);

/// A row is a phrasing; rows of an entry are neighbours.
/// Thread-safety: const methods.
class FaqSegment {
 public:
  /// REQUIRES: a row of `rows` for each phrasing, in order.
  FaqSegment(std::vector<std::shared_ptr<const FaqRecord>> records, QuantizedRows rows);

  size_t row_count() const { return places_.size(); }
  size_t entry_count() const { return records_.size(); }
  const std::vector<std::shared_ptr<const FaqRecord>>& records() const { return records_; }
  const FaqRecord& record_at(uint32_t row) const { return *records_[places_[row].record]; }
  const FaqPhrasing& phrasing_at(uint32_t row) const {
    return record_at(row).phrasings[places_[row].phrasing];
  }
  /// Number of distinct terms of a phrasing.
  uint16_t term_count_at(uint32_t row) const { return term_counts_[row]; }
  const VectorIndex& vectors() const { return vectors_; }

  /// [first, last) rows of an entry; both 0 where it is not here.
  std::pair<uint32_t, uint32_t> RowsOfEntry(std::string_view id) const;
  /// Ascending rows.
  std::span<const uint32_t> RowsOfKey(std::string_view key) const;
  std::span<const uint32_t> RowsOfTerm(uint64_t term) const;
  /// Number of phrasings with the trigram.
  uint32_t PhrasingsWithTrigram(uint32_t trigram) const;
  /// Number of entries with the term.
  uint32_t EntriesWithTerm(uint64_t term) const;

  /// Mean cosine of phrasings of different entries, from a fixed sample, and its size.
  struct Background {
    double mean = 0;
    size_t pairs = 0;
  };
  Background background() const { return background_; }

  size_t memory_bytes() const;

 private:
  struct Place {
    uint32_t record = 0;
    uint32_t phrasing = 0;
  };
  void AddPostings();
  Background SampleBackground() const;

  std::vector<std::shared_ptr<const FaqRecord>> records_;
  std::vector<Place> places_;          // [rows]
  std::vector<uint16_t> term_counts_;  // [rows]
  absl::flat_hash_map<std::string_view, std::pair<uint32_t, uint32_t>> rows_of_entry_;
  absl::flat_hash_map<std::string_view, std::vector<uint32_t>> rows_of_key_;  // into the records
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> rows_of_term_;
  absl::flat_hash_map<uint64_t, uint32_t> entries_with_term_;
  absl::flat_hash_map<uint32_t, uint32_t> phrasings_with_trigram_;
  VectorIndex vectors_;
  Background background_;
};

}  // namespace emptor::retrieval
