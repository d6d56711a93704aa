// Products that messages name, among the goods of a type.
#include "services/assistant/search/named_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/search/name_match.h"
#include "services/assistant/search/named_subject.h"
#include "services/assistant/search/price_pointers.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kPots =
    R"({"id":"oe","title":"Orvik Ember Pot OP255, Black","price":{"amount":4000,"currency":"USD"},"availability":"in_stock","rating":{"value":4.1,"count":10},"attributes":{"capacity":"1 l","author":"Ann"}}
{"id":"oe2","title":"Orvik Ember Pot OP255, 2 l","price":{"amount":6000,"currency":"USD"},"availability":"in_stock","attributes":{"capacity":"2 l","author":"Bea"}}
{"id":"op","title":"Orvik Pour Pot","price":{"amount":3000,"currency":"USD"},"availability":"in_stock","rating":{"value":3.9,"count":5},"attributes":{"capacity":"1 l"}}
{"id":"ox","title":"Orvik Raspiri Pot 21XL","price":{"amount":9000,"currency":"USD"},"availability":"in_stock","attributes":{"capacity":"3 l"}}
{"id":"zs","title":"Zelmor Slate Pot 255","price":{"amount":5000,"currency":"USD"},"availability":"in_stock","rating":{"value":4.8,"count":7},"attributes":{"capacity":"4 l"}}
{"id":"zt","title":"Zelmor Trawin Pot 235v2","price":{"amount":2000,"currency":"USD"},"availability":"in_stock","attributes":{"capacity":"1 l","author":"Ann"}}
{"id":"zu","title":"Zelmor Uskal Pot","price":{"amount":7000,"currency":"USD"},"availability":"in_stock","attributes":{"capacity":"1 l"}}
)";

class NamedPairTest : public ::testing::Test {
 protected:
  NamedPairTest() {
    shop_.Import(kPots);
    table_.members = {"oe", "oe2", "op", "ox", "zs", "zt", "zu"};
    for (const std::string& id : table_.members) {
      products_.push_back(**shop_.shop().reader().FindProduct(id));
    }
    std::vector<const catalog::Product*> pointers;
    for (const catalog::Product& each : products_) pointers.push_back(&each);
    table_.schema = TypeSchema::Learn(pointers);
    type_.name = "pot";
    type_.words = {"pot"};
  }

  /// After an answer that showed the products.
  std::vector<ConversationTurn> Shown(std::vector<std::string> ids) const {
    ConversationTurn turn;
    turn.type = type_;
    turn.shown_products = ids;
    turn.cited_products = ids;
    if (ids.size() > 1) turn.listed_products = std::move(ids);
    return {turn};
  }

  Understanding Said(const std::string& message) const {
    Understanding said;
    said.intents = {Intent::kProductDetails};
    said.language = "en";
    said.message = message;
    said.type = type_;
    return said;
  }

  NamedPair Pair(const std::string& message, const std::vector<ConversationTurn>& turns) {
    const Understanding said = Said(message);
    auto pair = FindNamedPair({shop_.shop().reader(), table_, said, turns});
    EXPECT_TRUE(pair.ok()) << pair.status();
    return pair.ok() ? *std::move(pair) : NamedPair();
  }

  std::vector<std::string> Priced(const std::string& message,
                                  const std::vector<ConversationTurn>& turns) {
    const Understanding said = Said(message);
    auto found = FindPriced({shop_.shop().reader(), table_, said, turns});
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *std::move(found) : std::vector<std::string>();
  }
  std::vector<std::string> Subject(const std::string& message,
                                   const std::vector<ConversationTurn>& turns,
                                   std::vector<std::string> referenced) {
    Understanding said = Said(message);
    said.referenced_products = std::move(referenced);
    auto found = FindNamedSubject({shop_.shop().reader(), table_, said, turns});
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *std::move(found) : std::vector<std::string>();
  }

