// Words that shoppers demand of records.
#include "services/assistant/search/word_demands.h"

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

TEST(WordDemandsTest, AQuantityLacksWhereNeitherTextNorNumbersStateIt) {
  const WordCondition width{"45 cm", {}, StatedQuantity{"mm", 440, 460}};
  std::vector<FoundProduct> wide = {Found("Dishwasher D1, 60 cm", "")};
  EXPECT_THAT(LackingWords({width}, {}, wide, 4), ElementsAre("45 cm"));
  wide.front().product.attributes = {{"width", "448"}};
  EXPECT_THAT(LackingWords({width}, {}, wide, 4), IsEmpty());
  const std::vector<FoundProduct> slim = {Found("Dishwasher D2, 45 cm", "")};
  EXPECT_THAT(LackingWords({width}, {}, slim, 4), IsEmpty());
}

TEST(WordDemandsTest, OnlyWhatNamesTheModelFitsWhereSomethingDoes) {
  TypeTable table;
  std::vector<catalog::Product> cartridges(3);
  cartridges[0].title = "Ink Vellor P200, black";
  cartridges[1].title = "Ink Vellor, black";
  cartridges[1].attributes = {{"compatible products", "Vellor P200/P210/1150"}};
  cartridges[2].title = "Ink Vellor P300, black";
  table.members = {"a", "b", "c"};
  table.reviews = {0, 0, 0};
  table.schema = TypeSchema::Learn({&cartridges[0], &cartridges[1], &cartridges[2]});
  const auto groups = [&](const std::string& model) {
    return GroupByWords(table, {DemandOf("vellor"), DemandOf("black"), DemandOf(model)}, {});
  };
  EXPECT_THAT(groups("p200"), ElementsAre(ElementsAre("a", "b"), IsEmpty()));
  EXPECT_THAT(groups("1150"), ElementsAre(ElementsAre("b"), IsEmpty()));
  EXPECT_THAT(groups("p900"), ElementsAre(IsEmpty(), ElementsAre("a", "b", "c")))
      << "none is stated to fit";
}

}  // namespace
}  // namespace emptor::services
