// Understanding: filters, budgets, intents and references from a shopper's words.
#include "services/assistant/reading/query_understanding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "catalog/encoding/utf8.h"
#include "tests/support/test_name.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

UnderstandingInput Input(std::string message) {
  static const std::map<std::string, std::string> kBrands = {
      {"torvane", "Torvane"}, {"sony", "Sony"}, {"hp", "HP"}, {"red wing", "Red Wing"}};
  UnderstandingInput input;
  input.message = std::move(message);
  input.vocabulary.find = [](retrieval::FilterField field,
                             const std::string& folded) -> std::optional<retrieval::CatalogValue> {
    const auto found = kBrands.find(folded);
    if (field != retrieval::FilterField::kBrand || found == kBrands.end()) return std::nullopt;
    return retrieval::CatalogValue{found->second, 1};
  };
  return input;
}

ConversationTurn KettleTurn() {
  ConversationTurn turn;
  turn.question = "quiet kettle under $60";
  turn.search_text = "quiet kettle";
  turn.filter.max_price = 6000;
  turn.filter.currency = "USD";
  turn.shown_products = {"a", "b", "c"};
  turn.cited_products = {"b", "a"};
  return turn;
}

// ---- Prices

struct PriceCase {
  std::string_view message;
  std::optional<int64_t> min, max;
  std::string_view currency;
  std::string_view search_text;
};

class PriceTest : public ::testing::TestWithParam<PriceCase> {};

TEST_P(PriceTest, ReadsTheBound) {
  const Understanding result = Understand(Input(std::string(GetParam().message)));
  EXPECT_EQ(result.filter.min_price, GetParam().min);
  EXPECT_EQ(result.filter.max_price, GetParam().max);
  EXPECT_EQ(result.filter.currency, GetParam().currency);
  EXPECT_EQ(result.search_text, GetParam().search_text);
}

constexpr std::nullopt_t kNone = std::nullopt;
const PriceCase kPrices[] = {
    {"kettle under $50", kNone, 5000, "USD", "kettle"},
    {"kettle under 50 dollars please", kNone, 5000, "USD", "kettle please"},
    {"kettles below €49.99", kNone, 4999, "EUR", "kettles"},
    {"headphones between 20 and 40 euros", 2000, 4000, "EUR", "headphones"},
    {"headphones from $20 to $40", 2000, 4000, "USD", "headphones"},
    {"$20-$40 headphones", 2000, 4000, "USD", "headphones"},
    {"monitor for less than 300", kNone, 30000, "USD", "monitor"},
    {"quiet 27 inch monitor with DisplayPort under 300", kNone, 30000, "USD",
     "quiet 27 inch monitor with DisplayPort"},
    {"a laptop up to $1,500", kNone, 150000, "USD", "a laptop"},
    {"a laptop under 1.5k", kNone, 150000, "USD", "a laptop"},
    {"chairs over $100", 10000, kNone, "USD", "chairs"},
    {"my budget is 60, which kettle?", kNone, 6000, "USD", "my , which kettle?"},
    {"I have $80 to spend on shoes", kNone, 8000, "USD", "on shoes"},
    {"a gift for $25", kNone, 2500, "USD", "a gift"},
    {"300元以下的水壶", kNone, 30000, "CNY", "的水壶"},
    {"预算300的水壶", kNone, 30000, "USD", "的水壶"},
    {"100到300元的耳机", 10000, 30000, "CNY", "的耳机"},
    // Not prices
    {"27 inch monitor", kNone, kNone, "", "27 inch monitor"},
    {"1080p webcam", kNone, kNone, "", "1080p webcam"},
    {"Sony WH-1000XM5", kNone, kNone, "", "Sony WH-1000XM5"},
    {"kettle under 300 g", kNone, kNone, "", "kettle under 300 g"},
    {"monitor with more than 4 ports", kNone, kNone, "", "monitor with more than 4 ports"},
    {"at least 16 GB of memory", kNone, kNone, "", "at least 16 GB of memory"},
    {"battery that lasts over 30 hours", kNone, kNone, "", "battery that lasts over 30 hours"},
    {"less than 40 dB fan", kNone, kNone, "", "less than 40 dB fan"},
    {"screen under 27\"", kNone, kNone, "", "screen under 27\""},
    {"returns within 30 days", kNone, kNone, "", "returns within 30 days"},
    {"tent for 4 people", kNone, kNone, "", "tent for 4 people"},
};
INSTANTIATE_TEST_SUITE_P(Table, PriceTest, ::testing::ValuesIn(kPrices), [](const auto& tested) {
  return testing::CaseName(tested.index, tested.param.message);
});