  std::vector<std::string> Match(std::vector<std::string> words,
                                 std::set<std::string> context = {}) {
    auto match =
        MatchName(shop_.shop().reader(), table_, {std::move(words), {"pot"}, std::move(context)});
    EXPECT_TRUE(match.ok()) << match.status();
    std::vector<std::string> ids;
    if (match.ok()) {
      for (const catalog::Product& each : match->products) ids.push_back(each.id);
    }
    return ids;
  }

  testing::TestShop shop_;
  TypeTable table_;
  ProductType type_;
  std::vector<catalog::Product> products_;
};

TEST_F(NamedPairTest, AModelOutweighsAMakerAndAMakerAnOrdinaryWord) {
  EXPECT_THAT(Match({"zelmor"}), UnorderedElementsAre("zs", "zt", "zu"));
  EXPECT_THAT(Match({"zelmor", "trawin"}), ElementsAre("zt"));
  EXPECT_THAT(Match({"the", "pour"}), ElementsAre("op"));
  EXPECT_THAT(Match({"pour"}), IsEmpty()) << "an ordinary word names behind an article alone";
  EXPECT_THAT(Match({"ember", "in", "2", "l"}), ElementsAre("oe2"));
}

TEST_F(NamedPairTest, AModelThatTheTypeLacksNamesNothingWhoeverItsMakerIs) {
  EXPECT_THAT(Match({"zelmor", "bw40"}), IsEmpty());
  EXPECT_THAT(Match({"zelmor", "minivac"}), IsEmpty());
}

TEST_F(NamedPairTest, ANumberThatIsCutIsCompletedByTheOtherName) {
  EXPECT_THAT(Match({"235"}, {"zelmor", "slate", "255"}), ElementsAre("zt"));
  EXPECT_THAT(Match({"255"}, {"orvik"}), IsEmpty()) << "no product of that maker";
}

TEST_F(NamedPairTest, TwoMakersAreComparedByTheBestOfEach) {
  const NamedPair cheaper = Pair("orvik or zelmor, whichever is the cheapest", Shown({"ox", "zu"}));
  EXPECT_THAT(cheaper.ids, ElementsAre("op", "zt"));
  ASSERT_TRUE(cheaper.rank);
  EXPECT_EQ(cheaper.rank->key, "price");
  EXPECT_THAT(Pair("orvik vs zelmor", Shown({"ox", "zu"})).ids, ElementsAre("ox", "zu"))
      << "what was shown comes first";
}

TEST_F(NamedPairTest, OfSeveralOfAMakerOneThatWasShownIsMeant) {
  EXPECT_THAT(Pair("orvik or zelmor, which is better rated", Shown({"oe2", "zu"})).ids,
              ElementsAre("oe2", "zu"));
  EXPECT_THAT(Pair("orvik or zelmor, which is better rated", Shown({"zs"})).ids,
              ElementsAre("oe", "zs"))
      << "none of the maker was shown";
}

TEST_F(NamedPairTest, WhatIsDifferentFromTheFocusIsNamedBehindFrom) {
  EXPECT_THAT(Pair("how is it different from the trawin", Shown({"zs"})).ids,
              ElementsAre("zs", "zt"));
  EXPECT_THAT(Pair("diff with trawin?", Shown({"zs"})).ids, ElementsAre("zs", "zt"));
}

TEST_F(NamedPairTest, NamesOfOrdinaryWordsAreComparedWhereTheMessageCompares) {
  const auto shown = Shown({"ox", "zu"});
  EXPECT_THAT(Pair("difference between the ember and the pour", shown).ids,
              ElementsAre("oe", "op"));
  EXPECT_THAT(Pair("does it hold tea or coffee", shown).ids, IsEmpty());
  EXPECT_THAT(Pair("do you have orvik or zelmor", {}).ids, IsEmpty()) << "that searches";
}

TEST_F(NamedPairTest, WhatIsInFocusIsComparedWithTheOneThatIsNamed) {
  EXPECT_THAT(Pair("vs the trawin, what more do i get", Shown({"zs"})).ids,
              ElementsAre("zs", "zt"));
  EXPECT_THAT(Pair("difference between the first and the trawin", Shown({"zs", "ox"})).ids,
              ElementsAre("zs", "zt"));
}

