// What the models of labelled turns make of a message next to what was shown.
#include "services/assistant/reading/turn_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/assistant/reading/linear_model.h"
#include "services/assistant/reading/turn_features.h"
#include "services/assistant/reading/turn_review.h"

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::optional<catalog::Product> Record(const std::string& id) {
  catalog::Product product;
  product.id = id;
  product.title = id == "steel"   ? "Thermso Alpine bottle, steel, 0.7 l"
                  : id == "glass" ? "Glassora Pure drinking bottle, glass, 0.5 l"
                                  : "Kidli beaker with straw";
  product.price = catalog::Money{id == "steel" ? 2490 : 1790, "USD"};
  return id == "gone" ? std::optional<catalog::Product>() : product;
}

std::vector<ConversationTurn> Shown(std::vector<std::vector<std::string>> turns) {
  std::vector<ConversationTurn> all;
  for (std::vector<std::string>& each : turns) {
    all.emplace_back();
    all.back().shown_products = std::move(each);
  }
  return all;
}

Understanding Message(const std::string& message) {
  Understanding rules;
  rules.message = message;
  rules.turn_rule = "new search";
  return rules;
}

std::vector<std::string> PointedBy(const std::string& message,
                                   const std::vector<ConversationTurn>& turns) {
  return LikelyPointed(GuessPointed(Message(message), MakeTurnScene(turns, Record))).products;
}

TEST(LinearModelTest, AddsTwentiethsAndSharesThoseOfMany) {
  const LinearModel model("# comment\nacts no yes\nbias 0 0\nb20\tone\na-20b20\tword\n");
  LinearModel::Sum sum(model);
  sum.Add("one");
  sum.Add("unknown");
  EXPECT_NEAR(sum.Probabilities()[1], 1 / (1 + std::exp(-1.0)), 1e-9);
  sum.AddMany(std::vector<std::string>{"word", "b", "c", "d"});  // half of its weight
  EXPECT_NEAR(sum.Probabilities()[1], 1 / (1 + std::exp(-2.0)), 1e-9);
  EXPECT_THAT(model.classes(), ElementsAre("no", "yes"));
}

TEST(TurnSceneTest, HoldsEachProductOnceAndLooksOverWhatIsGone) {
  const TurnScene scene = MakeTurnScene(Shown({{"steel", "glass"}, {"glass", "gone"}}), Record);
  ASSERT_EQ(scene.products.size(), 2u);
  EXPECT_EQ(scene.products[0].id, "glass");
  EXPECT_THAT(scene.turns, ElementsAre(ElementsAre(1, 0), ElementsAre(0)));
  EXPECT_TRUE(MakeTurnScene(Shown({{"steel"}}), nullptr).empty());
}

TEST(TurnSceneTest, ATurnThatRankedCameToItsWinner) {
  auto turns = Shown({{"steel", "glass"}});
  turns.back().winner = "glass";
  EXPECT_THAT(MakeTurnScene(turns, Record).turns, ElementsAre(ElementsAre(0)));
}

TEST(TurnGuessTest, AFragmentAfterAListAsksAboutIt) {
  const auto turns = Shown({{"steel", "glass"}});
  const TurnScene scene = MakeTurnScene(turns, Record);
  EXPECT_GT(GuessTurn(Message("lid replaceable if it cracks?"), turns.back(), scene).is_about_shown,
            0.7);
  const TurnGuess other =
      GuessTurn(Message("do you have lunch boxes as well, under 20"), turns.back(), scene);
  EXPECT_GT(other.finds_other + other.finds_same, 0.5);
}

TEST(TurnGuessTest, PointsByAWordOfATitleAndByPlural) {
  const auto turns = Shown({{"steel", "glass", "beaker"}});
  EXPECT_THAT(PointedBy("the steel one, upside down in a rucksack, yes or no", turns),
              ElementsAre("steel"));
  EXPECT_EQ(PointedBy("hot till when, all of them", turns).size(), 3u);
  EXPECT_THAT(PointedBy("anything", {}), IsEmpty());
}

TEST(TurnGuessTest, FeaturesNameTheRuleAndTheRole) {
  const auto turns = Shown({{"steel", "glass"}});
  const TurnScene scene = MakeTurnScene(turns, Record);
  EXPECT_THAT(KindFeatures(Message("steel?"), turns.back(), scene), Contains("@rule=new search"));
  const auto features = FindPointingFeatures(Message("steel?"), scene);
  EXPECT_THAT(features[0].plain, Contains("L|rel=top"));
  EXPECT_THAT(features[0].words, Contains("L|steel"));
  EXPECT_THAT(features[0].words, Contains("hi|steel"));
}

TEST(TurnReviewTest, OverrulesOnlyRowsThatAreOftenWrong) {
  UnderstandingInput input;
  input.turns = Shown({{"steel", "glass", "beaker"}});
  input.record_of = Record;
  Understanding rules = Message("the steel one, upside down in a rucksack, yes or no");
  EXPECT_THAT(ReviewTurn(rules, input), ElementsAre("steel"));
  for (const char* sure : {"places", "describes one that was shown", "ranks these"}) {
    rules.turn_rule = sure;
    EXPECT_THAT(ReviewTurn(rules, input), IsEmpty()) << sure;
  }
  rules.turn_rule = "new search";
  rules.asks_for_goods = true;
  EXPECT_THAT(ReviewTurn(rules, input), IsEmpty()) << "goods are asked for";
  rules.asks_for_goods = false;
  rules.desk = DeskAct::kCrisis;
  EXPECT_THAT(ReviewTurn(rules, input), IsEmpty());
  rules.desk = DeskAct::kNone;
  input.turns.clear();
  EXPECT_THAT(ReviewTurn(rules, input), IsEmpty()) << "nothing was shown";
}

}  // namespace
}  // namespace emptor::services
