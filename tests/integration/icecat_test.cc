// A real catalog of 19,406 products through the real executable: ingested, searched, asked.
#include "tests/support/icecat.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "catalog/encoding/json.h"
#include "catalog/product_json.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

TEST(IcecatTest, WholeCatalogIsIngestedSearchableAndAnswered) {
  const auto products = ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status().ToString();
  ASSERT_TRUE(products.ok()) << products.status().ToString();
  TemporaryDirectory directory;
  const std::string feed = directory.path() + "/icecat.jsonl";
  {
    std::ofstream file(feed);
    for (const catalog::Product& product : *products) file << catalog::ToJson(product) << '\n';
  }
  const std::string shop = directory.path() + "/shop";
  std::string output;
  ASSERT_EQ(RunEmptor({"ingest", feed, "--data-dir", shop}, &output), 0) << output;
  EXPECT_NE(output.find("19406"), std::string::npos) << output;

  ASSERT_EQ(RunEmptor({"search", "27 inch monitor displayport", "--data-dir", shop}, &output), 0)
      << output;
  EXPECT_NE(output.find("/p/"), std::string::npos) << output;

  ServiceProcess service(shop);
  EXPECT_EQ(service.Metric("emptor_catalog_products"), 19406);
  ASSERT_EQ(RunEmptor({"search", "noise cancelling headphones under 200 not sony", "--json",
                       "--url", "http://127.0.0.1:" + std::to_string(service.port())},
                      &output),
            0)
      << output;
  const auto reply = catalog::ParseJson(output.substr(0, output.find_last_not_of('\n') + 1));
  ASSERT_TRUE(reply.ok()) << reply.status() << output;
  EXPECT_FALSE(reply->Find("items")->as_array().empty());
  for (const catalog::JsonValue& item : reply->Find("items")->as_array()) {
    EXPECT_NE(item.Find("brand")->as_string(), "Sony");
    EXPECT_LE(item.Find("price")->Find("amount")->as_int(), 20000);
  }
  EXPECT_EQ(reply->Find("filters")->Find("price")->Find("max")->as_int(), 20000);
  EXPECT_EQ(reply->Find("filters")->Find("not_brands")->as_array().at(0).as_string(), "Sony");
  EXPECT_EQ(reply->Find("relaxed"), nullptr);

  const Answer answer = service.Ask("quiet 27 inch monitor with DisplayPort under 300");
  ASSERT_EQ(answer.status, 200);
  ASSERT_FALSE(answer.products.empty());
  EXPECT_FALSE(answer.text.empty());
  for (const catalog::JsonValue& item : answer.products) {
    EXPECT_LE(item.Find("price")->Find("amount")->as_int(), 30000);
    EXPECT_FALSE(item.Find("url")->as_string().empty());
    EXPECT_FALSE(item.Find("image_url")->as_string().empty());
  }
}

}  // namespace
}  // namespace emptor::testing
