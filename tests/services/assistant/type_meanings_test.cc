// What the kinds of a shop's goods mean, by an embedder.
#include "services/assistant/types/type_meanings.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;

catalog::Product Product(const std::string& title, const std::string& category) {
  catalog::Product product;
  product.title = title;
  product.categories = {category};
  return product;
}

TEST(TypeTitlesTest, TitlesAreOfTheirLastNameAndOfTheCategory) {
  TypeTitles titles;
  for (const char* title : {"Octavane Kettle", "Octavane Kettle", "Torvane Steel Kettle"}) {
    titles.Add(Product(title, "Home > Hot Drinks"), NamesInTitle(title));
  }
  ASSERT_TRUE(titles.titles().contains("kettle"));
  EXPECT_THAT(titles.titles().at("kettle"), ElementsAre("Octavane Kettle", "Torvane Steel Kettle"));
  EXPECT_TRUE(titles.titles().contains("hot drinks"));
}

TEST(TypeTitlesTest, AFewTitlesOfAKindAreEnough) {
  TypeTitles titles;
  for (int i = 0; i < 50; ++i) {
    const std::string title = "Model " + std::to_string(i) + " Kettle";
    titles.Add(Product(title, ""), NamesInTitle(title));
  }
  EXPECT_LE(titles.titles().at("kettle").size(), 8u);
}

}  // namespace
}  // namespace emptor::services
