// The step between fusion and the answer: the first candidates in the order of a learned model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "retrieval/hybrid/fusion.h"
#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/ranking/ranking_model.h"

namespace emptor::retrieval {

/// How many candidates are reranked.
inline constexpr size_t kReranked = 50;

/// Reorders the first kReranked `candidates` (sorted by fused score) by the model's score; those
/// that the query identifies stay in front. Scores stay where they are: place i has the fused score
/// that place i had, so that they keep falling and mean the same as without a model.
/// `terms` are the query's, with their idf. Null `model`: only `on_features` is served.
void Rerank(const Snapshot& snapshot, std::span<const QueryTerm> terms, const RankingModel* model,
            const std::function<void(const std::string& id, const FeatureVector&)>& on_features,
            std::vector<Candidate>& candidates);

}  // namespace emptor::retrieval
