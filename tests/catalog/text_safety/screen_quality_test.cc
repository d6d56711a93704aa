// The injection screen on real text: attacks planted in real descriptions, and real listings.
// Attacks and listings are parted by hash into two halves: rules, phrases and threshold were chosen
// with a look at the first; the second is what is reported and held to the target.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "catalog/encoding/sha256.h"
#include "catalog/encoding/utf8.h"
#include "catalog/text_safety/safe_record.h"
#include "tests/support/bestbuy.h"
#include "tests/support/dataset_text.h"
#include "tests/support/icecat.h"
#include "tests/support/test_data.h"

namespace emptor::catalog {
namespace {

struct Share {
  size_t found = 0, all = 0;
  double value() const {
    return all == 0 ? 0 : static_cast<double>(found) / static_cast<double>(all);
  }
  void Count(bool is_found) {
    ++all;
    found += is_found;
  }
};

bool IsHeldOut(const std::string& text) {
  return ((ComputeSha256(text.data(), text.size())[0] >> 4) & 1) != 0;
}

bool IsQuarantined(Product product) {
  MakeSafe(ScreenPolicy::kQuarantine, product);
  return !product.quarantine.empty();
}

/// The names of amazon_in: the second of its comma-separated columns.
std::vector<Product> ReadAmazonNames() {
  std::vector<Product> products;
  const auto text = testing::ReadTestData("amazon_in/products.csv.zst");
  if (!text.ok()) return products;
  std::string field;
  size_t column = 0;
  bool quoted = false;
  for (const char c : *text) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != ',' && c != '\n')) {
      if (c != '"') field += c;
      continue;
    }
    if (column == 1) products.emplace_back().title = field;
    column = c == ',' ? column + 1 : 0;
    field.clear();
  }
  if (!products.empty()) products.erase(products.begin());  // the heading
  return products;
}

struct Attack {
  std::string source, text;
};

absl::StatusOr<std::vector<Attack>> ReadAttacks() {
  std::vector<Attack> attacks;
  const absl::Status read =
      testing::ForEachRow("safety_prompts/prompts.jsonl.zst", [&](const JsonValue& row) {
        if (row.Find("label")->as_string() != "attack") return;
        attacks.push_back({row.Find("source")->as_string(), row.Find("text")->as_string()});
      });
  if (!read.ok()) return read;
  return attacks;
}

TEST(ScreenQualityTest, FindsPlantedAttacksAndSparesListings) {
  const auto attacks = ReadAttacks();
  if (absl::IsNotFound(attacks.status())) GTEST_SKIP() << attacks.status().message();
  ASSERT_TRUE(attacks.ok()) << attacks.status();
  std::map<std::string, std::vector<Product>> listings;
  listings["amazon_in"] = ReadAmazonNames();
  const auto icecat = testing::ReadIcecatProducts();
  const auto bestbuy = testing::ReadBestBuyProducts();
  if (icecat.ok()) listings["icecat_chorus"] = *icecat;
  if (bestbuy.ok()) listings["bestbuy_retrotech"] = *bestbuy;

  constexpr std::array<const char*, 2> kHalves = {"seen while developing", "held out"};
  std::array<std::map<std::string, Share>, 2> alarms, caught;
  std::array<std::vector<const Product*>, 2> hosts;  // what attacks are planted in
  for (const auto& [name, products] : listings) {
    for (const Product& product : products) {
      const bool half = IsHeldOut(product.title + product.description);
      const bool alarm = IsQuarantined(product);
      alarms[half][name].Count(alarm);
      if (!alarm && product.description.size() > 100) hosts[half].push_back(&product);
    }
  }
  ASSERT_FALSE(hosts[0].empty() || hosts[1].empty());
  std::array<size_t, 2> next{};
  for (const Attack& attack : *attacks) {
    const bool half = IsHeldOut(attack.text);
    const auto& half_hosts = hosts[half];
    Product product = *half_hosts[(next[half] += 997) % half_hosts.size()];
    const std::string_view front = Utf8Prefix(product.description, 60);
    product.description =
        std::string(front) + "... " + attack.text + "\n" + product.description.substr(front.size());
    const bool found = IsQuarantined(product);
    caught[half][attack.source].Count(found);
    caught[half]["all"].Count(found);
  }
  for (size_t half = 0; half < 2; ++half) {
    std::printf("%s\n", kHalves[half]);
    for (const auto& [name, share] : caught[half]) {
      std::printf("  recall       %-20s %5.3f of %zu\n", name.c_str(), share.value(), share.all);
    }
    for (const auto& [name, share] : alarms[half]) {
      std::printf("  false alarms %-20s %6.4f of %zu\n", name.c_str(), share.value(), share.all);
    }
  }
  EXPECT_GE(caught[1]["all"].value(), 0.8);
  for (const auto& [name, share] : alarms[1]) EXPECT_LE(share.value(), 0.01) << name;
}

}  // namespace
}  // namespace emptor::catalog