TEST(UnderstandingTest, HeightsOfPeopleAreNoInches) {
  EXPECT_EQ(Understand(Input("i'm 6'3\" will i fit")).message, "i'm 191 cm tall will i fit");
  EXPECT_EQ(Understand(Input("5'11 tall")).message, "180 cm tall");
  EXPECT_EQ(Understand(Input("a 6' shelf, 12'6 wide")).message, "a 6' shelf, 12'6 wide");
  EXPECT_EQ(Understand(Input("a 4'6 mattress")).message, "a 4'6 mattress");
}

TEST(UnderstandingTest, NamesTheBudget) {
  EXPECT_EQ(Understand(Input("kettle under $50")).budget, (catalog::Money{5000, "USD"}));
  EXPECT_EQ(Understand(Input("kettle over $50")).budget, std::nullopt);
}

TEST(UnderstandingTest, TakesAnAmountInACurrencyWithoutPricesForTheShopsOwn) {
  UnderstandingInput input = Input("Wasserkocher unter 100 Euro");
  input.has_prices_in = [](const std::string& currency) { return currency == "USD"; };
  const Understanding result = Understand(input);
  EXPECT_EQ(result.filter.max_price, 10000);
  EXPECT_EQ(result.filter.currency, "USD");
  EXPECT_EQ(result.budget, (catalog::Money{10000, "USD"}));
  EXPECT_TRUE(result.assumes_currency);
  input.has_prices_in = [](const std::string&) { return true; };
  EXPECT_EQ(Understand(input).filter.currency, "EUR");
  EXPECT_FALSE(Understand(input).assumes_currency);
}

TEST(UnderstandingTest, TakesTheShopsOwnDollar) {
  UnderstandingInput input = Input("kettle under $50");
  input.vocabulary.currency = "CAD";
  EXPECT_EQ(Understand(input).filter.currency, "CAD");
}

// ---- Stock and brands

TEST(UnderstandingTest, TakesInStockAsAConditionButNotAsAQuestion) {
  const Understanding condition = Understand(Input("kettles in stock"));
  EXPECT_THAT(condition.filter.availability, ElementsAre(catalog::Availability::kInStock));
  EXPECT_EQ(condition.search_text, "kettles");
  EXPECT_THAT(Understand(Input("Is the K20 in stock?")).filter.availability, IsEmpty());
}

TEST(UnderstandingTest, FindsBrandsOfTheCatalog) {
  EXPECT_THAT(Understand(Input("sony headphones")).filter.brands, ElementsAre("Sony"));
  EXPECT_THAT(Understand(Input("Red Wing boots")).filter.brands, ElementsAre("Red Wing"));
  EXPECT_THAT(Understand(Input("compare Sony and Torvane")).filter.brands,
              ElementsAre("Sony", "Torvane"));
}

TEST(UnderstandingTest, DoesNotTakeACompatibleOrRefusedBrandAsACondition) {
  EXPECT_THAT(Understand(Input("ink for HP printer")).filter.brands, IsEmpty());
  EXPECT_THAT(Understand(Input("headphones, not Sony")).filter.brands, IsEmpty());
}

// ---- Intents

struct IntentCase {
  std::string_view message;
  Intent intent;
};
class IntentTest : public ::testing::TestWithParam<IntentCase> {};

TEST_P(IntentTest, IsAmongTheIntents) {
  const Understanding result = Understand(Input(std::string(GetParam().message)));
  EXPECT_TRUE(result.Has(GetParam().intent)) << ToString(result.intents.front());
}