TEST_F(NamedPairTest, AFurtherSideThatTheTypeLacksIsReported) {
  const NamedPair pair = Pair("orvik or zelmor or grundolf, which is cheapest", Shown({"zs"}));
  EXPECT_THAT(pair.ids, ElementsAre("op", "zt"));
  EXPECT_THAT(pair.lacking, ElementsAre("grundolf"));
}

TEST_F(NamedPairTest, AQuestionIsAboutTheProductThatItNames) {
  EXPECT_THAT(Subject("how much is the trawin", Shown({"zs", "ox"}), {"zs"}), ElementsAre("zt"));
  EXPECT_THAT(Subject("how much is the trawin", Shown({"zt"}), {"zt"}), IsEmpty())
      << "it is in question anyhow";
  EXPECT_THAT(Subject("is it loud", Shown({"zs"}), {"zs"}), IsEmpty());
  EXPECT_THAT(Subject("how much does the xl hold", Shown({"zs", "ox"}), {"zs"}), ElementsAre("ox"));
}

TEST_F(NamedPairTest, APriceAndTheEndOfAModelPointAtWhatWasShown) {
  const auto shown = Shown({"zs", "oe", "op"});
  EXPECT_THAT(Priced("the 30 dollar one, is it loud", shown), ElementsAre("op"));
  EXPECT_THAT(Priced("the $40 one", shown), ElementsAre("oe"));
  EXPECT_THAT(Priced("the 20 dollar one", shown), ElementsAre("zt")) << "the only one";
  EXPECT_THAT(Priced("the 30.00 one how loud is it", shown), ElementsAre("op"));
  EXPECT_THAT(Priced("la de 30,00, cuánto pesa", shown), ElementsAre("op"));
  EXPECT_THAT(Priced("the 77.77 one", shown), IsEmpty());
  EXPECT_THAT(Subject("how much does the op255 hold", shown, {"zs"}), ElementsAre("oe"));
}

TEST_F(NamedPairTest, ChineseSidesNeedNoBlanks) {
  EXPECT_THAT(Pair("Zelmor Uskal和Orvik Raspiri有什么区别", Shown({"zs"})).ids,
              ElementsAre("zu", "ox"));
}

TEST_F(NamedPairTest, OrdinaryWordsNameWhatWasShownAlone) {
  EXPECT_THAT(Subject("how big is the pour", Shown({"zs", "op"}), {"zs"}), ElementsAre("op"));
  EXPECT_THAT(Subject("how big is the pour", Shown({"zs", "zt"}), {"zs"}), IsEmpty());
  EXPECT_THAT(Subject("what is the capacity", Shown({"zs", "op"}), {"zs"}), IsEmpty());
}

TEST_F(NamedPairTest, TheSameInAnotherSizeIsAVariantOfTheLine) {
  Understanding said = Said("do you have it in 2 l");
  said.follows_up = true;
  said.said_words = {DemandOf("2")};
  const auto shown = Shown({"oe"});
  const auto found = FindVariants({shop_.shop().reader(), table_, said, shown}, 0, {});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(*found, ElementsAre("oe2"));
}

TEST_F(NamedPairTest, TheSameAuthorIsThatOfTheProductInQuestion) {
  const Understanding said = Said("anything else by the same author");
  const auto shown = Shown({"oe"});
  auto value = FindSharedValue({shop_.shop().reader(), table_, said, shown});
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(value->condition.name, "author");
  EXPECT_THAT(value->condition.values, ElementsAre("Ann"));
  const Understanding wanted = WithSharedValue(said, shown.back(), *std::move(value));
  EXPECT_TRUE(wanted.follows_up);
  EXPECT_THAT(wanted.excluded_products, ElementsAre("oe"));
  EXPECT_TRUE(wanted.referenced_products.empty());
}

}  // namespace
}  // namespace emptor::services
