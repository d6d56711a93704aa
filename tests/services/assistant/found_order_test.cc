#include "services/assistant/search/found_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Named(const std::string& message, const std::vector<std::string>& titles) {
  std::vector<FoundProduct> found(titles.size());
  for (size_t i = 0; i < titles.size(); ++i) found[i].product.title = titles[i];
  KeepNamed(message, found);
  std::vector<std::string> kept;
  for (const FoundProduct& each : found) kept.push_back(each.product.title);
  return kept;
}

TEST(FoundOrderTest, NamesOfAStoryStandInTitles) {
  EXPECT_THAT(Named("I have a Nexon, parked under a neem tree, need a cover that fits",
                    {"Ascot Baleno Cover", "Arnv Cover for Tata Nexon", "Taigun Cover"}),
              ElementsAre("Arnv Cover for Tata Nexon"));
}

TEST(FoundOrderTest, OrdinaryWordsAndNamesThatNoTitleHasKeepAll) {
  EXPECT_THAT(Named("need a cover that fits, my old one is waterproof",
                    {"Waterproof Cover", "Cover, Large"}),
              ElementsAre("Waterproof Cover", "Cover, Large"));
  EXPECT_THAT(Named("mosquitoes all night in my room pls help",
                    {"Roll-on against Mosquitoes", "Mosquito Repellent"}),
              ElementsAre("Roll-on against Mosquitoes", "Mosquito Repellent"));
  EXPECT_THAT(Named("a cover for my zyphora", {"Cover A", "Cover B"}),
              ElementsAre("Cover A", "Cover B"));
}

}  // namespace
}  // namespace emptor::services
