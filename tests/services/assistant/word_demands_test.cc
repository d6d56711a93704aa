// Words that shoppers demand of records.
#include "services/assistant/search/word_demands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(WordDemandsTest, WordsFindWhatIsTypicalOfTheTypeFirst) {
  TypeTable table;
  table.typical = {"printer"};
  std::unordered_set<std::string> both = {"printer", "roller"}, accessory = {"roller"};
  KeepTypical(table, both);
  KeepTypical(table, accessory);
  EXPECT_EQ(both, std::unordered_set<std::string>{"printer"});
  EXPECT_EQ(accessory, std::unordered_set<std::string>{"roller"});
}

}  // namespace
}  // namespace emptor::services
