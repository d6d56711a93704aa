// Runs the feed's reader until the first row without a currency.
#include "catalog/feed/currency_check.h"

#include <string>
#include <string_view>

#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kReadBytes = 1u << 16;

}  // namespace

absl::Status CheckCurrencies(std::istream& feed, const FeedOptions& options) {
  absl::Status found;
  const auto reader = MakeFeedReader(options, [&](FeedRow&& row) {
    if (row.lacks_currency.empty()) return absl::OkStatus();
    found = absl::InvalidArgumentError(fmt::format(
        "line {}: {}: the amount names no currency, and the shop has no prices to take one from: "
        "name the currency of the feed, such as --currency EUR (over HTTP: currency=EUR)",
        row.line, row.lacks_currency));
    return absl::CancelledError("found");
  });
  std::string chunk(kReadBytes, '\0');
  absl::Status read;
  while (feed && read.ok() && reader->format() != FeedFormat::kJsonl) {
    feed.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    read = reader->Push(std::string_view(chunk).substr(0, static_cast<size_t>(feed.gcount())));
  }
  if (read.ok() && reader->format() != FeedFormat::kJsonl) read = reader->Finish();
  feed.clear();
  feed.seekg(0);
  if (feed || !found.ok()) return found;
  return absl::InvalidArgumentError(
      "the feed cannot be read twice: name its currency, such as --currency EUR");
}

}  // namespace emptor::catalog
