// Rates of the feed readers: bytes of the unpacked feed a second, and rows.
#include <benchmark/benchmark.h>

#include <string>

#include "catalog/feed/feed_reader.h"
#include "catalog/feed/table_parser.h"

namespace emptor::catalog {
namespace {

constexpr int kRows = 20000;

// A listing as large shops have them: 330 bytes, quoted names, grouped prices.
std::string MakeCsv() {
  std::string csv = "id,title,product_type,image_link,link,rating,review_count,sale_price,price\n";
  for (int i = 0; i < kRows; ++i) {
    const std::string id = "B" + std::to_string(1000000 + i);
    csv += id + ",\"Torvane Glide Kettle, 1.7 l, cordless, with \"\"keep warm\"\" and filter\"," +
           "Home & Kitchen > Kettles,https://images.example/I/" + id +
           "/71MMT4HYIiL._AC_UL320_.jpg,https://shop.example/Torvane-Glide-Kettle/dp/" + id +
           "/ref=sr_1_28?qid=1679143885&s=kitchen&sr=1-28,3.7,\"33,641\",49.99 USD,\"1,600 USD\"\n";
  }
  return csv;
}

std::string MakeRss() {
  std::string xml = "<rss xmlns:g=\"http://base.google.com/ns/1.0\"><channel>\n";
  for (int i = 0; i < kRows; ++i) {
    const std::string id = "B" + std::to_string(1000000 + i);
    xml += "<item><g:id>" + id + "</g:id><title>Torvane Glide Kettle &amp; lid</title>" +
           "<description><![CDATA[<p>Boils 1.7 l in four minutes.</p>]]></description>" +
           "<link>https://shop.example/dp/" + id + "</link><g:image_link>https://images.example/" +
           id + ".jpg</g:image_link><g:price>49.99 USD</g:price>" +
           "<g:availability>in stock</g:availability><g:brand>Torvane</g:brand></item>\n";
  }
  return xml + "</channel></rss>";
}

std::string MakeJsonLd() {
  std::string json = "[";
  for (int i = 0; i < kRows; ++i) {
    json += std::string(i == 0 ? "" : ",\n") + R"({"@type":"Product","sku":"B)" +
            std::to_string(i) + R"(","name":"Torvane Glide Kettle","brand":{"name":"Torvane"},)" +
            R"("offers":{"@type":"Offer","price":49.99,"priceCurrency":"USD",)" +
            R"("availability":"https://schema.org/InStock","url":"https://shop.example/dp/B"}})";
  }
  return json + "]";
}

void BM_TableParser(benchmark::State& state) {
  const std::string csv = MakeCsv();
  for (auto _ : state) {
    size_t cells = 0;
    TableParser parser(',', [&](const TableRecord& record) {
      cells += record.cells.size();
      return absl::OkStatus();
    });
    if (!parser.Push(csv).ok() || !parser.Finish().ok()) state.SkipWithError("failed");
    benchmark::DoNotOptimize(cells);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(csv.size()));
  state.SetItemsProcessed(state.iterations() * kRows);
}
BENCHMARK(BM_TableParser)->Unit(benchmark::kMillisecond);

void ReadAll(benchmark::State& state, const std::string& feed) {
  for (auto _ : state) {
    int rows = 0;
    const auto reader = MakeFeedReader({}, [&](FeedRow&& row) {
      rows += std::holds_alternative<Product>(row.record) ? 1 : 0;
      return absl::OkStatus();
    });
    if (!reader->Push(feed).ok() || !reader->Finish().ok() || rows != kRows) {
      state.SkipWithError("failed");
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(feed.size()));
  state.SetItemsProcessed(state.iterations() * kRows);
}

void BM_CsvFeed(benchmark::State& state) { ReadAll(state, MakeCsv()); }
BENCHMARK(BM_CsvFeed)->Unit(benchmark::kMillisecond);

void BM_RssFeed(benchmark::State& state) { ReadAll(state, MakeRss()); }
BENCHMARK(BM_RssFeed)->Unit(benchmark::kMillisecond);

void BM_JsonLdFeed(benchmark::State& state) { ReadAll(state, MakeJsonLd()); }
BENCHMARK(BM_JsonLdFeed)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace emptor::catalog
