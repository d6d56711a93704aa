// Plans for questions about known products: several facts, differences, amounts, yes and no.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/plan/phrasing.h"
#include "services/assistant/plan/plan.h"

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

catalog::Product Router(const std::string& id, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.id = id;
  product.title = "Torvane Router " + id;
  product.price = catalog::Money{4999, "USD"};
  product.availability = catalog::Availability::kInStock;
  product.rating = catalog::Rating{4.4, 312};
  product.attributes = std::move(attributes);
  return product;
}

/// A statement as text: "deny 1 price".
std::string Describe(const Statement& statement) {
  static const std::vector<std::string> kKinds = {
      "recommend", "state", "affirm",  "deny", "unstated", "best", "total",
      "saving",    "count", "compare", "same", "none",     "only", "words"};
  std::string text = kKinds[static_cast<size_t>(statement.kind)];
  if (statement.source > 0) text += fmt::format(" {}", statement.source);
  for (const int each : statement.sources) text += fmt::format(" {}", each);
  return statement.key.empty() ? text : text + " " + statement.key;
}

/// A question about products that the shopper sees.
struct AskedPlan {
  std::vector<catalog::Product> products;
  std::string question;
  Understanding understanding = {};
  const TypeSchema* schema = nullptr;
};

std::vector<std::string> PlanOf(AskedPlan asked) {
  std::vector<Source> sources;
  for (catalog::Product& each : asked.products) sources.push_back({std::move(each)});
  asked.understanding.language = "en";
  if (asked.understanding.intents.empty()) {
    asked.understanding.intents = {Intent::kProductDetails};
  }
  PlanInput input{asked.understanding, sources, asked.question, true, 0, {}};
  input.schema = asked.schema;
  std::vector<std::string> plan;
  for (const Statement& each : PlanAnswer(input)) plan.push_back(Describe(each));
  return plan;
}

std::vector<std::string> PlanOfOne(const std::string& question) {
  return PlanOf(
      {{Router("R1", {{"weight", "600 g"}, {"waterproof", "no"}, {"range", "40 m"}})}, question});
}

TEST(FactPlanTest, AValueThatHasEveryWordAskedForAffirms) {
  const auto plan = [](const std::string& question) {
    return PlanOf({{Router("R1", {{"compatible operating systems", "Windows 7, Windows XP"},
                                  {"connectivity technology", "Wired"},
                                  {"i o ports", "24 switching ports, 2 SFP slots"},
                                  {"optical drive type", "N"},
                                  {"wool washing program", "yes"}})},
                   question});
  };
  EXPECT_THAT(plan("does it work with windows 7?"),
              ElementsAre("affirm 1 compatible operating systems"));
  EXPECT_THAT(plan("does it have a wool programme?"), ElementsAre("affirm 1 wool washing program"));
  EXPECT_THAT(plan("does it have a dvd drive?"), ElementsAre("deny 1 optical drive type"));
  EXPECT_THAT(plan("does it have a night light?"), ElementsAre("unstated 1"));
  EXPECT_THAT(plan("does it have SFP slots?"), ElementsAre("affirm 1 i o ports"));
  EXPECT_THAT(plan("does it have SFP+ slots?"), Not(Contains("affirm 1 i o ports")));
}

TEST(FactPlanTest, TheNameOfAnAttributeIsNoYesNoQuestion) {
  const auto iron = Router("i", {{"cord length", "2"}, {"cordless", "no"}, {"weight", "1200"}});
  const TypeSchema irons = TypeSchema::Learn({&iron});
  EXPECT_THAT(PlanOf({{iron}, "cord length?", {}, &irons}), ElementsAre("state 1 cord length"));
}

TEST(FactPlanTest, WordsOfNamesAreNoCues) {
  const auto pen = Router("p", {{"gift box", "no"}, {"nib", "steel"}});
  const TypeSchema pens = TypeSchema::Learn({&pen});
  EXPECT_THAT(PlanOf({{pen}, "does it come in a nice box?", {}, &pens}),
              ElementsAre("deny 1 gift box"));
}

