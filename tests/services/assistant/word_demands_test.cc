// Words that shoppers demand of records.
#include "services/assistant/word_demands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FoundProduct Found(const std::string& title, const std::string& description) {
  FoundProduct found;
  found.product.title = title;
  found.product.description = description;
  return found;
}

TEST(WordDemandsTest, APropertyLacksWhereNeitherTitleNorValuesNorDescriptionSayIt) {
  WordCondition travel = DemandOf("travel");
  travel.any_of.push_back(travel.any_of.front());  // a word with others of its meaning
  const std::vector<FoundProduct> plain = {Found("Mouse M1", "A mouse.")};
  const std::vector<FoundProduct> told = {Found("Mouse M2", "Small enough for travel.")};
  EXPECT_THAT(LackingWords({travel}, {}, plain, 4), ElementsAre("travel"));
  EXPECT_THAT(LackingWords({travel}, {}, told, 4), IsEmpty());
  WordCondition length = DemandOf("10m");
  length.any_of.push_back(length.any_of.front());
  EXPECT_THAT(LackingWords({length}, {}, plain, 4), IsEmpty()) << "an attribute may state 10";
}

}  // namespace
}  // namespace emptor::services
