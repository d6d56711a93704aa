// Feeds and single writes that the tests of generations make.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "services/shop/shop.h"

namespace emptor::services::testing {

inline absl::StatusOr<catalog::ImportReport> ImportLines(
    Shop& shop, const std::string& lines, catalog::ImportMode mode = catalog::ImportMode::kUpsert) {
  std::istringstream stream(lines);
  catalog::ImportOptions options;
  options.mode = mode;
  options.shrink_limit = 1;
  catalog::FeedOptions feed;
  feed.patches = mode == catalog::ImportMode::kUpdate;
  return shop.writer().Import(stream, feed, options, nullptr);
}

inline std::string ProductLine(const std::string& id, const std::string& title) {
  return fmt::format("{{\"id\":\"{}\",\"title\":\"{}\"}}\n", id, title);
}

/// Products p0, p1, ..., "Kettle 0 of GENERATION".
inline absl::Status FillShop(Shop& shop, int count, const std::string& generation) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += ProductLine(fmt::format("p{}", i), fmt::format("Kettle {} of {}", i, generation));
  }
  return ImportLines(shop, lines).status();
}

inline absl::Status SetPrice(Shop& shop, const std::string& id, int64_t amount) {
  catalog::ProductPatch patch;
  patch.values.id = id;
  patch.values.price = catalog::Money{amount, "USD"};
  patch.fields = {"price"};
  catalog::FeedRow row;
  row.id = id;
  row.record = patch;
  const auto result = shop.writer().Change(std::move(row), catalog::ImportMode::kUpdate);
  if (!result.ok()) return result.status();
  const bool is_refused = result->status == catalog::LineStatus::kError;
  return is_refused ? absl::InternalError(result->message) : absl::OkStatus();
}

}  // namespace emptor::services::testing