TEST(FactPlanTest, ModelsThatAreListedWithoutTheOneAskedForDeny) {
  const auto plan = [](const std::string& question) {
    return PlanOf({{Router("R1", {{"brand compatibility", "Hexa"},
                                  {"compatibility", "Hexa LaserJet M1236/P1566/P1606"}})},
                   question});
  };
  EXPECT_THAT(plan("does it fit the hexa laserjet p1606?"), ElementsAre("affirm 1 compatibility"));
  EXPECT_THAT(plan("will it work in a hexa laserjet 1320?"), ElementsAre("deny 1 compatibility"));
}

TEST(FactPlanTest, ASentenceOfTheDescriptionIsQuotedWhereNoAttributeAnswers) {
  catalog::Product router = Router("R1", {{"weight", "600 g"}});
  router.description =
      "The Torvane router is made for flats. Two antennas turn freely on the back.\n"
      "Now only $49 with a bonus bracket! The cable is 1.2 m long.";
  const auto quote = [&](const std::string& question) {
    std::vector<Source> sources = {{router}};
    Understanding understanding;
    understanding.language = "en";
    understanding.intents = {Intent::kProductDetails};
    const auto plan = PlanAnswer({understanding, sources, question, true, 0, {}});
    const bool quotes = plan.size() == 1 && plan[0].key == "description";
    return quotes ? plan[0].words.front() : std::string();
  };
  EXPECT_EQ(quote("do the antennas turn?"), "Two antennas turn freely on the back.");
  EXPECT_EQ(quote("how long is the cable"), "The cable is 1.2 m long.");
  EXPECT_EQ(quote("is there a bonus bracket?"), "") << "what a seller writes of prices";
  EXPECT_EQ(quote("does it have a fan?"), "");
}

TEST(FactPlanTest, YesAndNoNeedAnAttributeThatAnswers) {
  const auto plan = [](const std::string& question) {
    return PlanOf({{Router("R1", {{"quick charge", "yes"},
                                  {"package type", "Box"},
                                  {"frame", "steel"},
                                  {"backlight display", "no"}})},
                   question});
  };
  EXPECT_THAT(plan("can it charge a laptop?"), ElementsAre("unstated 1 quick charge"));
  EXPECT_THAT(plan("does it come with a wall mount in the box?"), ElementsAre("unstated 1"));
  EXPECT_THAT(plan("backlight?"), ElementsAre("deny 1 backlight display"));
  EXPECT_THAT(plan("does it have quick charge?"), ElementsAre("affirm 1 quick charge"));
  EXPECT_THAT(plan("is the frame steel?"), ElementsAre("affirm 1 frame"));
}

TEST(FactPlanTest, EachOfSeveralStatesWhatIsAskedForByItsOwnName) {
  EXPECT_THAT(
      PlanOf({{Router("R1", {{"power consumption (typical)", "110"}}),
               Router("R2", {{"power consumption (standby)", "0.5"}})},
              "compare the power consumption"}),
      ElementsAre("state 1 power consumption (typical)", "state 2 power consumption (standby)"));
}

TEST(FactPlanTest, EachPartOfAQuestionGetsItsFact) {
  EXPECT_THAT(PlanOfOne("rating and how many reviews?"),
              ElementsAre("state 1 rating", "state 1 reviews"));
  EXPECT_THAT(PlanOfOne("how heavy is it, and is it waterproof?"),
              ElementsAre("state 1 weight", "deny 1 waterproof"));
  EXPECT_THAT(PlanOfOne("price, weight, rating; how many reviews and is it in stock?"),
              ElementsAre("state 1 price", "state 1 weight", "state 1 rating", "state 1 reviews"))
      << "four facts at most";
  EXPECT_THAT(PlanOfOne("how heavy, I mean what weight"), ElementsAre("state 1 weight"))
      << "a fact is stated once";
  EXPECT_THAT(PlanOfOne("how heavy is it and what colour?"),
              ElementsAre("state 1 weight", "unstated 1"))
      << "the part that the record does not answer is said to be so";
}

