// Quantities of titles that questions ask for.
#include "services/assistant/schema/title_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Find(const std::string& question, const std::string& title) {
  const FoldedMessage asked(question);
  return QuantitiesInTitle(asked, asked, title);
}

TEST(TitleFactsTest, AQuantityOfTheDimensionThatIsAskedFor) {
  const std::string kettle = "Prestige 1.5 Litre Kettle 1500-watts, Red";
  for (const std::string question :
       {"how many litres does it hold", "Wie viel Liter hat er?", "¿cuántos litros tiene ?",
        "combien de litres a-t-elle ?", "它能装多少升？"}) {
    EXPECT_THAT(Find(question, kettle), ElementsAre("1.5 Litre")) << question;
  }
  EXPECT_THAT(Find("how many watts does it use", kettle), ElementsAre("1500-watts"));
  EXPECT_THAT(Find("how heavy is it", kettle), IsEmpty());
}

TEST(TitleFactsTest, SizesAreGivenTogetherAndOnce) {
  EXPECT_THAT(Find("how big is it", "Roar Practice Pad -12 inches (Pad only) (12 inches)"),
              ElementsAre("12 inches"));
  EXPECT_THAT(Find("how big is it", "Storage Box 14 x 10 x 5 cm, Blue"),
              ElementsAre("14 x 10 x 5 cm"));
  EXPECT_THAT(Find("what size is it", "Pampers Nappies Size 4, 74 Pieces"), ElementsAre("Size 4"));
}

TEST(TitleFactsTest, OfSeveralTheOneNextToAWordOfTheQuestion) {
  const std::string phone = "Redmi 9 (Blue, 4GB RAM 64GB Storage)";
  EXPECT_THAT(Find("how much ram does it have", phone), ElementsAre("4GB"));
  EXPECT_THAT(Find("how much storage does it have", phone), ElementsAre("64GB"));
}

TEST(TitleFactsTest, ACountOfWhatIsAskedFor) {
  EXPECT_THAT(Find("how many blades does it have", "V-Guard Glado 3 Blade Ceiling Fan"),
              ElementsAre("3 Blade"));
  EXPECT_THAT(Find("how many pieces are in the set", "Rainbow Rope Dog Toys 4-Piece Set"),
              ElementsAre("4-Piece"));
  EXPECT_THAT(Find("what spf does it have", "Lotus Sun Lotion SPF 50"), ElementsAre("SPF 50"));
  EXPECT_THAT(Find("what age is it for", "Cricket Set of 3-6 Year Boys"), ElementsAre("3-6 Year"));
}

TEST(TitleFactsTest, NothingForAPartThatTheTitleDoesNotName) {
  EXPECT_THAT(Find("how long is the cable of the kettle", "Prestige Kettle 20 cm"), IsEmpty());
}

}  // namespace
}  // namespace emptor::services
