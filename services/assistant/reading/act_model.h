// data/acts/model.txt as a constant.
#pragma once

#include <string_view>

namespace emptor::services {

extern const std::string_view kActModel;

}  // namespace emptor::services