TEST(FactPlanTest, TheNameOfAProductIsNoPartOfTheQuestion) {
  catalog::Product shoes = Router("R1", {{"weight", "600 g"}, {"waterproof", "no"}});
  shoes.title = "Gale Shoes, Mint and Weight";
  EXPECT_THAT(PlanOf({{shoes}, "are the Gale Shoes, Mint and Weight waterproof?"}),
              ElementsAre("deny 1 waterproof"));
  shoes = Router("R1", {{"color", "mint"}, {"weight", "600 g"}});
  shoes.title = "Gale Shoes, Mint";
  EXPECT_THAT(PlanOf({{shoes}, "how heavy are the Gale Shoes, Mint?"}),
              ElementsAre("state 1 weight"));
}

TEST(FactPlanTest, AYesNeedsTheNumberThatIsAsked) {
  const catalog::Product old = Router("R1", {{"networking standards", "IEEE 802.3,IEEE 802.3az"}});
  EXPECT_THAT(PlanOf({{old}, "is it wifi 6?"}), Not(Contains(HasSubstr("affirm"))));
}

std::vector<catalog::Product> ThreeRouters() {
  catalog::Product third = Router("R3", {{"weight", "700 g"}, {"range", "40 m"}, {"ports", "4"}});
  return {
      Router("R1", {{"weight", "600 g"}, {"range", "40 m"}, {"ports", "2"}, {"color", "red"}}),
      Router("R2", {{"weight", "645 g"}, {"range", "40 m"}, {"color", "blue"}, {"voltage", "5 V"}}),
      third};
}

TEST(FactPlanTest, ProductsAreComparedByWhatAllStateAndNotAlike) {
  Understanding compares;
  compares.intents = {Intent::kProductComparison};
  EXPECT_THAT(PlanOf({ThreeRouters(), "compare them", compares}),
              ElementsAre("recommend 1 rating", "recommend 2 rating", "recommend 3 rating",
                          "compare 1 2 3 weight"))
      << "range is equal, ports and voltage are not known of all";
  std::vector<catalog::Product> two = ThreeRouters();
  two.erase(two.begin() + 1);
  EXPECT_THAT(PlanOf({two, "compare them", compares}),
              ::testing::UnorderedElementsAre("recommend 1 rating", "recommend 2 rating",
                                              "compare 1 2 weight", "compare 1 2 ports"));
  two.pop_back();
  EXPECT_THAT(PlanOf({two, "compare them", compares}), Not(::testing::Contains("compare 1 weight")))
      << "one product differs from none";
}

TEST(FactPlanTest, AComparisonShowsShortValuesAndNoColours) {
  Understanding compares;
  compares.intents = {Intent::kProductComparison};
  const std::vector<catalog::Product> two = {
      Router("R1", {{"color", "red"}, {"usage", std::string(31, 'a')}, {"mount", "wall"}}),
      Router("R2", {{"color", "blue"}, {"usage", std::string(31, 'b')}, {"mount", "desk"}})};
  EXPECT_THAT(PlanOf({two, "compare them", compares}),
              ElementsAre("recommend 1 rating", "recommend 2 rating", "compare 1 2 mount"));
}

TEST(FactPlanTest, ADifferenceNamesTheValueOfEachProduct) {
  Understanding understanding;
  understanding.language = "en";
  const std::vector<Source> sources = {{ThreeRouters()[0]}, {ThreeRouters()[1]}};
  const std::string question = "compare them";
  const PlanInput input{understanding, sources, question, true, 0, {}};
  const Statement difference{.kind = Statement::Kind::kCompare, .key = "weight", .sources = {1, 2}};
  EXPECT_EQ(WriteStatements({difference}, input, "en"),
            "- weight: [1:attr.weight] [1], [2:attr.weight] [2]");
}

