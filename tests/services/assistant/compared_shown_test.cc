// Comparisons of what was shown: by places, names, ranks and pronouns, in five languages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/assistant/reading/message_spelling.h"
#include "tests/services/assistant/power_shop.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// p1 Voltry Slim, p2 Voltry Max, p3 Sonaro Solar.
class ComparedShownTest : public testing::PowerShopTest {
 protected:
  /// After all three, and then a question about `id`.
  std::vector<ConversationTurn> Focused(const std::string& id) {
    ConversationTurn list =
        testing::TurnOn("power bank", "Power > Power Banks", {"p1", "p2", "p3"});
    ConversationTurn one = list;
    one.shown_products = one.cited_products = {id};
    return {list, one};
  }
  void Expect(const std::string& message, const std::vector<ConversationTurn>& turns,
              const std::vector<std::string>& products) {
    const Understanding read = Read(message, turns);
    EXPECT_EQ(read.referenced_products, products) << message;
    EXPECT_TRUE(read.compares_shown) << message;
    EXPECT_TRUE(read.Has(Intent::kProductComparison)) << message;
    EXPECT_FALSE(read.rank.has_value()) << message;
  }
};

TEST_F(ComparedShownTest, ThatIsTheProductInFocus) {
  for (const char* each :
       {"what makes that different from the first one", "how does it differ from the first",
        "worin unterscheidet er sich vom ersten", "en quoi est-il différent du premier ?",
        "¿en qué se distingue del primero?", "它和第一个有什么不同"}) {
    Expect(each, Focused("p2"), {"p2", "p1"});
  }
}

TEST_F(ComparedShownTest, ASideThatIsLeftOutIsTheProductInFocus) {
  for (const char* each : {"difference to the last one?", "what sets it apart from the third",
                           "unterschied zum letzten?", "vergleich mal mit dem dritten",
                           "c'est quoi la différence avec le dernier", "diferencia con el último",
                           "跟第三个有什么区别"}) {
    Expect(each, Focused("p1"), {"p1", "p3"});
  }
}

TEST_F(ComparedShownTest, WhatRanksFirstIsOneOfTheList) {
  for (const char* each :
       {"whats the difference to the priciest one", "was ist der unterschied zum teuersten",
        "quelle différence avec le plus cher", "en que se diferencia del más caro",
        "和最贵的差在哪里"}) {
    Expect(each, Focused("p1"), {"p1", "p2"});
  }
}

TEST_F(ComparedShownTest, ANameIsOneOfWhatWasShown) {
  for (const char* each :
       {"how does that compare with the sonaro", "vergleich das mal mit dem sonaro",
        "c'est quoi la différence avec le sonaro", "compáralo con el sonaro",
        "它和sonaro有什么区别"}) {
    Expect(each, Focused("p1"), {"p1", "p3"});
  }
  Expect("diff between slim and solar", Focused("p2"), {"p1", "p3"});
}

TEST_F(ComparedShownTest, BothSidesMayBePlacesOfTheList) {
  for (const char* each : {"compare 1st and 3rd", "was unterscheidet den ersten vom dritten",
                           "la différence entre le premier et le troisième",
                           "compara el primero con el tercero", "第一个和第三个哪里不同"}) {
    Expect(each, Focused("p2"), {"p1", "p3"});
  }
}

TEST_F(ComparedShownTest, TheFirstOfAnEarlierListIsMeantWhereTheFocusIsTheFirst) {
  ConversationTurn cheaper = testing::TurnOn("power bank", "Power > Power Banks", {"p3", "p1"});
  cheaper.first_list = {"p2", "p3"};
  const std::vector<ConversationTurn> turns = {
      testing::TurnOn("power bank", "Power > Power Banks", {"p2", "p3"}), cheaper};
  Expect("how is that different from the first one", turns, {"p3", "p2"});
  Expect("compare 1st and that one", turns, {"p2", "p3"});
  // Of one list, the next one.
  Expect("how is that different from the first one", {OnBanks()}, {"p1", "p2"});
}

TEST_F(ComparedShownTest, AComparisonGoesOn) {
  std::vector<ConversationTurn> turns = Focused("p2");
  turns.back().question = "how does it compare to the cheapest";
  Expect("and to the last one?", turns, {"p2", "p3"});
  EXPECT_FALSE(Read("and the last one?", Focused("p2")).compares_shown);
}

TEST_F(ComparedShownTest, OtherGoodsAreNotComparedWithWhatWasShown) {
  for (const char* each : {"anything better than the first one?", "is it better than the first one",
                           "compare it with the torvane laptop", "compare your power banks"}) {
    EXPECT_FALSE(Read(each, Focused("p2")).compares_shown) << each;
  }
}

TEST(ShownNamingTest, AMakerThatStandsFarInATitleNamesNothing) {
  const std::vector<catalog::Product> records = {
      testing::Record("Square Silicone Basket Liners for Fryers of Torvane", 500, {}),
      testing::Record("Torvane Crisp Fryer", 9000, {})};
  const auto record_of = [&](const std::string& id) -> std::optional<catalog::Product> {
    catalog::Product product = records[static_cast<size_t>(id.back() - '1')];
    product.id = id;
    return product;
  };
  const ShownNaming naming{
      .text = FoldedMessage("the torvane"), .language = "en", .takes_first = true};
  EXPECT_EQ(FindNamedShown({"f1", "f2"}, naming, record_of), "f2");
}

TEST(SpelledNameTest, ANameOfRecordsIsNoCompound) {
  const auto mentions = [](const std::string& word) { return word == "trailwyn" ? 4u : 0u; };
  EXPECT_EQ(SpellOut("der Trailwyn", "de", mentions), "der Trailwyn");
  EXPECT_EQ(SpellOut("Mixer mit Glaskrug", "de", mentions), "Mixer mit glas krug");
}

}  // namespace
}  // namespace emptor::services
