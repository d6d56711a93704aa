// The public routes of a shop: assistant, search, products, pages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/api/router.h"
#include "services/api/static_files.h"
#include "services/assistant/assistant.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct ShopRoutesOptions {
  std::string shop = {};        // its name
  std::string public_url = {};  // "https://shop.example"; empty: from the request's Host header
  /// Hosts from which the pages may load images; nothing: those of the shop's records.
  std::optional<std::vector<std::string>> image_hosts = {};
  int max_answer_tokens = 256;  // when the request names none
};

/// All are borrowed and outlive the routes.
struct ShopRoutesParts {
  const ShopReader& shop;
  Assistant& assistant;
  WorkerPool& workers;  // searches
  const StaticFiles& pages;
  const StaticFiles& images;
  std::function<int64_t()> now_unix;
  /// Called after each search; may be empty.
  std::function<void(double seconds)> on_search;
  /// Called after a search that found nothing although the shopper set no filters; may be empty.
  std::function<void(const std::string& query, const std::string& locale)> on_empty_search = {};
};

std::vector<Route> MakeShopRoutes(const ShopRoutesOptions& options, const ShopRoutesParts& parts);

/// `public_url`, or without one "http://host[:port]" of the request.
std::string BaseUrl(const std::string& public_url, const Request& request);

}  // namespace emptor::services