TEST(FactPlanTest, AProductWithoutAPriceCostsNothingThatIsKnown) {
  catalog::Product unpriced = Router("R1", {{"weight", "600 g"}});
  unpriced.price.reset();
  Understanding understanding;
  understanding.language = "en";
  understanding.intents = {Intent::kSimpleProductSearch};
  const std::vector<Source> sources = {{unpriced}, {Router("R2", {{"weight", "500 g"}})}};
  const std::string search = "a router", best = "which is the heaviest";
  const std::string found = WriteAnswer({understanding, sources, search, false, 0, {}}, "en");
  EXPECT_THAT(found, HasSubstr("[1:title] is [1:availability]"));
  EXPECT_THAT(found, HasSubstr("[2:title] costs [2:price]"));
  EXPECT_THAT(found, Not(HasSubstr("[1:price]")));
  const std::string heaviest = WriteAnswer({understanding, sources, best, true, 0, {}}, "en");
  EXPECT_THAT(heaviest, HasSubstr("[1:title]"));
  EXPECT_THAT(heaviest, Not(HasSubstr("[1:price]")));
  EXPECT_THAT(PlanOf({{unpriced}, "how much is it"}), ElementsAre("unstated 1 price"));
}

TEST(FactPlanTest, TheListPriceIsThatBeforeTheSale) {
  catalog::Product reduced = Router("R1", {});
  reduced.sale_price = catalog::Money{3999, "USD"};
  EXPECT_THAT(PlanOf({{reduced}, "what was the original price"}), ElementsAre("state 1 was_price"));
  EXPECT_THAT(PlanOf({{reduced}, "how much do i save"}),
              ElementsAre("saving 1", "state 1 was_price"));
  EXPECT_THAT(PlanOf({{reduced}, "what is the price"}), ElementsAre("state 1 price"));
  EXPECT_THAT(PlanOf({{Router("R1", {})}, "what was the original price"}),
              ElementsAre("unstated 1 was_price"))
      << "it costs what it always cost";
}

TEST(FactPlanTest, ANumberOfReviewsIsMetOrNot) {
  const std::string question = "does it have more than that many reviews?";
  Understanding understanding;
  understanding.min_reviews = 312;
  EXPECT_THAT(PlanOf({{Router("R1", {})}, question, understanding}),
              ElementsAre("affirm 1 reviews"));
  understanding.min_reviews = 313;
  EXPECT_THAT(PlanOf({{Router("R1", {})}, question, understanding}), ElementsAre("deny 1 reviews"));
  catalog::Product unrated = Router("R1", {});
  unrated.rating.reset();
  EXPECT_THAT(PlanOf({{unrated}, "how many reviews does it have"}),
              ElementsAre("unstated 1 reviews"));
}

/// Of three makers; the plan answers about the first.
std::vector<catalog::Product> Cups() {
  std::vector<catalog::Product> cups;
  for (const char* title : {"Quellin Reusable Cups", "Torvane Cup One", "Torvane Cup Two",
                            "Torvane Cup Three", "Quellin Cup"}) {
    cups.push_back(Router("C", {}));
    cups.back().title = title;
  }
  return cups;
}

TEST(FactPlanTest, AnOppositeAnswersByNo) {
  const catalog::Product plain = Router("A", {{"switch type", "Unmanaged"}});
  EXPECT_THAT(PlanOf({{plain}, "is it managed?"}), ElementsAre("deny 1 switch type"));
  EXPECT_THAT(PlanOf({{Router("A", {{"switch type", "Managed"}})}, "is it managed?"}),
              ElementsAre("affirm 1 switch type"));
  catalog::Product titled = Router("A", {});
  titled.title = "Quellin Cable Shielded";
  EXPECT_THAT(PlanOf({{titled}, "is it unshielded?"}), ElementsAre("deny 1 title"));
  EXPECT_THAT(PlanOf({{Router("A", {})}, "is it managed?"}), ElementsAre("unstated 1"));
}

