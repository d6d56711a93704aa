// Any bytes as a model of the reranker: refused, or scoring ends for any features.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "retrieval/ranking/ranking_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::FeatureVector;
  using emptor::retrieval::RankingModel;
  const auto model = RankingModel::Parse({reinterpret_cast<const char*>(data), size});
  if (!model.ok()) return 0;
  FeatureVector features = {};
  for (size_t i = 0; i < features.size() && i < size; ++i) {
    features[i] = static_cast<float>(data[i]) / 64 - 2;
  }
  (void)model->Score(features);
  return 0;
}
