// Any bytes as an XML feed, and as the inside of an item between two that are sound.
#include "tests/fuzz/feed_fuzz.h"

namespace emptor::testing {
namespace {

constexpr catalog::FeedFormat kXml = catalog::FeedFormat::kGoogleXml;

FeedReport ReadXml(std::string_view xml, size_t piece) {
  return ReadFeed(xml, {.format = kXml, .columns = {}}, piece);
}

// What was rejected can be put together and read again, as --retry does.
void RetryRejected(std::string_view feed) {
  std::string rejected;
  const auto reader =
      catalog::MakeFeedReader({.format = kXml, .columns = {}}, [&](catalog::FeedRow&& row) {
        rejected += row.raw + "\n";
        return absl::OkStatus();
      });
  if (!reader->Push(feed).ok() || !reader->Finish().ok()) return;
  RequireOfFeed(rejected.empty() || !reader->preamble().empty());
  const FeedReport retried = ReadXml(
      std::string(reader->preamble()) + rejected + std::string(reader->postamble()), 1u << 16);
  RequireOfFeed(FindBrokenPromise(retried).empty());
}

// Whatever an item holds, the one before it stands; where it holds no markup, it is one row and the
// next item is another.
void FuzzInside(std::string_view inside, size_t piece) {
  const auto item = [](std::string_view id, std::string_view text) {
    return "<item><id>" + std::string(id) + "</id><title>" + std::string(text) + "</title></item>";
  };
  const std::string feed = "<?xml version='1.0' encoding='UTF-8'?><rss>" + item("first", "T") +
                           item("inner", std::string(inside)) + item("last", "T") + "</rss>";
  const FeedReport report = ReadXml(feed, piece);
  RequireOfFeed(FindBrokenPromise(report).empty());
  RequireOfFeed(!report.rows.empty() && report.rows.front().id == "first");
  if (inside.find('<') != std::string_view::npos) return;
  RequireOfFeed(report.status.ok() && report.rows.size() == 3 && report.rows[2].id == "last");
}

}  // namespace
}  // namespace emptor::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::testing::kXml;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  emptor::testing::RetryRejected(text);
  emptor::testing::FuzzInside(text, 1 + data[0] / 8u);
  return emptor::testing::FuzzFeed(kXml, data, size);
}
