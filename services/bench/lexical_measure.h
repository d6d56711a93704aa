// Measures the lexical index over a grown catalog: size, building, searching, agreement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "services/bench/passage_grower.h"

namespace emptor::services {

struct LexicalMeasureOptions {
  size_t passages = 1000000;
  size_t queries = 10000;
  size_t k = 10;
  size_t compared = 1000;  // queries whose top k is compared with exhaustive scoring
  std::string directory;   // where the index file lies while it is measured
};

struct LexicalMeasure {
  size_t passages = 0, terms = 0, postings = 0, queries = 0, compared = 0;
  uint64_t bytes = 0;
  double build_seconds = 0;                     // text to sealed bytes
  double open_seconds = 0;                      // mapping, digests and the check of every byte
  double search_p50_ms = 0, search_p99_ms = 0;  // best k, by the clock
  double ranked_p99_ms = 0;                     // with the set of all that match
  double exhaustive_p50_ms = 0, exhaustive_p99_ms = 0;
  double searches_per_second = 0;  // one thread
  size_t differing = 0;            // of the compared

  double bytes_per_posting() const;
  double bytes_per_passage() const;
};

/// Grows, builds, writes, maps and searches. Errors: of the file.
absl::StatusOr<LexicalMeasure> MeasureLexical(PassageGrower& grower,
                                              const LexicalMeasureOptions& options);

/// A few lines for people.
std::string FormatLexicalMeasure(const LexicalMeasure& measure);

}  // namespace emptor::services