TEST(FactPlanTest, ATitleMayAnswerByYes) {
  const std::vector<catalog::Product> cups = Cups();
  EXPECT_THAT(PlanOf({{cups[0]}, "is it reusable"}), ElementsAre("affirm 1 title"));
  EXPECT_THAT(PlanOf({{cups[1]}, "is it reusable"}), ElementsAre("unstated 1"));
  EXPECT_THAT(PlanOf({{cups[0]}, "is it reusable and foldable"}), ElementsAre("unstated 1"))
      << "the title holds only one of the two";
  EXPECT_THAT(PlanOf({{cups[0]}, "how is it reusable"}), Not(ElementsAre("affirm 1 title")));
}

TEST(FactPlanTest, AMakerThatTheTitleDoesNotNameIsDenied) {
  const std::vector<catalog::Product> cups = Cups();
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& each : cups) pointers.push_back(&each);
  const TypeSchema schema = TypeSchema::Learn(pointers);
  EXPECT_THAT(PlanOf({{cups[0]}, "is it a Torvane?", {}, &schema}), ElementsAre("deny 1 title"));
  EXPECT_THAT(PlanOf({{cups[1]}, "is it a Torvane?", {}, &schema}), ElementsAre("affirm 1 title"));
  EXPECT_THAT(PlanOf({{cups[1]}, "is it a Quellin?", {}, &schema}), ElementsAre("unstated 1"))
      << "two titles make no maker";
}

TEST(FactPlanTest, HowManyAsksForTheNumberBeforeTheYes) {
  const catalog::Product router =
      Router("R1", {{"ethernet lan", "yes"}, {"ethernet lan (rj 45) ports", "2"}});
  EXPECT_THAT(PlanOf({{router}, "how many lan ports does it have"}),
              ElementsAre("state 1 ethernet lan (rj 45) ports"));
  EXPECT_THAT(PlanOf({{Router("R1", {{"ethernet lan", "yes"}})}, "how many lan ports"}),
              ElementsAre("state 1 ethernet lan"))
      << "there is no number";
}

TEST(FactPlanTest, ACountMultipliesOneProduct) {
  EXPECT_THAT(PlanOfOne("how much are two of them"), ElementsAre("total 1 1", "state 1 price"));
  EXPECT_THAT(PlanOfOne("what do 3 of these cost"), ElementsAre("total 1 1 1", "state 1 price"));
  EXPECT_THAT(PlanOf({ThreeRouters(), "how much are two of them"}),
              ElementsAre("total 1 1", "state 1 price"))
      << "two of the first, not one of each";
  EXPECT_THAT(PlanOf({ThreeRouters(), "how much are they together"}),
              ElementsAre("total 1 2 3", "state 1 price", "state 2 price", "state 3 price"));
  catalog::Product unpriced = Router("R1", {});
  unpriced.price.reset();
  EXPECT_THAT(PlanOf({{unpriced}, "how much are two of them"}), ElementsAre("unstated 1 price"));
  EXPECT_THAT(PlanOf({{}, "how much are two of them"}), IsEmpty());
}

TEST(FactPlanTest, ASavingIsComputedFromTheListPrice) {
  catalog::Product router = Router("R1", {});
  router.sale_price = catalog::Money{3999, "USD"};
  EXPECT_THAT(PlanOf({{router}, "how much do i save"}),
              ElementsAre("saving 1", "state 1 was_price"));
  EXPECT_THAT(PlanOfOne("how much do i save"), Not(::testing::Contains("saving 1")))
      << "it has no list price";
}

