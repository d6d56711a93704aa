// The files of services/web, embedded in the executable when it is built.
#pragma once

#include <span>
#include <string_view>

namespace emptor::services {

struct WebAsset {
  std::string_view name;  // "index.html"
  std::string_view content_type;
  std::string_view etag;  // quoted
  std::string_view body;
};

std::span<const WebAsset> WebAssets();

}  // namespace emptor::services
