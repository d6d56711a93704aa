// Patches: what a field that is there, one that is null and one that is absent each do.
#include "catalog/feed/product_patch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/product_json.h"

namespace emptor::catalog {
namespace {

using ::testing::HasSubstr;

Product Kettle() {
  Product product;
  product.id = "k1";
  product.title = "Kettle";
  product.brand = "Torvane";
  product.price = Money{4999, "USD"};
  product.sale_price = Money{3999, "USD"};
  product.attributes = {{"capacity", "1.7 l"}, {"color", "red"}};
  return product;
}

Product Patched(const std::string& json) {
  Product product = Kettle();
  const auto patch = PatchFromJson(*ParseRecordJson(json));
  EXPECT_TRUE(patch.ok()) << patch.status();
  EXPECT_TRUE(!patch.ok() || ApplyPatch(*patch, product).ok());
  return product;
}

std::string ErrorOf(const std::string& json) {
  return std::string(PatchFromJson(*ParseRecordJson(json)).status().message());
}

TEST(ProductPatchTest, WhatIsAbsentStays) {
  EXPECT_EQ(Patched(R"({"id":"k1"})"), Kettle());
  Product expected = Kettle();
  expected.price->amount = 4599;
  EXPECT_EQ(Patched(R"({"id":"k1","price":{"amount":4599,"currency":"USD"}})"), expected);
}

TEST(ProductPatchTest, NullTakesAFieldAway) {
  Product expected = Kettle();
  expected.sale_price.reset();
  expected.brand.clear();
  EXPECT_EQ(Patched(R"({"id":"k1","sale_price":null,"brand":null})"), expected);
}

TEST(ProductPatchTest, AListReplacesTheStoredOneWhole) {
  Product expected = Kettle();
  expected.attributes = {{"color", "blue"}};
  EXPECT_EQ(Patched(R"({"id":"k1","attributes":{"color":"blue"}})"), expected);
}

// Every field that a product's JSON may hold can be patched: a field that is forgotten shows here.
TEST(ProductPatchTest, EveryFieldOfTheFormatCanBePatched) {
  Product full = Kettle();
  full.description = "d";
  full.gtin = "4006381333931";
  full.mpn = "M1";
  full.categories = {"A > B"};
  full.sale_price_effective = TimeRange{1, 2};
  full.availability = Availability::kPreorder;
  full.condition = Condition::kUsed;
  full.link = "https://shop.example/k1";
  full.image_link = "/images/k1.jpg";
  full.additional_image_links = {"/images/k2.jpg"};
  full.rating = Rating{4.5, 10};
  full.item_group_id = "g";
  full.options = {{"color", "red"}};
  full.regional_prices = {{"DE", Money{4999, "EUR"}, std::nullopt, std::nullopt}};
  full.shipping = {{"DE", "Express", Money{499, "EUR"}, 1, 2}};
  full.stock = {{"Berlin", Availability::kInStock, 3}};
  full.popularity = 7;
  full.trust = Trust::kUntrusted;
  full.quarantine = "screened";
  full.locale = "en-US";
  full.updated_at = "2024-01-01T00:00:00Z";
  Product empty;
  const auto patch = PatchFromJson(*ParseRecordJson(ToJson(full)));
  ASSERT_TRUE(patch.ok()) << patch.status();
  ASSERT_TRUE(ApplyPatch(*patch, empty).ok());
  empty.id = full.id;
  EXPECT_EQ(empty, full);
}

TEST(ProductPatchTest, ErrorsNameTheField) {
  EXPECT_THAT(ErrorOf(R"({"price":null})"), HasSubstr("id: missing"));
  EXPECT_THAT(ErrorOf(R"({"id":"k1","colour":"red"})"), HasSubstr("colour: unknown field"));
  EXPECT_THAT(ErrorOf(R"({"id":"k1","price":"5"})"), HasSubstr("price: expected an object"));
  EXPECT_THAT(ErrorOf(R"([1])"), HasSubstr("record: expected an object, found an array"));
  ProductPatch patch;
  patch.fields = {"id"};
  Product product;
  EXPECT_TRUE(absl::IsInvalidArgument(ApplyPatch(patch, product)));
}

}  // namespace
}  // namespace emptor::catalog