const IntentCase kIntents[] = {
    {"electric kettle", Intent::kSimpleProductSearch},
    {"hello", Intent::kSmallTalk},
    {"Hi there!", Intent::kSmallTalk},
    {"thank you very much", Intent::kSmallTalk},
    {"你好", Intent::kSmallTalk},
    {"which kettle is the best?", Intent::kBestProduct},
    {"recommend a kettle", Intent::kBestProduct},
    {"compare the K20 and the K80", Intent::kProductComparison},
    {"what is the capacity of the K20", Intent::kProductDetails},
    {"How much is the K20?", Intent::kProductDetails},
    {"Can I return a kettle?", Intent::kRetailSupport},
    {"How long does shipping take?", Intent::kRetailSupport},
    {"where is my order", Intent::kOrderSupport},
    {"what are your opening hours", Intent::kStoreRelevant},
    {"do you have any coupons", Intent::kDealsAndCoupons},
    {"add it to my cart", Intent::kCartAction},
    {"推荐一款水壶", Intent::kBestProduct},
    {"可以退货吗", Intent::kRetailSupport},
};
INSTANTIATE_TEST_SUITE_P(Table, IntentTest, ::testing::ValuesIn(kIntents), [](const auto& tested) {
  return testing::CaseName(tested.index, tested.param.message);
});

TEST(UnderstandingTest, KnowsWhenAnAnswerNeedsProducts) {
  EXPECT_FALSE(Understand(Input("How long does shipping take?")).needs_products());
  EXPECT_FALSE(Understand(Input("hello")).needs_products());
  EXPECT_TRUE(Understand(Input("kettle")).needs_products());
}

// ---- References to earlier turns

TEST(UnderstandingTest, FindsTheOneThatAPlaceNames) {
  UnderstandingInput input = Input("How heavy is the second one?");
  input.turns = {KettleTurn()};
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("b"));
  input.message = "tell me about the last one";
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("c"));
  input.message = "tell me about number 3";
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("c"));
  input.message = "tell me about #2";
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("b"));
  input.message = "tell me about number 6";  // of three
  EXPECT_TRUE(Understand(input).lacks_place);
  input.message = "第一个多少钱";
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("a"));
}

TEST(UnderstandingTest, TakesItForTheProductThatTheAnswerNamedFirst) {
  UnderstandingInput input = Input("is it dishwasher safe?");
  input.turns = {KettleTurn()};
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("b"));
}

TEST(UnderstandingTest, TakesItForTheProductOfThePage) {
  UnderstandingInput input = Input("is it dishwasher safe?");
  input.page_product_id = "p";
  input.turns = {TurnOfPage("p", "Torvane Kettle", std::nullopt, "en")};
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("p"));
}

TEST(UnderstandingTest, TakesBothForWhatWasCited) {
  UnderstandingInput input = Input("compare both");
  input.turns = {KettleTurn()};
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("b", "a"));
}

TEST(UnderstandingTest, TakesAllOfTheListForThem) {
  UnderstandingInput input = Input("compare them");
  input.turns = {KettleTurn()};
  input.turns[0].cited_products = {"c"};
  EXPECT_THAT(Understand(input).referenced_products, ElementsAre("a", "b", "c"));
}

TEST(UnderstandingTest, ItWithoutAnEarlierProductMeansNothing) {
  EXPECT_THAT(Understand(Input("is it possible to return it?")).referenced_products, IsEmpty());
}

TEST(UnderstandingTest, ARefinementKeepsSearchAndFilter) {
  UnderstandingInput input = Input("in glass instead");
  input.turns = {KettleTurn()};
  const Understanding result = Understand(input);
  EXPECT_TRUE(result.follows_up);
  EXPECT_EQ(result.search_text, "quiet kettle in glass instead");
  EXPECT_EQ(result.filter.max_price, 6000);
}

bool IsCheaper(const Understanding& result) {
  return result.comparison && result.comparison->aspect == Comparison::Aspect::kPrice &&
         !result.comparison->wants_more;
}

TEST(UnderstandingTest, SomethingCheaperPointsAtWhatWasCited) {
  UnderstandingInput input = Input("something cheaper?");
  input.turns = {KettleTurn()};
  const Understanding result = Understand(input);
  EXPECT_TRUE(IsCheaper(result));
  EXPECT_THAT(result.referenced_products, ElementsAre("b", "a"));
}

