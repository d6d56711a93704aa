// The models of data/turns as constants.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kTurnKindModel;
extern const std::string_view kTurnPointingModel;

}  // namespace emptor::services
