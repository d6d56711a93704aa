// Score fusion of the lexical and the vector search.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::retrieval {

/// A record that either search found, with its score in both.
struct Candidate {
  size_t segment = 0;
  uint32_t record = 0;
  float lexical = 0;        // BM25
  float vector = 0;         // cosine
  bool identified = false;  // the query is its id, GTIN or part number
  uint32_t pinned = 0;      // its place among the pinned records, from 1; 0: not pinned
  float fused = 0;
};

/// Convex combination of scores, each normalised from its least possible value to the best of the
/// candidates:
///   fused = (w_l * lexical / max lexical + w_v * (cosine + 1) / (max cosine + 1)) / (w_l + w_v)
/// Bruch, Gai, Ingber 2022, "An Analysis of Fusion Functions for Hybrid Retrieval",
/// arXiv:2210.11934 (TM2C2). Unlike cosine / max cosine, (cosine + 1) does not spread the small
/// differences of a weak embedder over the whole range; figures in docs/evaluation.md.
/// Below a `trust` of 1 in the words w_l is multiplied by it, and cosines count from a value
/// between -1 and the smallest one of the candidates, so that the vector search decides. When any
/// candidate is identified, identified ones get 1 and the others at most 0.95. Sorts best first;
/// equal scores by segment and record. Pure.
void FuseScores(const FusionOptions& options, float trust, std::vector<Candidate>& candidates);

}  // namespace emptor::retrieval
