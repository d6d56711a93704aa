// The learned order of candidates: a linear sum or regression trees over features.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/ranking/features.h"

namespace emptor::retrieval {

/// Either part may be empty; the score is the sum of both. Immutable after Parse.
/// Trees: gradient boosting of regression trees on LambdaRank gradients (Burges 2010, "From RankNet
/// to LambdaRank to LambdaMART"). Thread-safety: const methods.
class RankingModel {
 public:
  /// Reads docs/formats/ranking_model.md. Errors: kInvalidArgument, with the place: not JSON, an
  /// unknown feature, a number that is not finite, a child that is not behind its parent.
  static absl::StatusOr<RankingModel> Parse(std::string_view json);
  /// The same from a file. Errors: also kNotFound.
  static absl::StatusOr<RankingModel> Load(const std::string& path);

  /// Higher is better; comparable within one query.
  float Score(const FeatureVector& features) const;

  size_t tree_count() const { return roots_.size(); }

 private:
  struct Node {
    float value = 0;       // of a leaf; of a fork: features at most this go left
    int32_t feature = -1;  // -1: a leaf
    uint32_t left = 0, right = 0;
  };
  FeatureVector weights_ = {};
  std::vector<Node> nodes_;
  std::vector<uint32_t> roots_;
  friend class RankingModelReader;
};

}  // namespace emptor::retrieval
