// `emptor search` as it is typed: the same orders and refusals on a data directory and through a
// service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SearchCommandTest : public ::testing::Test {
 protected:
  SearchCommandTest() {
    std::ofstream(directory_.path() + "/feed.jsonl")
        << R"({"id":"b","title":"Kettle B","price":{"amount":200,"currency":"EUR"},)"
        << R"("rating":{"value":4.8,"count":900},"updated_at":"2026-01-03T00:00:00Z"})"
        << "\n"
        << R"({"id":"c","title":"Kettle C","price":{"amount":300,"currency":"EUR"},)"
        << R"("rating":{"value":2.1,"count":900},"updated_at":"2026-01-01T00:00:00Z"})"
        << "\n"
        << R"({"id":"a","title":"Kettle A","price":{"amount":100,"currency":"EUR"},)"
        << R"("rating":{"value":3.5,"count":900},"updated_at":"2026-01-02T00:00:00Z"})"
        << "\n";
    std::string output;
    EXPECT_EQ(
        RunEmptor({"ingest", directory_.path() + "/feed.jsonl", "--data-dir", shop_}, &output), 0)
        << output;
  }

  int Search(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"search", "kettle", "--data-dir", shop_};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunEmptor(all, &output_);
  }
  std::vector<std::string> SortedBy(const std::string& order) {
    EXPECT_EQ(Search({"--json", "--sort", order}), 0) << output_;
    std::vector<std::string> ids;
    const auto reply = catalog::ParseJson(output_.substr(0, output_.find('\n')));
    EXPECT_TRUE(reply.ok() && reply->Find("items") != nullptr) << output_;
    if (!reply.ok() || reply->Find("items") == nullptr) return ids;
    for (const catalog::JsonValue& item : reply->Find("items")->as_array()) {
      ids.push_back(item.Find("id")->as_string());
    }
    return ids;
  }
  void SortsAndRefuses() {
    EXPECT_THAT(SortedBy("price_asc"), ElementsAre("a", "b", "c"));
    EXPECT_THAT(SortedBy("price_desc"), ElementsAre("c", "b", "a"));
    EXPECT_THAT(SortedBy("rating"), ElementsAre("b", "a", "c"));
    EXPECT_THAT(SortedBy("newest"), ElementsAre("b", "a", "c"));
    EXPECT_EQ(SortedBy("relevance").size(), 3u);
    EXPECT_EQ(Search({"--sort", "-price"}), 2);
    EXPECT_THAT(output_,
                HasSubstr("sort: expected relevance, popularity, rating, price_asc, price_desc or "
                          "newest"));
  }

  const TemporaryDirectory directory_;
  const std::string shop_ = directory_.path() + "/shop";
  std::string output_;
};

TEST_F(SearchCommandTest, SortsAsAskedOnADataDirectory) { SortsAndRefuses(); }

TEST_F(SearchCommandTest, SortsAsAskedThroughAService) {
  const ServiceProcess service(shop_);
  SortsAndRefuses();
}

}  // namespace
}  // namespace emptor::testing
