// Names of categories in addresses.
#include "services/api/category_index.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

TEST(CategorySlugTest, IsLowerCaseLettersAndDigits) {
  const std::pair<const char*, const char*> cases[] = {
      {"Kitchen > Kettles", "kitchen--kettles"},
      {"Outdoor & Bikes > Sleeping Bags", "outdoor-bikes--sleeping-bags"},
      {"Küche>Wasserkocher ", "kuche--wasserkocher"},
      {"厨房 > 水壶", "厨房--水壶"},
      {"Kid's > 2-in-1", "kids--2-in-1"},
      {" > Kettles > ", "kettles"},
      {"& > ?", ""},
      {"", ""},
      {"</script><b> > \"x\"", "script--b--x"},
  };
  for (const auto& [path, slug] : cases) EXPECT_EQ(CategorySlug(path), slug) << path;
}

class CategoryIndexTest : public ::testing::Test {
 protected:
  const CategoryIndex index_{{{"Kitchen > Kettles", 10},
                              {"Kitchen > Cookware > Pans", 3},
                              {"Kitchen > Cookware", 9},
                              {"KITCHEN > kettles", 1},
                              {"Computing > Monitors", 9},
                              {"Toys > Kitchen", 2}}};
};

TEST_F(CategoryIndexTest, HasWhatProductsNameAndWhatIsAbove) {
  const CategoryNode* kitchen = index_.Find("kitchen");
  ASSERT_NE(kitchen, nullptr);
  EXPECT_EQ(kitchen->path, "Kitchen");
  EXPECT_EQ(kitchen->products, 23u);
  EXPECT_EQ(kitchen->children, (std::vector<std::string>{"kitchen--cookware", "kitchen--kettles"}));
  EXPECT_EQ(index_.roots(), (std::vector<std::string>{"kitchen", "computing", "toys"}));
  EXPECT_EQ(index_.Find("kitchen--cookware--pans")->products, 3u);
  EXPECT_EQ(index_.Find("cookware"), nullptr);
  EXPECT_EQ(index_.Find(""), nullptr);
}

TEST_F(CategoryIndexTest, OneNameStandsForAllSpellings) {
  const CategoryNode* kettles = index_.Find("kitchen--kettles");
  ASSERT_NE(kettles, nullptr);
  EXPECT_EQ(kettles->path, "Kitchen > Kettles") << "as most products write it";
  EXPECT_EQ(kettles->spelled, (std::vector<std::string>{"Kitchen > Kettles", "KITCHEN > kettles"}));
}

TEST_F(CategoryIndexTest, SelectsByPathsWhereANameIsAmbiguous) {
  const CategorySelection kitchen = index_.Select("kitchen");
  EXPECT_TRUE(kitchen.is_exact) << "no product is of Kitchen itself";
  EXPECT_EQ(kitchen.categories, (std::vector<std::string>{"Kitchen > Cookware", "Kitchen > Kettles",
                                                          "KITCHEN > kettles"}));
  EXPECT_EQ(index_.Select("toys").categories, (std::vector<std::string>{"Toys"}));
  EXPECT_EQ(index_.Select("toys--kitchen").categories,
            (std::vector<std::string>{"Toys > Kitchen"}));
  const CategorySelection own =
      CategoryIndex({{"Kitchen", 1}, {"Toys > Kitchen", 1}}).Select("kitchen");
  EXPECT_FALSE(own.is_exact);
  EXPECT_EQ(own.categories, (std::vector<std::string>{"Kitchen"}));
}

TEST_F(CategoryIndexTest, ResolvesWhatPeopleType) {
  EXPECT_EQ(index_.Resolve("Kitchen > Kettles"), "kitchen--kettles");
  EXPECT_EQ(index_.Resolve("Kitchen--Kettles"), "kitchen--kettles");
  EXPECT_EQ(index_.Resolve("Kettles"), "kitchen--kettles");
  EXPECT_EQ(index_.Resolve("KITCHEN"), "kitchen") << "not the one below toys";
  EXPECT_EQ(index_.Resolve("sofas"), "");
  EXPECT_EQ(index_.Resolve(""), "");
}

TEST(CrumbsTest, NameEachLevel) {
  EXPECT_EQ(CrumbsOf("Kitchen > Kettles"),
            (std::vector<Crumb>{{"Kitchen", "kitchen", "kitchen"},
                                {"Kettles", "kitchen--kettles", "kettles"}}));
}

}  // namespace
}  // namespace emptor::services
