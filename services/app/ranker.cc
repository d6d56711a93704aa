// A model from its file, or none.
#include "services/app/ranker.h"

#include <utility>

namespace emptor::services {

absl::StatusOr<std::shared_ptr<const retrieval::RankingModel>> LoadRanker(
    const std::string& setting) {
  std::shared_ptr<const retrieval::RankingModel> ranker;
  if (setting.empty() || setting == "none") return ranker;
  auto model = retrieval::RankingModel::Load(setting);
  if (!model.ok()) return model.status();
  ranker = std::make_shared<const retrieval::RankingModel>(*std::move(model));
  return ranker;
}

}  // namespace emptor::services
