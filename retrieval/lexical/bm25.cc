// BM25F arithmetic.
#include "retrieval/lexical/bm25.h"

#include <algorithm>
#include <cmath>

namespace emptor::retrieval {

float LengthStatistics::average(size_t field) const {
  if (records == 0) return 1.0f;
  return std::max(1.0f, static_cast<float>(total[field]) / static_cast<float>(records));
}

void LengthStatistics::Add(const PerField<uint16_t>& lengths) {
  ++records;
  for (size_t f = 0; f < kFieldCount; ++f) total[f] += lengths[f];
}

void FieldFrequencies::Increment(Field field) {
  const auto f = static_cast<size_t>(field);
  if (of(f) < kMax[f]) packed_ = static_cast<uint16_t>(packed_ + (1u << kShift[f]));
}

float ComputeImpact(const Bm25Options& options, const LengthStatistics& statistics,
                    FieldFrequencies frequencies, const PerField<uint16_t>& lengths) {
  float weighted = 0;
  for (size_t f = 0; f < kFieldCount; ++f) {
    const unsigned tf = frequencies.of(f);
    if (tf == 0) continue;
    const float relative_length = static_cast<float>(lengths[f]) / statistics.average(f);
    weighted += options.weight[f] * static_cast<float>(tf) /
                (1.0f - options.b[f] + options.b[f] * relative_length);
  }
  return (options.k1 + 1.0f) * weighted / (options.k1 + weighted);
}

float ComputeIdf(uint64_t records, uint64_t document_frequency) {
  const double n = static_cast<double>(records);
  const double df = static_cast<double>(std::min(records, document_frequency));
  return static_cast<float>(std::log1p((n - df + 0.5) / (df + 0.5)));
}

}  // namespace emptor::retrieval
