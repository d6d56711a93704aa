// How two rankings become one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::retrieval {

/// A record that either search proposed, with its score in both.
struct Candidate {
  size_t segment = 0;
  uint32_t record = 0;
  float lexical = 0;        // BM25
  float vector = 0;         // cosine
  bool identified = false;  // the query is its id, GTIN or part number
  uint32_t pinned = 0;      // its place among those that a merchant puts first, from 1; 0: none
  float fused = 0;
};

/// Convex combination of normalised scores, each over its range from the least that is possible to
/// the best among the candidates:
///   fused = (w_l * lexical / max lexical + w_v * (cosine + 1) / (max cosine + 1)) / (w_l + w_v)
/// Bruch, Gai, Ingber 2022, "An Analysis of Fusion Functions for Hybrid Retrieval",
/// arXiv:2210.11934 (TM2C2). Against cosine / max cosine it keeps a weak embedder from spreading
/// small differences over the whole range; measured in README.md.
/// Where any candidate is identified, those get 1 and the others at most 0.95.
/// Sorts best first; equal scores by segment and record. Pure.
void FuseScores(const FusionOptions& options, std::vector<Candidate>& candidates);

}  // namespace emptor::retrieval
