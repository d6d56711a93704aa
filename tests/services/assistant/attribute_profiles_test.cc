// Products of one type by the attributes that they state.
#include "services/assistant/attribute_profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

using Ids = std::vector<std::string>;

/// A shop whose products state attributes named after their type: "laptop 0", "laptop 1", ...
class ProfilesTest : public ::testing::Test {
 protected:
  /// States the attributes `first` to `last` - 1 of the type.
  std::string Add(const std::string& id, const std::string& type, size_t first, size_t last) {
    catalog::Product product;
    product.id = id;
    for (size_t i = first; i < last; ++i) {
      product.attributes.push_back({type + " " + std::to_string(i), "x"});
    }
    profiles_.Add(product);
    return id;
  }
  Ids AddMany(const std::string& type, size_t count, size_t first, size_t last) {
    Ids ids;
    for (size_t i = 0; i < count; ++i) {
      ids.push_back(Add(type + std::to_string(i), type, first, last));
    }
    return ids;
  }

  AttributeProfiles profiles_;
};

TEST_F(ProfilesTest, AccessoriesWithOtherAttributesAreNotTypical) {
  const Ids laptops = AddMany("laptop", 10, 0, 12);
  AddMany("lamp", 10, 0, 12);
  const std::string service = Add("service", "contract", 0, 3);
  const std::string sleeve = Add("sleeve", "bag", 0, 10);
  const std::string bare = Add("bare", "laptop", 0, 0);
  const std::string terse = Add("terse", "laptop", 0, 2);
  profiles_.Finish();
  Ids seeds = laptops;
  seeds.insert(seeds.end(), {service, sleeve, bare, terse, "unknown"});
  Ids typical = laptops;
  typical.push_back(terse);
  EXPECT_THAT(profiles_.Typical(seeds), UnorderedElementsAreArray(typical))
      << "few attributes of the type are attributes of the type";
}

TEST_F(ProfilesTest, HowNearProductsOfAWellKnownTypeAreSaysHowFarOthersMayBe) {
  const Ids laptops = AddMany("laptop", 20, 0, 20);
  AddMany("lamp", 60, 0, 12);
  const std::string near = Add("near", "laptop", 0, 4), far = Add("far", "laptop", 0, 1);
  profiles_.Finish();
  Ids seeds = laptops;
  seeds.insert(seeds.end(), {near, far});
  Ids typical = laptops;
  typical.push_back(near);
  EXPECT_THAT(profiles_.Typical(seeds), UnorderedElementsAreArray(typical))
      << "one attribute of twenty is too far from the others";
}

TEST_F(ProfilesTest, TooFewDescribedProductsDecideNothing) {
  Ids seeds = AddMany("laptop", 4, 0, 12);
  AddMany("lamp", 10, 0, 12);
  seeds.push_back(Add("service", "contract", 0, 3));
  profiles_.Finish();
  ASSERT_TRUE(profiles_.is_rich());
  EXPECT_EQ(profiles_.Typical(seeds), seeds);
}

TEST_F(ProfilesTest, APoorShopKeepsAllAndFindsNoOthers) {
  Ids seeds = AddMany("laptop", 10, 0, 12);
  seeds.push_back(Add("service", "contract", 0, 3));
  Add("untitled", "laptop", 0, 12);
  AddMany("mug", 30, 0, 1);
  profiles_.Finish();
  EXPECT_FALSE(profiles_.is_rich());
  EXPECT_EQ(profiles_.Typical(seeds), seeds);
  EXPECT_THAT(profiles_.Similar(seeds), IsEmpty());
}

TEST_F(ProfilesTest, ProductsWhoseTitlesNameNoTypeAreFoundByTheirAttributes) {
  const Ids laptops = AddMany("laptop", 10, 0, 12);
  AddMany("lamp", 10, 0, 12);
  Add("untitled", "laptop", 0, 11);
  Add("part", "laptop", 0, 4);
  Add("short", "laptop", 0, 7);
  profiles_.Finish();
  EXPECT_THAT(profiles_.Similar(laptops), ::testing::ElementsAre("untitled"))
      << "not what states a third of it, nor what is hardly described";
  EXPECT_THAT(profiles_.Similar({}), IsEmpty());
}

TEST_F(ProfilesTest, AFindLeadsToTheNext) {
  const auto add = [&](const std::string& name, size_t first) {
    Ids ids;
    for (size_t i = 0; i < 10; ++i) {
      ids.push_back(Add(name + std::to_string(i), "laptop", first, first + 12));
    }
    return ids;
  };
  // Each kind shares nine attributes of twelve with the one before.
  const Ids laptops = add("laptop", 0), tablets = add("tablet", 3), phones = add("phone", 6);
  AddMany("lamp", 200, 0, 12);
  profiles_.Finish();
  Ids others = tablets;
  others.insert(others.end(), phones.begin(), phones.end());
  EXPECT_EQ(profiles_.Similar(laptops), others);
}

TEST_F(ProfilesTest, AnAttributeOfEveryProductTellsNothing) {
  Ids seeds;
  const auto add = [&](const std::string& id, const std::string& type, int count) {
    catalog::Product product;
    product.id = id;
    for (int i = 0; i < count; ++i) product.attributes.push_back({type + std::to_string(i), "x"});
    for (int i = 0; i < 30; ++i) product.attributes.push_back({"common" + std::to_string(i), "x"});
    profiles_.Add(product);
  };
  for (int i = 0; i < 10; ++i) {
    seeds.push_back("laptop" + std::to_string(i));
    add(seeds.back(), "laptop", 9);
    add("lamp" + std::to_string(i), "lamp", 8);
  }
  profiles_.Finish();
  EXPECT_THAT(profiles_.Similar(seeds), IsEmpty()) << "lamps share what everything has";
  const Ids laptops = seeds;
  seeds.push_back("lamp0");
  EXPECT_EQ(profiles_.Typical(seeds), laptops);
}

}  // namespace
}  // namespace emptor::services
