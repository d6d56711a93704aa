// Messages of a conversation: what was shown, an earlier topic, the whole shop, or something else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/reading/search_conditions.h"
#include "tests/services/assistant/shown_turn.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::SchemaOf;
using testing::TurnOn;

catalog::Product Article(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

/// A shop of coffee makers and laptops. The conversation was about laptops, then coffee makers.
class TurnReadingTest : public ::testing::Test {
 protected:
  TurnReadingTest() {
    profile_.categories = {{"Kitchen > Coffee Makers", 3}, {"Computing > Laptops", 2}};
    maker_schema_ = SchemaOf(makers_);
    laptop_schema_ = SchemaOf(laptops_);
  }

  ConversationTurn OnMakers() {
    return TurnOn("coffee maker", "Kitchen > Coffee Makers", {"c1", "c2", "c3"});
  }
  ConversationTurn OnLaptops() { return TurnOn("laptop", "Computing > Laptops", {"l1", "l2"}); }
  /// After a question about one of the coffee makers.
  ConversationTurn OnOneMaker() {
    ConversationTurn turn = OnMakers();
    turn.shown_products = {"c2"};
    turn.cited_products = {"c2"};
    return turn;
  }

  Understanding Read(const std::string& message, std::vector<ConversationTurn> turns = {}) {
    UnderstandingInput input;
    input.message = message;
    input.turns = std::move(turns);
    input.profile = &profile_;
    input.vocabulary.mentions = [](const std::string& term) {
      return term == "coffee" || term == "laptop" ? 3u : 0u;
    };
    input.schema_of = [this](const ProductType& type, const std::string&) {
      return type.name == "laptop" ? &laptop_schema_ : &maker_schema_;
    };
    input.record_of = [this](const std::string& id) -> std::optional<catalog::Product> {
      const auto& records = id.front() == 'l' ? laptops_ : makers_;
      const size_t at = static_cast<size_t>(id.back() - '1');
      if (at >= records.size()) return std::nullopt;
      catalog::Product product = records[at];
      product.id = id;
      return product;
    };
    return Understand(input);
  }

  ShopProfile profile_;
  const std::vector<catalog::Product> makers_ = {
      Article("Velsar Espresso Machine V1", {{"pressure", "15 bar"}, {"timer", "yes"}}),
      Article("Velsar Filter Machine F2", {{"pressure", "1 bar"}, {"timer", "no"}}),
      Article("Torvane Espresso Machine T3", {{"pressure", "9 bar"}, {"timer", "no"}})};
  const std::vector<catalog::Product> laptops_ = {
      Article("Quellin Laptop 14", {{"weight", "1.2 kg"}, {"backlit keyboard", "yes"}}),
      Article("Quellin Gaming Laptop 16", {{"weight", "2.4 kg"}, {"backlit keyboard", "no"}})};
  TypeSchema maker_schema_, laptop_schema_;
};

std::vector<std::string> TextsOf(const std::vector<WordCondition>& conditions) {
  std::vector<std::string> texts;
  for (const WordCondition& each : conditions) texts.push_back(each.text);
  return texts;
}

TEST_F(TurnReadingTest, AnotherOneIsNoQuestionAboutTheProductInFocus) {
  for (const char* message : {"what about a filter machine", "how about a filter machine?"}) {
    const Understanding other = Read(message, {OnMakers(), OnOneMaker()});
    EXPECT_THAT(other.referenced_products, IsEmpty()) << message;
    EXPECT_TRUE(other.follows_up) << message;
    EXPECT_THAT(TextsOf(other.words), ::testing::Contains("filter")) << message;
  }
  const Understanding stays = Read("what about the timer?", {OnMakers(), OnOneMaker()});
  EXPECT_THAT(stays.referenced_products, ElementsAre("c2")) << "an attribute of it";
  const Understanding place = Read("what about the first one", {OnMakers(), OnOneMaker()});
  EXPECT_THAT(place.referenced_products, ElementsAre("c1"));
}

TEST_F(TurnReadingTest, TwoSidesAreComparedByYesOrNo) {
  for (const char* message : {"does the first one weigh less than the second?",
                              "¿la primera es más ligera que la segunda?", "第一个比第二个轻吗"}) {
    const Understanding asks = Read(message, {OnLaptops()});
    EXPECT_TRUE(asks.asks_whether) << message;
    EXPECT_THAT(asks.referenced_products, ElementsAre("l1", "l2")) << message;
  }
  EXPECT_FALSE(Read("which one is lighter?", {OnLaptops()}).asks_whether);
}

TEST_F(TurnReadingTest, ASearchMayBeComparedWithAProductByItsName) {
  for (const char* message :
       {"a coffee maker cheaper than the F2 Filter", "anything cheaper than the filter machine?"}) {
    const Understanding cheaper = Read(message, {OnMakers()});
    EXPECT_TRUE(cheaper.comparison.has_value()) << message;
    EXPECT_THAT(cheaper.referenced_products, ElementsAre("c2")) << message;
  }
}

TEST_F(TurnReadingTest, APatternIsNoProductThatIsAskedAbout) {
  const Understanding like = Read("something like that with a timer?", {OnMakers(), OnOneMaker()});
  EXPECT_THAT(like.referenced_products, IsEmpty());
  EXPECT_TRUE(like.follows_up);
}

TEST_F(TurnReadingTest, EachAsksOfTheWholeList) {
  EXPECT_THAT(Read("what is the pressure of each?", {OnMakers(), OnOneMaker()}).referenced_products,
              ElementsAre("c1", "c2", "c3"));
}

TEST_F(TurnReadingTest, BothAreOfTheLatestTopics) {
  const Understanding both = Read("what do both cost together?", {OnLaptops(), OnOneMaker()});
  EXPECT_THAT(both.referenced_products, ElementsAre("l1", "c2"));
}

TEST_F(TurnReadingTest, GoodsWithAnArticleAreSearchedForTheirPrice) {
  const Understanding price = Read("and what does a laptop cost", {OnOneMaker()});
  EXPECT_THAT(price.referenced_products, IsEmpty());
  ASSERT_TRUE(price.type.has_value());
  EXPECT_EQ(price.type->name, "laptop");
}

TEST_F(TurnReadingTest, AnEarlierTopicComesBackWithItsList) {
  const ConversationTurn laptops = OnLaptops();
  const Understanding back =
      Read("go back to the laptops, which is the lightest?", {laptops, OnMakers(), OnOneMaker()});
  ASSERT_TRUE(back.type.has_value());
  EXPECT_EQ(back.type->name, "laptop");
  EXPECT_THAT(back.list, ElementsAre("l1", "l2"));
  ASSERT_TRUE(back.rank.has_value());
  EXPECT_EQ(back.rank->key, "weight");
  const Understanding shows = Read("go back to the laptops", {laptops, OnMakers(), OnOneMaker()});
  ASSERT_TRUE(shows.type.has_value());
  EXPECT_EQ(shows.type->name, "laptop");
  EXPECT_THAT(shows.list, ElementsAre("l1", "l2"));
  EXPECT_THAT(Read("show me laptops", {laptops, OnMakers()}).list, ElementsAre("c1", "c2", "c3"))
      << "a search goes back to nothing";
  const Understanding stays = Read("which is the strongest?", {laptops, OnMakers()});
  EXPECT_THAT(stays.list, ElementsAre("c1", "c2", "c3"));
}

TEST_F(TurnReadingTest, ASuperlativeAfterOneOverTheShopRanksTheShopAgain) {
  ConversationTurn turn = OnMakers();
  turn.ranks_all = true;
  const Understanding again = Read("and the most reviewed one", {turn});
  ASSERT_TRUE(again.rank.has_value());
  EXPECT_EQ(again.rank->key, "reviews");
  EXPECT_TRUE(again.ranks_all);
  EXPECT_THAT(again.referenced_products, IsEmpty());
  const Understanding of_list = Read("which of these is the cheapest", {turn});
  ASSERT_TRUE(of_list.rank.has_value());
  EXPECT_EQ(of_list.rank->key, "price");
  EXPECT_FALSE(of_list.ranks_all);
  EXPECT_THAT(of_list.referenced_products, ElementsAre("c1", "c2", "c3"));
  turn.ranks_all = false;
  const Understanding after_search = Read("and the most reviewed one", {turn});
  EXPECT_FALSE(after_search.ranks_all);
  EXPECT_THAT(after_search.referenced_products, ElementsAre("c1", "c2", "c3"));
}

TEST_F(TurnReadingTest, AModelNumberComesBeforeWhatWasShown) {
  const Understanding named = Read("Fender FA-125, is it left handed?", {OnOneMaker()});
  EXPECT_TRUE(named.is_subject_guessed);
  const Understanding bare = Read("is it left handed?", {OnOneMaker()});
  EXPECT_FALSE(bare.is_subject_guessed);
  EXPECT_THAT(bare.referenced_products, ElementsAre("c2"));
  EXPECT_FALSE(Read("is it over 125?", {OnOneMaker()}).is_subject_guessed) << "a plain number";
  EXPECT_FALSE(Read("does it hold 500ml?", {OnOneMaker()}).is_subject_guessed) << "a measure";
}

TEST_F(TurnReadingTest, ANumberOfReviewsIsACondition) {
  EXPECT_EQ(Read("coffee maker with over 1000 reviews").min_reviews, 1000);
  EXPECT_EQ(Read("with over 1000 reviews", {OnMakers()}).min_reviews, 1000);
  EXPECT_EQ(Read("coffee maker with good reviews").min_reviews, std::nullopt);
  EXPECT_EQ(Read("coffee maker over 1000 watts").min_reviews, std::nullopt);
  ConversationTurn turn = OnMakers();
  turn.min_reviews = 500;
  EXPECT_EQ(Read("with a timer", {turn}).min_reviews, 500) << "a refinement keeps it";
  EXPECT_FALSE(Read("coffee maker with over 1000 reviews").filter.has_price());
}

TEST_F(TurnReadingTest, GibberishIsNotSearched) {
  for (const char* message : {"asdfgh qwrtzp", "xkcdvb zzzqq plmkj"}) {
    EXPECT_EQ(Read(message).desk, DeskAct::kNonsense) << message;
  }
  for (const char* message : {"coffee maker", "how much is it", "hello", "coffee asdfgh"}) {
    EXPECT_NE(Read(message).desk, DeskAct::kNonsense) << message;
  }
}

TEST_F(TurnReadingTest, ANameThatBeginsWithADenialDeniesNothing) {
  for (const char* message : {"un casque sans fil", "une souris sans fil pour moi"}) {
    const Understanding wireless = Read(message);
    EXPECT_EQ(wireless.language, "fr") << message;
    EXPECT_THAT(wireless.filter.excluded_terms, IsEmpty()) << message;
  }
  EXPECT_THAT(Read("un casque sans micro").filter.excluded_terms, ElementsAre("micro"));
}

TEST_F(TurnReadingTest, APlaceMayOwnWhatIsAskedFor) {
  for (const char* message : {"the first one's price", "what is the first one’s price?"}) {
    EXPECT_THAT(Read(message, {OnMakers()}).referenced_products, ElementsAre("c1")) << message;
  }
  EXPECT_THAT(Read("the second one's pressure", {OnMakers()}).referenced_products,
              ElementsAre("c2"));
}

TEST_F(TurnReadingTest, ACountIsOfTheProductInFocus) {
  const Understanding two = Read("how much are two of them", {OnMakers(), OnOneMaker()});
  EXPECT_THAT(two.referenced_products, ElementsAre("c2"));
  EXPECT_FALSE(two.is_subject_guessed);
  EXPECT_THAT(Read("how much are the first two of them", {OnMakers()}).referenced_products,
              ElementsAre("c1", "c2"));
}

TEST_F(TurnReadingTest, WhichOfTheListMeetAConditionIsAskedOfTheListFirst) {
  const Understanding which = Read("which of these have a timer", {OnMakers()});
  EXPECT_TRUE(which.prefers_list);
  EXPECT_THAT(which.list, ElementsAre("c1", "c2", "c3"));
  ASSERT_THAT(which.filter.attributes, Not(IsEmpty()));
  EXPECT_EQ(which.filter.attributes[0].name, "timer");
  EXPECT_FALSE(Read("with a timer", {OnMakers()}).prefers_list);
}

TEST_F(TurnReadingTest, AnEarlierTopicComesBackWithItsConditions) {
  ConversationTurn laptops = OnLaptops();
  laptops.filter.max_price = 80000;
  const Understanding back = Read("go back to the laptops", {laptops, OnMakers()});
  EXPECT_TRUE(back.follows_up);
  EXPECT_EQ(back.filter.max_price, 80000);
  EXPECT_EQ(back.turn_rule, "earlier topic");
}

TEST_F(TurnReadingTest, AConditionOnItChangesTheSearch) {
  const Understanding must = Read("it has to have a timer", {OnMakers(), OnOneMaker()});
  EXPECT_TRUE(must.follows_up);
  EXPECT_THAT(must.referenced_products, IsEmpty());
  EXPECT_FALSE(Read("does it have a timer", {OnMakers(), OnOneMaker()}).follows_up);
}

TEST_F(TurnReadingTest, WhatNoLongerMattersIsNotTakenOver) {
  ConversationTurn turn = OnMakers();
  turn.filter.brands = {"Velsar"};
  turn.filter.max_price = 5000;
  const Understanding any = Read("any brand", {turn});
  EXPECT_TRUE(any.follows_up);
  EXPECT_THAT(any.filter.brands, IsEmpty());
  EXPECT_EQ(any.filter.max_price, 5000);
  const Understanding lifted = Read("it doesn't have to be Velsar", {turn});
  EXPECT_THAT(lifted.filter.brands, IsEmpty());
}

TEST_F(TurnReadingTest, ABoundTakesThePlaceOfValues) {
  ConversationTurn turn = OnMakers();
  turn.filter.attributes = {{"pressure", {"9 bar"}}};
  retrieval::Filter filter;
  filter.ranges = {{.attribute = "pressure", .unit = "bar", .min = 10}};
  InheritFilter(turn.filter, filter);
  EXPECT_THAT(filter.attributes, IsEmpty());
  filter = {};
  filter.excluded_brands = {"Velsar"};
  turn.filter.brands = {"Velsar", "Torvane"};
  InheritFilter(turn.filter, filter);
  EXPECT_THAT(filter.brands, ElementsAre("Torvane")) << "the exclusion";
}

TEST_F(TurnReadingTest, GoodsForAProductAreSearched) {
  for (const char* message : {"do you have a descaler for it", "and a descaler that fits?"}) {
    const Understanding fits = Read(message, {OnMakers(), OnOneMaker()});
    EXPECT_EQ(fits.fits_product, "c2") << message;
    EXPECT_THAT(fits.referenced_products, IsEmpty()) << message;
    ASSERT_TRUE(fits.type.has_value());
    EXPECT_NE(fits.type->name, "coffee maker") << message;
  }
  EXPECT_EQ(Read("does it need a descaler", {OnMakers(), OnOneMaker()}).fits_product, "");
}

TEST_F(TurnReadingTest, APartOfASumIsOfItsOwnList) {
  const Understanding sum = Read("total for the first laptop and two of the second coffee maker",
                                 {OnLaptops(), OnMakers()});
  EXPECT_THAT(sum.referenced_products, ElementsAre("l1", "c2"));
  EXPECT_THAT(sum.quantities, ElementsAre(1, 2));
}

TEST_F(TurnReadingTest, APartThatRecordsSpeakOfIsNoOtherType) {
  const Understanding part = Read("is the keyboard backlit?", {OnLaptops()});
  ASSERT_TRUE(part.type.has_value());
  EXPECT_EQ(part.type->name, "laptop");
  const Understanding goods = Read("do you have a keyboard?", {OnLaptops()});
  ASSERT_TRUE(goods.type.has_value());
  EXPECT_EQ(goods.type->name, "keyboard");
}

TEST_F(TurnReadingTest, WhatTheRankedAttributeIsCalledLimitsNothing) {
  const Understanding most = Read("which one has the highest pressure", {OnMakers()});
  EXPECT_TRUE(most.rank.has_value());
  EXPECT_THAT(most.referenced_products, ElementsAre("c1", "c2", "c3"));
}

TEST_F(TurnReadingTest, WhatTheShopHasIsCounted) {
  EXPECT_TRUE(Read("how many laptops do you have under $600").counts_all);
  EXPECT_TRUE(Read("how many coffee makers do you sell", {OnLaptops()}).counts_all);
  EXPECT_FALSE(Read("how many cups does the coffee maker hold", {OnMakers()}).counts_all);
  EXPECT_FALSE(Read("do you have laptops").counts_all);
  EXPECT_TRUE(Read("how many laptops under $600").counts_all);
  EXPECT_TRUE(Read("laptops under $600 how many").counts_all);
  EXPECT_FALSE(Read("how many laptops under $600", {OnLaptops()}).counts_all)
      << "of those that were shown";
}

TEST_F(TurnReadingTest, APartOfWhatWasShownIsNoSearch) {
  for (const std::string message :
       {"is this laptop heavy", "how many laptops come with it", "its laptop, is it heavy"}) {
    const Understanding read = Read(message, {OnOneMaker()});
    EXPECT_THAT(read.referenced_products, ElementsAre("c2")) << message;
    EXPECT_TRUE(read.not_sold.empty()) << message;
    EXPECT_FALSE(read.follows_up) << message;
  }
}

TEST_F(TurnReadingTest, NamedProductsAreSetSideBySide) {
  EXPECT_EQ(Read("velsar v1000x or torvane t3000y?", {OnMakers()}).turn_rule,
            "compares named products");
  const Understanding with_focus = Read("compare it with the Bosch MGM8842MIN", {OnOneMaker()});
  EXPECT_EQ(with_focus.turn_rule, "compares named products");
  EXPECT_THAT(with_focus.referenced_products, ElementsAre("c2"));
  EXPECT_TRUE(with_focus.Has(Intent::kProductComparison));
  EXPECT_NE(Read("show me the MGM8842MIN or something like it", {OnMakers()}).turn_rule,
            "compares named products");
}

TEST_F(TurnReadingTest, ASuperlativeAndAQuestionAskAFactOfTheBest) {
  const Understanding timer = Read("does the cheapest one have a timer", {OnMakers()});
  EXPECT_TRUE(timer.asks_fact_of_best);
  EXPECT_EQ(timer.rank->key, "price");
  EXPECT_TRUE(Read("pressure of the most expensive one", {OnMakers()}).asks_fact_of_best);
  EXPECT_TRUE(
      Read("so the cheaper of those has how many reviews?", {OnMakers()}).asks_fact_of_best);
  EXPECT_FALSE(Read("which of these is the cheapest", {OnMakers()}).asks_fact_of_best);
}

TEST_F(TurnReadingTest, WhatIsPutIntoTheCartIsInFocusAndCounted) {
  EXPECT_THAT(Read("mettez-le dans mon panier", {OnOneMaker()}).referenced_products,
              ElementsAre("c2"));
  ConversationTurn cart = OnOneMaker();
  cart.question = "put 2 of them in my cart";
  EXPECT_THAT(Read("how much will that be", {cart}).quantities, ElementsAre(2));
  EXPECT_THAT(Read("how much is it", {OnOneMaker()}).quantities, IsEmpty());
}

TEST_F(TurnReadingTest, AProductOfAnEarlierListIsMeantByWhatSetsItApart) {
  for (const char* message :
       {"how many grams does the 1.2 kg one weigh", "is the one with 1.2 kg backlit?",
        "wie teuer ist der mit 1,2 kg?", "celui de 1,2 kg, combien coûte-t-il ?",
        "¿cuánto cuesta el de 1,2 kg?", "那款 1.2 kg 的多少钱"}) {
    const Understanding light = Read(message, {OnLaptops(), OnMakers()});
    EXPECT_THAT(light.referenced_products, ElementsAre("l1")) << message;
    ASSERT_TRUE(light.type.has_value()) << message;
    EXPECT_EQ(light.type->name, "laptop") << message;
  }
  EXPECT_THAT(Read("is the gaming laptop heavy?", {OnLaptops(), OnMakers()}).referenced_products,
              ElementsAre("l2"));
  EXPECT_THAT(Read("how strong is the filter one", {OnMakers()}).referenced_products,
              ElementsAre("c2"));
}

TEST_F(TurnReadingTest, ANameWithANumberIsNoDescription) {
  const Understanding named = Read("how much is the Velsar 1160?", {OnOneMaker()});
  EXPECT_NE(named.turn_rule, "describes one that was shown");
  const Understanding asks = Read("the gaming laptop: how heavy?", {OnLaptops(), OnMakers()});
  EXPECT_THAT(asks.referenced_products, ElementsAre("l2"));
  EXPECT_EQ(asks.fact_question, "how heavy?");
}

TEST_F(TurnReadingTest, TheTypeAloneMeansWhatWasShownOfIt) {
  const Understanding first = Read("how heavy is the first laptop", {OnLaptops(), OnMakers()});
  EXPECT_THAT(first.referenced_products, ElementsAre("l1"));
  const Understanding all = Read("what do the laptops weigh?", {OnLaptops(), OnMakers()});
  EXPECT_THAT(all.referenced_products, ElementsAre("l1", "l2"));
  EXPECT_THAT(Read("do you have the laptop in red", {OnLaptops(), OnMakers()}).referenced_products,
              IsEmpty())
      << "a search";
}

TEST_F(TurnReadingTest, TheBestIsSoughtInTheShopUnlessTheListIsMeant) {
  for (const char* message :
       {"cheapest?", "which one is the cheapest", "welche ist die günstigste?", "la moins chère ?",
        "¿cuál es la más barata?", "哪个最便宜"}) {
    EXPECT_TRUE(Read(message, {OnMakers()}).ranked_search.has_value()) << message;
  }
  for (const char* message :
       {"which of these is the cheapest", "welche davon ist die günstigste",
        "laquelle de ces machines est la moins chère", "¿cuál de estas es la más barata?",
        "这些中哪个最便宜", "which is best rated", "the cheaper of the first two"}) {
    EXPECT_FALSE(Read(message, {OnMakers()}).ranked_search.has_value()) << message;
  }
}

TEST_F(TurnReadingTest, GoodsAreThoseOfTheSentenceThatAsksForThem) {
  const Understanding asked = Read("Sorry, my laptop broke. Do you have a coffee maker?");
  ASSERT_TRUE(asked.type.has_value());
  EXPECT_EQ(asked.type->name, "coffee maker");
}

TEST_F(TurnReadingTest, OneWithOtherPropertiesIsSearched) {
  for (const char* message :
       {"is there one with a timer?", "gibt es eine mit Timer?", "il y en a une avec timer ?"}) {
    const Understanding other = Read(message, {OnMakers(), OnOneMaker()});
    EXPECT_THAT(other.referenced_products, IsEmpty()) << message;
    EXPECT_TRUE(other.follows_up) << message;
  }
  EXPECT_THAT(Read("is it with a timer?", {OnMakers(), OnOneMaker()}).referenced_products,
              ElementsAre("c2"));
}

TEST_F(TurnReadingTest, AFragmentAsksTheSameOfAnotherOfTheList) {
  ConversationTurn asked = OnOneMaker();
  asked.asked_key = "timer";
  for (const char* message : {"and the cheaper one?", "und die günstigere?"}) {
    const Understanding cheaper = Read(message, {OnMakers(), asked});
    EXPECT_TRUE(cheaper.asks_fact_of_best) << message;
    EXPECT_EQ(cheaper.inherited_key, "timer") << message;
  }
  asked.winner = "c2";
  EXPECT_FALSE(Read("and the cheaper one?", {OnMakers(), asked}).asks_fact_of_best)
      << "after a ranking another ranking";
}

TEST_F(TurnReadingTest, AnEarlierProductIsAskedAboutAgain) {
  ConversationTurn one = OnLaptops();
  one.shown_products = one.cited_products = {"l2"};
  for (const char* message :
       {"what did the laptop cost again?", "was kostet der laptop nochmal?"}) {
    const Understanding asks = Read(message, {OnLaptops(), one, OnMakers()});
    EXPECT_THAT(asks.referenced_products, ElementsAre("l2")) << message;
    EXPECT_FALSE(asks.follows_up) << message;
  }
}

TEST_F(TurnReadingTest, WhatItIsForIsNotAskedAbout) {
  EXPECT_THAT(
      Read("is it heavy enough for the laptop?", {OnLaptops(), OnOneMaker()}).referenced_products,
      ElementsAre("c2"));
}

TEST_F(TurnReadingTest, ATopicIsLeftForAnEarlierOne) {
  const Understanding ranks = Read("forget the coffee maker, which of the laptops was the lightest",
                                   {OnLaptops(), OnMakers()});
  EXPECT_THAT(ranks.referenced_products, ElementsAre("l1", "l2"));
  EXPECT_TRUE(ranks.rank.has_value());
}

TEST_F(TurnReadingTest, SpareGoodsForAProductAreSearched) {
  for (const char* message : {"what does a spare descaler for it cost", "was kosten Entkalker dazu",
                              "quel détartrant faut-il acheter avec ?"}) {
    EXPECT_EQ(Read(message, {OnMakers(), OnOneMaker()}).fits_product, "c2") << message;
  }
}

}  // namespace
}  // namespace emptor::services
