// Merging of filters, and the order of relaxation.
#include "retrieval/query/relaxation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::retrieval {
namespace {

Filter Everything() {
  Filter filter{.min_price = 4000, .max_price = 8000, .currency = "USD"};
  filter.brands = {"Sony"};
  filter.categories = {"Headphones"};
  filter.availability = {catalog::Availability::kInStock};
  filter.locale = "en";
  filter.excluded_brands = {"Bose"};
  filter.excluded_categories = {"Cables"};
  filter.excluded_colors = {"pink"};
  filter.colors = {"red"};
  filter.conditions = {catalog::Condition::kUsed};
  filter.location = "Berlin";
  filter.min_rating = 4;
  filter.attributes = {{"size", {"M"}}};
  filter.ranges.push_back({.attribute = "weight", .unit = "g", .max = 100, .max_open = true});
  filter.excluded_terms = {"wifi"};
  filter.item_group = "g";
  return filter;
}

std::vector<std::string> Names(const std::vector<RelaxationStep>& steps) {
  std::vector<std::string> names;
  for (const RelaxationStep& step : steps) {
    names.push_back(std::string(step.widened ? "widen " : "drop ") +
                    std::string(ToString(step.part)));
  }
  return names;
}

TEST(RelaxationTest, TheOrderIsFixedAndSparesExclusionsAndWhatTheRequestNames) {
  using ::testing::ElementsAre;
  EXPECT_THAT(
      Names(PlanRelaxation(Everything(), {})),
      ElementsAre("drop location", "drop availability", "drop min_rating", "drop condition",
                  "drop color", "drop attribute", "widen range", "drop range", "widen price",
                  "drop brand", "drop price", "drop category", "drop locale"));
  EXPECT_THAT(Names(PlanRelaxation(Everything(), {FilterPart::kPrice, FilterPart::kRange,
                                                  FilterPart::kLocation, FilterPart::kBrand})),
              ElementsAre("drop availability", "drop min_rating", "drop condition", "drop color",
                          "drop attribute", "drop category", "drop locale"));
  EXPECT_TRUE(PlanRelaxation(Filter(), {}).empty());
}

TEST(RelaxationTest, WhatCannotBeGivenUpStays) {
  const Filter relaxed = ApplyRelaxation(Everything(), PlanRelaxation(Everything(), {}));
  Filter rest;
  rest.excluded_brands = {"Bose"};
  rest.excluded_categories = {"Cables"};
  rest.excluded_colors = {"pink"};
  rest.excluded_terms = {"wifi"};
  rest.item_group = "g";
  EXPECT_EQ(relaxed, rest);
}

TEST(RelaxationTest, WidensPricesByAQuarterAndQuantitiesByAFifth) {
  const std::vector<RelaxationStep> steps = {{FilterPart::kPrice, true},
                                             {FilterPart::kRange, true}};
  const Filter relaxed = ApplyRelaxation(Everything(), steps);
  EXPECT_EQ(relaxed.min_price, 3000);
  EXPECT_EQ(relaxed.max_price, 10000);
  EXPECT_DOUBLE_EQ(*relaxed.ranges[0].max, 120);
  EXPECT_FALSE(relaxed.ranges[0].max_open);
}

TEST(RelaxationTest, TakesBackWhatWasNotNeeded) {
  const auto without_brand = [](const Filter& filter) -> absl::StatusOr<bool> {
    return filter.brands.empty();
  };
  const auto relaxed = RelaxUntil(Everything(), {}, without_brand);
  ASSERT_TRUE(relaxed.ok());
  EXPECT_THAT(Names(relaxed->steps), ::testing::ElementsAre("drop brand"));
  Filter want = Everything();
  want.brands.clear();
  EXPECT_EQ(relaxed->filter, want);
}

TEST(RelaxationTest, KeepsTheStepsThatAreNeededTogether) {
  const auto without_both = [](const Filter& filter) -> absl::StatusOr<bool> {
    return filter.availability.empty() && filter.brands.empty();
  };
  const auto relaxed = RelaxUntil(Everything(), {}, without_both);
  ASSERT_TRUE(relaxed.ok());
  EXPECT_THAT(Names(relaxed->steps), ::testing::ElementsAre("drop availability", "drop brand"));
}

TEST(RelaxationTest, WidensOnlyWhatTheStepNames) {
  const std::vector<RelaxationStep> price = {{FilterPart::kPrice, true}};
  EXPECT_EQ(ApplyRelaxation(Everything(), price).ranges, Everything().ranges);
  EXPECT_EQ(ApplyRelaxation(Everything(), price).max_price, 10000);
  const std::vector<RelaxationStep> range = {{FilterPart::kRange, true}};
  EXPECT_EQ(ApplyRelaxation(Everything(), range).max_price, 8000);
  EXPECT_DOUBLE_EQ(*ApplyRelaxation(Everything(), range).ranges[0].max, 120);
}

TEST(RelaxationTest, CopiesOnePartAndNoOther) {
  Filter all;
  for (int i = 0; i < kFilterPartCount; ++i) {
    const auto part = static_cast<FilterPart>(i);
    ASSERT_TRUE(HasPart(part, Everything())) << ToString(part);
    Filter one;
    CopyPart(part, Everything(), one);
    for (int j = 0; j < kFilterPartCount; ++j) {
      const auto other = static_cast<FilterPart>(j);
      EXPECT_EQ(HasPart(other, one), i == j) << ToString(part) << ", " << ToString(other);
    }
    CopyPart(part, Everything(), all);
  }
  EXPECT_EQ(all, Everything());
}

TEST(RelaxationTest, DropsNothingIfNoRecordMatchesAnyway) {
  const auto never = [](const Filter&) -> absl::StatusOr<bool> { return false; };
  const auto relaxed = RelaxUntil(Everything(), {}, never);
  ASSERT_TRUE(relaxed.ok());
  EXPECT_TRUE(relaxed->steps.empty());
  EXPECT_EQ(relaxed->filter, Everything());
  const auto fails = [](const Filter&) -> absl::StatusOr<bool> {
    return absl::DataLossError("torn");
  };
  EXPECT_EQ(RelaxUntil(Everything(), {}, fails).status().code(), absl::StatusCode::kDataLoss);
}

TEST(RelaxationTest, TheRequestOverridesTheQueryAlsoWithNoCondition) {
  Filter words = Everything(), asked;
  asked.brands = {"LG"};
  const Filter merged = MergeFilters(
      words, asked, {FilterPart::kBrand, FilterPart::kPrice, FilterPart::kExcludedTerm});
  Filter want = words;
  want.brands = {"LG"};
  want.min_price = want.max_price = std::nullopt;
  want.currency.clear();
  want.excluded_terms.clear();
  EXPECT_EQ(merged, want);
  EXPECT_EQ(MergeFilters(words, asked, {}), words);
}

TEST(RelaxationTest, EveryPartIsKnownByName) {
  for (int i = 0; i < kFilterPartCount; ++i) {
    const auto part = static_cast<FilterPart>(i);
    EXPECT_FALSE(ToString(part).empty());
    EXPECT_FALSE(HasPart(part, Filter()));
    Filter copied;
    CopyPart(part, Everything(), copied);
    EXPECT_EQ(HasPart(part, copied), HasPart(part, Everything())) << ToString(part);
  }
}

}  // namespace
}  // namespace emptor::retrieval
