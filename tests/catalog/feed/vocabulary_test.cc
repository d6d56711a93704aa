// Words, times and ids of merchants' feeds.
#include "catalog/feed/vocabulary.h"

#include <gtest/gtest.h>

#include "catalog/timestamp.h"

namespace emptor::catalog {
namespace {

TEST(VocabularyTest, KnowsTheWordsOfStockAndCondition) {
  for (const char* text : {"in stock", "InStock", "http://schema.org/InStock", "in_stock",
                           "https://schema.org/LimitedAvailability", "Available"}) {
    EXPECT_EQ(ReadAvailability(text), Availability::kInStock) << text;
  }
  EXPECT_EQ(ReadAvailability("Out of Stock"), Availability::kOutOfStock);
  EXPECT_EQ(ReadAvailability("pre-order"), Availability::kPreorder);
  EXPECT_EQ(ReadAvailability("https://schema.org/BackOrder"), Availability::kBackorder);
  EXPECT_EQ(ReadAvailability("maybe"), std::nullopt);
  EXPECT_EQ(ReadCondition("https://schema.org/UsedCondition"), Condition::kUsed);
  EXPECT_EQ(ReadCondition("refurbished"), Condition::kRefurbished);
  EXPECT_EQ(ReadCondition("shiny"), std::nullopt);
}

TEST(VocabularyTest, ReadsIntervalsInGooglesForms) {
  const auto with_offset = ReadInterval("2026-11-20T00:00+0100/2026-11-28T23:59:30+01:00");
  ASSERT_TRUE(with_offset);
  EXPECT_EQ(FormatRfc3339(*with_offset->start), "2026-11-19T23:00:00Z");
  EXPECT_EQ(FormatRfc3339(*with_offset->end), "2026-11-28T22:59:30Z");
  const auto dates = ReadInterval("2026-11-20 / 2026-11-28");
  ASSERT_TRUE(dates);
  EXPECT_EQ(FormatRfc3339(*dates->start), "2026-11-20T00:00:00Z");
  EXPECT_EQ(FormatRfc3339(*dates->end), "2026-11-29T00:00:00Z");  // the last day belongs to it
  for (const char* text : {"", "/", "2026-11-20", "2026-11-28/2026-11-20", "a/b", "2026-13-01/"}) {
    EXPECT_EQ(ReadInterval(text), std::nullopt) << text;
  }
}

TEST(VocabularyTest, MapsIdsThatDoNotFitToOnesThatDo) {
  EXPECT_EQ(MapId("K20-red"), "K20-red");
  EXPECT_EQ(MapId(" K20 "), "K20");
  const auto mapped = MapId("SKU 12/ä");
  ASSERT_TRUE(mapped);
  EXPECT_TRUE(IsValidId(*mapped)) << *mapped;
  EXPECT_TRUE(mapped->starts_with("SKU-12-")) << *mapped;
  EXPECT_EQ(MapId("SKU 12/ä"), mapped);
  EXPECT_NE(MapId("SKU 12/ö"), mapped);
  for (const std::string& id : {std::string("../etc"), std::string("..."), std::string("é"),
                                std::string("-x"), std::string(512, 'x')}) {
    const auto found = MapId(id);
    ASSERT_TRUE(found) << id;
    EXPECT_TRUE(IsValidId(*found)) << *found;
  }
  EXPECT_EQ(MapId(""), std::nullopt);
  EXPECT_EQ(MapId("\xFF"), std::nullopt);
  EXPECT_EQ(MapId(std::string(513, 'x')), std::nullopt);
}

}  // namespace
}  // namespace emptor::catalog
