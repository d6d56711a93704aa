// The hosts from which the pictures of a shop's products come, learned from the records.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/product.h"

namespace emptor::services {

/// "https://cdn.example" -> products with a picture from there.
using ImageHostCounts = std::unordered_map<std::string, size_t>;

/// Hosts that are counted at most: the first ones of the records.
inline constexpr size_t kMaxImageHosts = 256;
/// Hosts that a page allows at most, so that its header stays short.
inline constexpr size_t kMaxAllowedImageHosts = 32;

/// "https://cdn.example[:port]" of a link, in lower case and without the usual port. Nothing for a
/// path, another scheme, an address, and a name without a dot: only a public DNS name is learned,
/// and nothing but letters, digits, '-', '.', ':' gets into a header. Pure.
std::optional<std::string> ImageHostOf(std::string_view link);

/// Counts each host of the product's pictures once.
void CountImageHosts(const catalog::Product& product, ImageHostCounts& counts);

struct ImageHost {
  std::string host;
  size_t products = 0;
};
/// All of them, most products first, then by name. Pure.
std::vector<ImageHost> RankImageHosts(const ImageHostCounts& counts);

/// The first kMaxAllowedImageHosts of them. A host that serves over https, too, is left out over
/// http. Pure.
std::vector<std::string> AllowedImageHosts(const ImageHostCounts& counts);

}  // namespace emptor::services
