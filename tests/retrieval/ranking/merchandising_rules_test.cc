// Merchandising rules: parsing, errors with their place, matching.
#include "retrieval/ranking/merchandising_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MerchandisingRules RulesOf(const std::string& list) {
  auto rules = MerchandisingRules::Parse(R"({"rules":[)" + list + "]}", *Analyzer::Create());
  EXPECT_TRUE(rules.ok()) << rules.status();
  return rules.ok() ? *std::move(rules) : MerchandisingRules();
}

std::vector<std::string> PinnedFor(const MerchandisingRules& rules, std::string_view query) {
  return rules.Match({.queries = {query}, .brands = {}, .categories = {}}).pinned;
}

TEST(MerchandisingRulesTest, NamesTheNextTimeAtWhichARuleBeginsOrEnds) {
  const auto rules = RulesOf(
      R"({"queries":["a"],"pin":["p1"],"from":"1970-01-01T00:01:40Z","until":"1970-01-01T00:03:20Z"},)"
      R"({"queries":["b"],"pin":["p1"],"until":"1970-01-01T00:02:30Z"},{"queries":["c"],"pin":["p2"]})");
  EXPECT_EQ(rules.NextChange(0), 100);
  EXPECT_EQ(rules.NextChange(100), 150);
  EXPECT_EQ(rules.NextChange(199), 200);
  EXPECT_EQ(rules.NextChange(200), std::numeric_limits<int64_t>::max());
}

TEST(MerchandisingRulesTest, AWholeQueryIsMatchedByItsTermsWhateverItsForm) {
  const auto rules = RulesOf(R"({"queries":["Camping Tent"],"pin":["p2","p1"]})");
  EXPECT_THAT(PinnedFor(rules, "camping tents"), ElementsAre("p2", "p1"));
  EXPECT_THAT(PinnedFor(rules, "show me CAMPING  tent"), ElementsAre("p2", "p1"));
  EXPECT_THAT(PinnedFor(rules, "tent camping"), IsEmpty());
  EXPECT_THAT(PinnedFor(rules, "family camping tent"), IsEmpty());
}

TEST(MerchandisingRulesTest, WithinAQueryPhrasesOfWholeWordsMatch) {
  const auto rules = RulesOf(R"({"queries":["camping tent"],"match":"within","pin":["p1"]})");
  EXPECT_THAT(PinnedFor(rules, "family camping tent blue"), ElementsAre("p1"));
  EXPECT_THAT(PinnedFor(rules, "camping tentpole"), IsEmpty());
  EXPECT_THAT(PinnedFor(rules, "camping blue tent"), IsEmpty());
}

TEST(MerchandisingRulesTest, EitherFormOfTheQueryMatches) {
  const auto rules = RulesOf(R"({"queries":["tv under 500"],"pin":["p1"]})");
  const auto both =
      rules.Match({.queries = {"tv", "tv under 500"}, .brands = {}, .categories = {}});
  EXPECT_THAT(both.pinned, ElementsAre("p1"));
}

TEST(MerchandisingRulesTest, BrandsAndCategoriesAreThoseOfTheFilter) {
  const auto rules =
      RulesOf(R"({"brands":["VELSAR","Torvane"],"categories":["Kettles"],"bury":["p4"]})");
  const std::vector<std::string> brands = {"velsar"}, other = {"Sony"}, categories = {"kettles"};
  const auto match = [&](const auto& b, const auto& c) {
    return rules.Match({.queries = {"x"}, .brands = b, .categories = c}).buried;
  };
  EXPECT_THAT(match(brands, categories), ElementsAre("p4"));
  EXPECT_THAT(match(other, categories), IsEmpty());
  EXPECT_THAT(match(brands, std::vector<std::string>()), IsEmpty());
}