TEST(UnderstandingTest, CheaperThanAProductPointsAtItAndCheaperThanAnAmountDoesNot) {
  UnderstandingInput input = Input("something cheaper than the first one");
  input.turns = {KettleTurn()};
  const Understanding than_first = Understand(input);
  EXPECT_TRUE(IsCheaper(than_first));
  EXPECT_THAT(than_first.referenced_products, ElementsAre("a"));
  input.message = "kettles cheaper than $40";
  const Understanding than_amount = Understand(input);
  EXPECT_FALSE(than_amount.comparison);
  EXPECT_EQ(than_amount.filter.max_price, 4000);
}

TEST(UnderstandingTest, JapaneseIsNotTakenForChinese) {
  EXPECT_EQ(Understand(Input("静かな電気ケトル")).language, "ja");
  EXPECT_EQ(Understand(Input("安静的电热水壶")).language, "zh");
  EXPECT_EQ(Understand(Input("quiet kettle")).language, "en");
}

TEST(UnderstandingTest, ComparesWithAnEarlierProductInSixLanguages) {
  for (const char* message : {"cheaper than the second one", "günstiger als der zweite",
                              "billiger als die zweite", "moins cher que le deuxième",
                              "más barato que el segundo", "比第二个更便宜", "2つ目より安い"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    const Understanding result = Understand(input);
    EXPECT_TRUE(IsCheaper(result)) << message;
    EXPECT_THAT(result.referenced_products, ElementsAre("b")) << message;
    EXPECT_TRUE(result.follows_up) << message;
  }
  for (const char* message :
       {"Kocher günstiger als 40 Euro", "moins cher que 40 euros", "más barato que 40 euros"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    const Understanding result = Understand(input);
    EXPECT_FALSE(result.comparison) << message;
    EXPECT_EQ(result.filter.max_price, 4000) << message;
  }
}

TEST(UnderstandingTest, ComparesByMoreThanThePrice) {
  using Aspect = Comparison::Aspect;
  const std::vector<std::tuple<const char*, Aspect, bool>> wanted = {
      {"more expensive than the first one", Aspect::kPrice, true},
      {"etwas teurer als der erste", Aspect::kPrice, true},
      {"better rated than the first one", Aspect::kRating, true},
      {"lighter than the first one", Aspect::kMeasure, false},
      {"plus lourd que le premier", Aspect::kMeasure, true},
      {"比第一个更大", Aspect::kMeasure, true}};
  for (const auto& [message, aspect, wants_more] : wanted) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    const Understanding result = Understand(input);
    ASSERT_TRUE(result.comparison) << message;
    EXPECT_EQ(result.comparison->aspect, aspect) << message;
    EXPECT_EQ(result.comparison->wants_more, wants_more) << message;
    EXPECT_THAT(result.referenced_products, ElementsAre("a")) << message;
    EXPECT_TRUE(result.follows_up) << message;
  }
  for (const char* message :
       {"which one is heavier?", "is the first one quieter?", "why is it more expensive?",
        "lighter than 2 kg", "more expensive than $40", "not bigger than the first one"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    EXPECT_FALSE(Understand(input).comparison) << message;
  }
}

TEST(UnderstandingTest, DearerGivesUpTheBoundOfTheTurnBefore) {
  UnderstandingInput input = Input("more expensive than the first one");
  input.turns = {KettleTurn()};
  ASSERT_TRUE(input.turns[0].filter.max_price);
  EXPECT_FALSE(Understand(input).filter.max_price);
  input.message = "more expensive than the first one but under $80";
  EXPECT_EQ(Understand(input).filter.max_price, 8000);
}

TEST(UnderstandingTest, AQuestionMayAskForSomethingBeyondWhatWasShown) {
  for (const char* message :
       {"do you have any cheaper ones?", "is there anything cheaper?", "anything cheaper?",
        "is there anything lighter?", "do you have any lighter ones?"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    EXPECT_TRUE(Understand(input).comparison) << message;
  }
}

TEST(UnderstandingTest, ARefinementKeepsWhatWasNotWanted) {
  UnderstandingInput input = Input("in glass instead");
  input.turns = {KettleTurn()};
  input.turns[0].filter.excluded_brands = {"Sony"};
  EXPECT_THAT(Understand(input).filter.excluded_brands, ElementsAre("Sony"));
}

TEST(UnderstandingTest, ConditionsAloneRefineTheSearchBefore) {
  for (const char* message :
       {"not Sony", "something without a lid", "4 stars and up", "in stock only", "ohne Deckel"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    const Understanding result = Understand(input);
    EXPECT_TRUE(result.follows_up) << message;
    EXPECT_TRUE(result.search_text.starts_with("quiet kettle")) << message;
    EXPECT_EQ(result.filter.max_price, 6000) << message;
  }
  UnderstandingInput input = Input("toaster without timer");
  input.turns = {KettleTurn()};
  EXPECT_FALSE(Understand(input).follows_up);
}

TEST(UnderstandingTest, WhatWasNotWantedStaysUnwanted) {
  UnderstandingInput input = Input("and without a lid, not blue");
  input.turns = {KettleTurn()};
  input.turns[0].filter.excluded_terms = {"plastic"};
  input.turns[0].filter.excluded_colors = {"red"};
  const Understanding result = Understand(input);
  EXPECT_THAT(result.filter.excluded_terms, ElementsAre("lid", "plastic"));
  EXPECT_THAT(result.filter.excluded_colors, ElementsAre("blue", "red"));
}

TEST(UnderstandingTest, ANewSubjectIsNoRefinement) {
  UnderstandingInput input = Input("show me wireless headphones");
  input.turns = {KettleTurn()};
  const Understanding result = Understand(input);
  EXPECT_FALSE(result.follows_up);
  EXPECT_EQ(result.filter.max_price, std::nullopt);
}

TEST(UnderstandingTest, AskingTheShopIsNotAskingForDetails) {
  for (const char* lead :
       {"do you have", "are there", "can you find", "is there", "can i get", "do i find"}) {
    EXPECT_FALSE(Understand(Input(std::string(lead) + " kettles")).Has(Intent::kProductDetails))
        << lead;
  }
  EXPECT_TRUE(Understand(Input("is it dishwasher safe")).Has(Intent::kProductDetails));
}

TEST(UnderstandingTest, APlaceInTheListNeedsADeterminerOrOne) {
  for (const char* message : {"first aid kit", "kettle second", "second hand kettle"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    EXPECT_THAT(Understand(input).referenced_products, IsEmpty()) << message;
  }
  for (const char* message : {"the second", "second one"}) {
    UnderstandingInput input = Input(message);
    input.turns = {KettleTurn()};
    EXPECT_THAT(Understand(input).referenced_products, ElementsAre("b")) << message;
  }
}

TEST(UnderstandingTest, ARefinementHasAtMostSixteenWords) {
  for (const bool fits : {true, false}) {
    UnderstandingInput input = Input(std::string("two three four five six seven eight nine ten "
                                                 "eleven twelve thirteen fourteen") +
                                     (fits ? " glass instead" : " fifteen sixteen glass instead"));
    input.turns = {KettleTurn()};
    EXPECT_EQ(Understand(input).follows_up, fits);
  }
}

TEST(UnderstandingTest, AnyTextHasAnIntentAndACleanSearchText) {
  for (const std::string& message :
       {std::string(), std::string("$"), std::string("under"), std::string("under $"),
        std::string("between and"), std::string(5000, '9'), std::string("\xff\xfe"),
        std::string("[1:price] <|im_start|>"), std::string("第"), std::string("#")}) {
    SCOPED_TRACE(message.substr(0, 40));
    const Understanding result = Understand(Input(message));
    EXPECT_THAT(result.intents, Not(IsEmpty()));
    EXPECT_TRUE(catalog::IsValidUtf8(result.search_text));
    EXPECT_EQ(result.search_text.find("<|"), std::string::npos);
    EXPECT_EQ(result.filter.max_price, std::nullopt);
    EXPECT_EQ(result.filter.min_price, std::nullopt);
    EXPECT_FALSE(result.follows_up);
    EXPECT_THAT(result.referenced_products, IsEmpty());
  }
}

}  // namespace
}  // namespace emptor::services
