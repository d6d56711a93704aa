// The counts of changes by which what is derived from a shop is known to be outdated.
#include "services/shop/shop_changes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "services/shop/shop_faq.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using testing::kCatalog;
using testing::TestShop;

class ShopChangesTest : public ::testing::Test {
 protected:
  /// The words of a shop that opens are read next to its writes, and count as a change when they
  /// are known.
  ShopChangesTest() { shop_.shop().lifecycle().WaitForWords(); }

  ShopChanges Now() { return shop_.shop().reader().changes(); }
  /// What changed: "content", "prices", "faq", "nothing".
  std::string ChangedBy(const std::function<void()>& change) {
    const ShopChanges before = Now();
    change();
    const ShopChanges after = Now();
    std::string what;
    if (after.content != before.content) what += "content";
    if (after.prices != before.prices) what += "prices";
    if (after.faq != before.faq) what += "faq";
    return what.empty() ? "nothing" : what;
  }
  /// The kettle K20 with one text in place of another.
  std::string K20(const std::string& from, const std::string& to) {
    std::string line(kCatalog.substr(0, kCatalog.find('\n') + 1));
    return line.replace(line.find(from), from.size(), to);
  }
  std::string ByImport(const std::string& lines) {
    return ChangedBy([&] { shop_.Import(lines); });
  }

  TestShop shop_;
};

TEST_F(ShopChangesTest, ANewPriceIsAChangeOfPricesAlone) {
  EXPECT_EQ(ByImport(K20("4999", "4999")), "nothing");
  EXPECT_EQ(ByImport(K20("4999", "5999")), "prices");
  EXPECT_EQ(ByImport(K20(R"("USD"})", R"("USD"},"sale_price":{"amount":3999,"currency":"USD"})")),
            "prices");
  EXPECT_EQ(ByImport(K20(R"("locale")", R"("updated_at":"2026-11-29T10:00:00Z","locale")")),
            "prices");
}

TEST_F(ShopChangesTest, WhateverElseChangesMayChangeWhatIsFound) {
  for (const auto& [from, to] : {std::pair("in_stock", "out_of_stock"),
                                 {"Glide", "Slide"},
                                 {"1.7 liters", "1.8 liters"},
                                 {R"("value":4.5)", R"("value":4.4)"},
                                 {R"("USD")", R"("EUR")"},
                                 {R"("price":{"amount":4999,"currency":"USD"},)", ""},
                                 {"k20.svg", "k21.svg"},
                                 {R"("locale")", R"("condition":"used","locale")"}}) {
    EXPECT_EQ(ByImport(K20(from, to)), "content") << from << " -> " << to;
    shop_.Import(std::string(kCatalog));
  }
  const std::string price_and_stock =
      K20("4999", "5001") + R"({"id":"n1","title":"New","locale":"en-US"})" + "\n";
  EXPECT_EQ(ByImport(price_and_stock), "content") << "a new record in the same batch";
  EXPECT_EQ(ByImport(R"({"id":"ship","kind":"faq","title":"Shipping?","text":"Soon."})"
                     "\n"),
            "content");
}

TEST_F(ShopChangesTest, SettingsAndFaqAreCounted) {
  ShopWriter& writer = shop_.shop().writer();
  const std::string rules = R"({"rules":[{"queries":["kettle"],"pin":["k80"]}]})";
  EXPECT_EQ(ChangedBy([&] { EXPECT_TRUE(writer.SetMerchandising(rules).ok()); }), "content");
  EXPECT_EQ(ChangedBy([&] { EXPECT_TRUE(writer.SetMerchandising(rules).ok()); }), "nothing");
  EXPECT_EQ(ChangedBy([&] { EXPECT_TRUE(writer.ReloadSynonyms().ok()); }), "nothing");
  std::ofstream(shop_.shop().directory() + "/synonyms.txt") << "kettle, boiler\n";
  EXPECT_EQ(ChangedBy([&] { EXPECT_TRUE(writer.ReloadSynonyms().ok()); }), "content");
  catalog::FaqPut put;
  put.entry.id = "wrap";
  put.entry.questions = {"Do you wrap gifts?"};
  put.entry.answer = "Yes.";
  EXPECT_EQ(ChangedBy([&] { EXPECT_TRUE(writer.faq().Write({put}, "test").ok()); }), "faq");
}

}  // namespace
}  // namespace emptor::services
