// Words, times and ids of merchants' feeds.
#include "catalog/feed/vocabulary.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/timestamp.h"

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

TEST(VocabularyTest, KnowsEveryWordOfStockInAnySpelling) {
  const std::vector<std::pair<Availability, std::vector<const char*>>> words = {
      {Availability::kInStock,
       {"In Stock", "IN_STOCK", "available", "Yes", "TRUE", "limited-availability", "Limited Stock",
        "low stock", "OnlineOnly", "in store only", "i lager", "auf Lager", "lieferbar", "en stock",
        "schema:InStock", "  in stock\t"}},
      {Availability::kOutOfStock,
       {"out of stock", "OutOfStock", "not in stock", "Not Available", "unavailable", "no", "False",
        "sold out", "SoldOut", "Discontinued", "reserved", "slut i lager", "ausverkauft",
        "nicht lieferbar"}},
      {Availability::kPreorder, {"preorder", "pre order", "PreSale", "coming soon"}},
      {Availability::kBackorder,
       {"backorder", "Back-Ordered", "available for order", "MadeToOrder"}}};
  for (const auto& [availability, spellings] : words) {
    for (const char* text : spellings) EXPECT_EQ(ReadAvailability(text), availability) << text;
  }
  for (const std::string& text :
       {std::string(""), std::string(" "), std::string("in stock soon"), std::string("stock"),
        std::string("instock\0", 8), std::string("i\xCC\x87n stock"), std::string(100, 'x'),
        "in stock" + std::string(100, ' ') + "x"}) {
    EXPECT_EQ(ReadAvailability(text), std::nullopt) << text;
  }
}

TEST(VocabularyTest, KnowsEveryWordOfCondition) {
  const std::vector<std::pair<Condition, std::vector<const char*>>> words = {
      {Condition::kNew, {"new", "NEW", "NewCondition", "brand new", "neu", "ny"}},
      {Condition::kRefurbished,
       {"refurbished", "RefurbishedCondition", "re-conditioned", "Renewed"}},
      {Condition::kUsed,
       {"used", "second hand", "pre-owned", "DamagedCondition", "gebraucht",
        "http://schema.org/UsedCondition"}}};
  for (const auto& [condition, spellings] : words) {
    for (const char* text : spellings) EXPECT_EQ(ReadCondition(text), condition) << text;
  }
  for (const char* text : {"", "newish", "as new", "old"}) {
    EXPECT_EQ(ReadCondition(text), std::nullopt) << text;
  }
}

TEST(VocabularyTest, ReadsYesAndNo) {
  for (const char* text : {"true", "TRUE", " yes ", "1"}) EXPECT_EQ(ReadBool(text), true) << text;
  for (const char* text : {"false", "No", "0"}) EXPECT_EQ(ReadBool(text), false) << text;
  for (const char* text : {"", "2", "y", "truefalse", "on", "00"}) {
    EXPECT_EQ(ReadBool(text), std::nullopt) << text;
  }
  EXPECT_TRUE(IsNotStocked("not stocked"));
  EXPECT_TRUE(IsNotStocked("Not Stocked "));
  EXPECT_FALSE(IsNotStocked("stocked"));
  EXPECT_FALSE(IsNotStocked(""));
}

TEST(VocabularyTest, ReadsTimesThatLeavePartsOut) {
  const std::vector<std::pair<const char*, const char*>> times = {
      {"2026-11-20", "2026-11-20T00:00:00Z"},
      {"2026-11-20T12:30", "2026-11-20T12:30:00Z"},
      {"2026-11-20T12:30Z", "2026-11-20T12:30:00Z"},
      {"2026-11-20T12:30:15", "2026-11-20T12:30:15Z"},
      {"2026-11-20T12:30-0800", "2026-11-20T20:30:00Z"},
      {"2026-11-20T12:30:15+05:30", "2026-11-20T07:00:15Z"},
      {"2026-11-20T12:30+01", "2026-11-20T11:30:00Z"},
      {" 2024-02-29 ", "2024-02-29T00:00:00Z"},
  };
  for (const auto& [text, want] : times) {
    const auto time = ReadTime(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(FormatRfc3339(*time), want) << text;
  }
  const auto end = ReadTime("2026-12-31", true);
  ASSERT_TRUE(end);
  EXPECT_EQ(FormatRfc3339(*end), "2027-01-01T00:00:00Z");
  for (const std::string& text :
       {std::string(""), std::string("2026"), std::string("20.11.2026"), std::string("2026-02-30"),
        std::string("2025-02-29"), std::string("2026-13-01"), std::string("2026-11-20T24:01"),
        std::string("2026-11-20T12:60"), std::string("2026-11-20T12:30+99:99"),
        std::string("2026-11-20T"), std::string("2026-11-20T+-Z"), std::string("-026-11-20"),
        std::string("2026-11-20T12:30:15.") + std::string(40, '1')}) {
    EXPECT_EQ(ReadTime(text), std::nullopt) << text;
  }
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
