// The reranker of the settings.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/ranking/ranking_model.h"

namespace emptor::services {

/// The model of the setting `ranker`; null where that is "none" or empty. Errors: those of
/// RankingModel::Load.
absl::StatusOr<std::shared_ptr<const retrieval::RankingModel>> LoadRanker(
    const std::string& setting);

}  // namespace emptor::services