TEST(MerchandisingRulesTest, ARuleHoldsFromOneTimeUntilAnother) {
  const auto rules = RulesOf(R"({"queries":["tent"],"pin":["p1"],"from":"2026-06-01T00:00:00Z",)"
                             R"("until":"2026-06-02T00:00:00Z"})");
  const auto at = [&](int64_t now) {
    return rules.Match({.queries = {"tent"}, .brands = {}, .categories = {}, .now_unix = now});
  };
  constexpr int64_t kFirstOfJune = 1780272000;
  EXPECT_TRUE(at(kFirstOfJune - 1).empty());
  EXPECT_FALSE(at(kFirstOfJune).empty());
  EXPECT_FALSE(at(kFirstOfJune + 86399).empty());
  EXPECT_TRUE(at(kFirstOfJune + 86400).empty());
}

TEST(MerchandisingRulesTest, OfSeveralRulesTheFirstDecides) {
  const auto rules = RulesOf(R"({"queries":["tent"],"match":"within","pin":["p1"],"bury":["p2"]},)"
                             R"({"queries":["tent"],"pin":["p2","p3"],)"
                             R"("boost":[{"id":"p1","factor":2},{"id":"p4","factor":0.5}]})");
  const Merchandising actions = rules.Match({.queries = {"tent"}, .brands = {}, .categories = {}});
  EXPECT_THAT(actions.pinned, ElementsAre("p1", "p3"));
  EXPECT_THAT(actions.buried, ElementsAre("p2"));
  EXPECT_THAT(actions.boosted, ElementsAre(Boost{"p4", 0.5f}));
}

struct BadCase {
  const char* json;
  const char* message;
};

TEST(MerchandisingRulesTest, ErrorsNameTheirPlace) {
  const std::vector<BadCase> cases = {
      {"", "pins: byte"},
      {"[]", "the one member rules"},
      {R"({"rules":[],"more":1})", "the one member rules"},
      {R"({"rules":[3]})", "rules[0]: expected an object"},
      {R"({"rules":[{"queries":["a"],"pin":["p1"]},{"pin":["p1"]}]})",
       "rules[1]: expected queries"},
      {R"({"rules":[{"queries":["a"]}]})", "rules[0]: expected pin, bury or boost"},
      {R"({"rules":[{"queries":["a"],"pin":["p1"],"pins":[]}]})", "unknown member pins"},
      {R"({"rules":[{"queries":["a"],"pin":["p1"],"bury":["p1"]}]})", "bury[0]: occurs twice"},
      {R"({"rules":[{"queries":["a"],"pin":["p 1"]}]})", "pin[0]: expected a product id"},
      {R"({"rules":[{"queries":[],"pin":["p1"]}]})", "queries: expected a list"},
      {R"({"rules":[{"queries":["--"],"pin":["p1"]}]})", "queries[0]: expected a word"},
      {R"({"rules":[{"queries":["a"],"match":"like","pin":["p1"]}]})", "match: expected"},
      {R"({"rules":[{"queries":["a"],"from":"today","pin":["p1"]}]})",
       "from: expected a date-time"},
      {R"({"rules":[{"queries":["a"],"from":"2026-06-02T00:00:00Z","until":"2026-06-01T00:00:00Z",)"
       R"("pin":["p1"]}]})",
       "until: expected a time after from"},
      {R"({"rules":[{"queries":["a"],"boost":[{"id":"p1","factor":11}]}]})", "boost[0].factor"},
      {R"({"rules":[{"queries":["a"],"boost":["p1"]}]})", "boost[0]: expected an object"},
  };
  const Analyzer analyzer = *Analyzer::Create();
  for (const BadCase& bad : cases) {
    const auto rules = MerchandisingRules::Parse(bad.json, analyzer);
    ASSERT_FALSE(rules.ok()) << bad.json;
    EXPECT_EQ(rules.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(rules.status().message()), HasSubstr(bad.message));
  }
}

TEST(MerchandisingRulesTest, WithoutRulesNothingIsWished) {
  EXPECT_TRUE(
      MerchandisingRules().Match({.queries = {"tent"}, .brands = {}, .categories = {}}).empty());
}

}  // namespace
}  // namespace emptor::retrieval
