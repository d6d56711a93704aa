// Goods that fit a product: their records name its model.
#pragma once

#include <optional>
#include <string_view>

#include "services/assistant/schema/record_words.h"

namespace emptor::services {

/// What a record must say to fit the product of this title: "5550V" or "Phaser 5550" of "Xerox
/// Phaser 5550V laser printer". Nothing where the title names no model. Pure.
std::optional<WordCondition> DemandOfModel(std::string_view title);

}  // namespace emptor::services
