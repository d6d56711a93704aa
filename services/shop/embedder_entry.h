// The metadata entry that names the embedder of a store's vectors.
#pragma once

#include <string_view>

namespace emptor::services {

inline constexpr std::string_view kEmbedderEntry = "embedder";

}  // namespace emptor::services