TEST(FactPlanTest, TheNameOfAnAttributeIsNoValueThatIsDenied) {
  const std::vector<catalog::Product> mice = {Router("M1", {{"battery type", "AA"}}),
                                              Router("M2", {{"battery type", "Button battery"}}),
                                              Router("M3", {{"battery type", "AAA"}})};
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& each : mice) pointers.push_back(&each);
  const TypeSchema schema = TypeSchema::Learn(pointers);
  const auto plan = [&](const std::string& question) {
    return PlanOf({{mice[0]}, question, {}, &schema});
  };
  EXPECT_THAT(plan("does it come with batteries"), Not(Contains(HasSubstr("deny"))));
  EXPECT_THAT(plan("does it have a battery"), Not(Contains(HasSubstr("deny"))));
  EXPECT_THAT(plan("does it take aaa batteries"), ElementsAre("deny 1 battery type"));
}

TEST(FactPlanTest, AUnitAsksForTheAttributeThatStatesIt) {
  const auto plan = [](const std::string& question) {
    return PlanOf({{Router("R1", {{"water tank capacity", "1.5"},
                                  {"width", "166"},
                                  {"height", "249"},
                                  {"package width", "287"}})},
                   question});
  };
  for (const std::string question :
       {"how many litres does the first one hold", "¿cuántos litros tiene el primero?",
        "wie viel Liter fasst der erste?", "combien de litres contient le premier ?"}) {
    EXPECT_THAT(plan(question), ElementsAre("state 1 water tank capacity")) << question;
  }
  EXPECT_THAT(plan("how big is the first one"), ElementsAre("state 1 height", "state 1 width"));
  EXPECT_THAT(plan("how many watts does it use"), ElementsAre("unstated 1"));
}

TEST(FactPlanTest, WhatNoAttributeStatesATitleMay) {
  catalog::Product kit = Router("R1", {});
  kit.title = "Cricket Set of 3-6 Year Boys Bat & Ball, 2.5 Litre Bag";
  EXPECT_THAT(PlanOf({{kit}, "does the second one come with a ball"}),
              ElementsAre("affirm 1 title"));
  EXPECT_THAT(PlanOf({{kit}, "does the second one come with a helmet"}), ElementsAre("unstated 1"));
  EXPECT_THAT(PlanOf({{kit}, "how many litres is the second one"}), ElementsAre("state 1 title"));
}

TEST(FactPlanTest, AFormOfAPropertyIsStatedWithItsSiblings) {
  const std::vector<catalog::Attribute> noises = {{"noise level (spin)", "80"},
                                                  {"noise level (wash)", "57"}};
  EXPECT_THAT(PlanOf({{Router("R1", noises)}, "how loud is it"}),
              ElementsAre("state 1 noise level (spin)", "state 1 noise level (wash)"));
  EXPECT_THAT(PlanOf({{Router("R1", noises)}, "how loud is the spin"}),
              ElementsAre("state 1 noise level (spin)"));
}

TEST(FactPlanTest, ANamedResolutionIsComparedWithTheStatedOne) {
  const auto plan = [](const std::string& question) {
    return PlanOf(
        {{Router("R1", {{"display diagonal", "17.3"}, {"display resolution", "1920 x 1080"}})},
         question});
  };
  EXPECT_THAT(plan("does the second one have a 4k screen"),
              ElementsAre("deny 1 display resolution"));
  EXPECT_THAT(plan("is the screen full hd"), ElementsAre("affirm 1 display resolution"));
  EXPECT_THAT(plan("does it record 4k video"), Not(Contains(HasSubstr("deny"))));
}

TEST(FactPlanTest, TheEnergyClassIsNoSpinSpeed) {
  EXPECT_THAT(PlanOf({{Router("R1", {{"maximum spin speed", "1151"},
                                     {"spin drying class", "B"},
                                     {"energy efficiency class", "A"}})},
                      "whats the energy class"}),
              ElementsAre("state 1 energy efficiency class"));
}

}  // namespace
}  // namespace emptor::services
