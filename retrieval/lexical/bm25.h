// The BM25F scoring function, with weight and length normalisation for each field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

enum class Field { kTitle, kBrand, kCategories, kAttributes, kDescription };
inline constexpr size_t kFieldCount = 5;

template <typename T>
using PerField = std::array<T, kFieldCount>;  // indexed by Field

/// score(q, d) = sum over terms t of idf(t) * (k1 + 1) * f / (k1 + f), where
/// f = sum over fields of weight * tf / (1 - b + b * length / average_length).
/// Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", 3.6.
/// The defaults were chosen on development judgments; see docs/evaluation.md.
struct Bm25Options {
  float k1 = 0.9f;
  PerField<float> weight = {2.0f, 1.0f, 1.0f, 0.1f, 1.0f};
  PerField<float> b = {0.4f, 0.0f, 0.3f, 0.6f, 0.5f};

  friend bool operator==(const Bm25Options&, const Bm25Options&) = default;
};

/// Lengths of the fields in terms, over a collection.
struct LengthStatistics {
  uint64_t records = 0;
  PerField<uint64_t> total = {};

  /// Mean length over all records, with or without the field; at least 1.
  float average(size_t field) const;
  void Add(const PerField<uint16_t>& lengths);
};

/// Occurrences of a term in the five fields of one record, saturated to 7, 3, 7, 15, 15; the score
/// hardly changes beyond these.
class FieldFrequencies {
 public:
  FieldFrequencies() = default;
  explicit FieldFrequencies(uint16_t packed) : packed_(packed) {}
  void Increment(Field field);
  unsigned of(size_t field) const { return (packed_ >> kShift[field]) & kMax[field]; }
  uint16_t packed() const { return packed_; }

 private:
  static constexpr PerField<unsigned> kShift = {0, 3, 5, 8, 12};
  static constexpr PerField<unsigned> kMax = {7, 3, 7, 15, 15};
  uint16_t packed_ = 0;
};

/// The part of the score that does not depend on the collection's size:
/// (k1 + 1) * f / (k1 + f), from 0 to k1 + 1.
float ComputeImpact(const Bm25Options& options, const LengthStatistics& statistics,
                    FieldFrequencies frequencies, const PerField<uint16_t>& lengths);

/// ln(1 + (N - df + 0.5) / (df + 0.5)): positive for every df <= N.
float ComputeIdf(uint64_t records, uint64_t document_frequency);

}  // namespace emptor::retrieval
