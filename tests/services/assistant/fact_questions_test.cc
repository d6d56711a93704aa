// The questions of a message, and how many of a product it counts.
#include "services/assistant/schema/fact_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/words/exact_price.h"
#include "tests/support/test_name.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SplitQuestionsTest, PunctuationAndConjunctionsPartQuestions) {
  EXPECT_THAT(SplitQuestions("rating and how many reviews?"),
              ElementsAre("rating", "how many reviews?"));
  EXPECT_THAT(SplitQuestions("is it loud? how heavy is it"),
              ElementsAre("is it loud?", "how heavy is it"))
      << "a question keeps its mark";
  EXPECT_THAT(SplitQuestions("price, weight; size & colour"),
              ElementsAre("price", "weight", "size", "colour"));
  EXPECT_THAT(SplitQuestions("Preis und Gewicht"), ElementsAre("Preis", "Gewicht"));
  EXPECT_THAT(SplitQuestions("le prix et le poids"), ElementsAre("le prix", "le poids"));
  EXPECT_THAT(SplitQuestions("precio y peso"), ElementsAre("precio", "peso"));
  EXPECT_THAT(SplitQuestions("多重？多少钱，还有评分"), ElementsAre("多重?", "多少钱", "评分"));
}

TEST(SplitQuestionsTest, AMessageThatNothingPartsIsOnePart) {
  EXPECT_THAT(SplitQuestions("how loud is it?"), ElementsAre("how loud is it?"));
  EXPECT_THAT(SplitQuestions("sandy yellow"), ElementsAre("sandy yellow"));
  EXPECT_THAT(SplitQuestions("is 1,5 l enough"), ElementsAre("is 1,5 l enough"));
  EXPECT_THAT(SplitQuestions(""), IsEmpty());
  EXPECT_THAT(SplitQuestions(", ; - "), IsEmpty());
  EXPECT_THAT(SplitQuestions(" - how loud, "), ElementsAre("how loud"));
}

TEST(SplitComparedTest, ConjunctionsPartWhatIsCompared) {
  EXPECT_THAT(SplitCompared("compare the R90 and the T20"),
              ElementsAre("compare the R90", "the T20"));
  EXPECT_THAT(SplitCompared("the R90 or the T20, which is lighter?"),
              ElementsAre("the R90", "the T20", "which is lighter?"));
  EXPECT_THAT(SplitCompared("compare it with the T20"), ElementsAre("compare it", "the T20"));
  EXPECT_THAT(SplitCompared("R90 oder T20"), ElementsAre("R90", "T20"));
  EXPECT_THAT(SplitCompared("R90和T20"), ElementsAre("R90", "T20"));
  EXPECT_THAT(SplitCompared("compare them"), ElementsAre("compare them"));
}

TEST(QuestionAfterSelectionTest, IsThePartThatAsks) {
  EXPECT_EQ(QuestionAfterSelection("the cheaper of those - is it waterproof"), "is it waterproof");
  EXPECT_EQ(QuestionAfterSelection("the cheaper of the two, how is it rated"), "how is it rated");
  EXPECT_EQ(QuestionAfterSelection("the lightest one: does it fold?"), "does it fold?");
  EXPECT_EQ(QuestionAfterSelection("the lightest, you know, does it fold? or not"),
            "does it fold? or not");
  EXPECT_EQ(QuestionAfterSelection("der leichtere, ist er wasserdicht"), "ist er wasserdicht");
  EXPECT_EQ(QuestionAfterSelection("最便宜的，有蓝牙吗"), "有蓝牙吗");
  EXPECT_EQ(QuestionAfterSelection("the 22.95 one what batteries"), "what batteries");
}

TEST(ExactPriceTest, IsAnAmountWithTwoDecimals) {
  EXPECT_EQ(ExactPriceIn("the 22.95 one"), 2295);
  EXPECT_EQ(ExactPriceIn("la de 1022,95"), 102295);
  for (const char* message :
       {"the 22 dollar one", "2.5 l", "1.234", "0.345", ".95", "", "123456789012.95", "22."}) {
    EXPECT_EQ(ExactPriceIn(message), std::nullopt) << message;
  }
}

TEST(QuestionAfterSelectionTest, IsEmptyWhereNoLaterPartAsks) {
  for (const char* message :
       {"which is cheaper, the first or the second?", "the cheapest", "is it waterproof",
        "the cheaper of those, please", "the x-ray one", "which one is quieter? thanks", ""}) {
    EXPECT_EQ(QuestionAfterSelection(message), "") << message;
  }
}

struct CountCase {
  std::string_view message;
  int count;
};

class CountAskedTest : public ::testing::TestWithParam<CountCase> {};

TEST_P(CountAskedTest, IsHowManyOfAProduct) {
  EXPECT_EQ(CountAsked(FoldedMessage(GetParam().message)), GetParam().count);
}

const CountCase kCounts[] = {
    {"10 of that listing", 10},
    {"i need 5 for the school, how much is that", 5},
    {"how much are two of them", 2},
    {"what do 3 pairs cost", 3},
    {"what if I buy 4", 4},
    {"if i take six how much is that", 6},
    {"was kosten zwei davon", 2},
    {"was kosten fünf Stück", 5},
    {"combien pour trois paires", 3},
    {"cuánto cuestan cuatro de estos", 4},
    {"两个多少钱", 2},
    {"三台一共多少钱", 3},
    {"99 of them", 99},
    // No count of a purchase
    {"the first two of them", 1},
    {"the last 3 of these", 1},
    {"which of the two of these", 1},
    {"those two of yours", 1},
    {"how much is it", 1},
    {"one of them", 1},
    {"1 of them", 1},
    {"100 of them", 1},
    {"is it 15 inches wide", 1},
    {"a pack with 4 slots", 1},
    {"", 1},
};
INSTANTIATE_TEST_SUITE_P(Table, CountAskedTest, ::testing::ValuesIn(kCounts),
                         [](const auto& tested) {
                           return testing::CaseName(tested.index, tested.param.message);
                         });

TEST(SplitSentencesTest, PartsWhatIsSaidFromWhatIsAsked) {
  EXPECT_THAT(SplitSentences("sorry, cat on keyboard lol. do you have tents?"),
              ElementsAre("sorry, cat on keyboard lol", "do you have tents?"));
  EXPECT_THAT(SplitSentences("a 1.5 l kettle"), ElementsAre("a 1.5 l kettle"));
}

}  // namespace
}  // namespace emptor::services
