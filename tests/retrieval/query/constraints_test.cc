// Query understanding: the table of expectations, and properties of any text.
#include "retrieval/query/constraints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "tests/retrieval/query/describe_filter.h"
#include "tests/retrieval/query/query_table.h"

namespace emptor::retrieval {
namespace {

using testing::DescribeFilter;
using testing::QueryCase;

/// A shop of electronics, furniture and shoes that prices in dollars.
QueryVocabulary TestVocabulary() {
  static const std::map<FilterField, std::map<std::string, std::string>> kValues = {
      {FilterField::kBrand,
       {{"sony", "Sony"},
        {"bose", "Bose"},
        {"samsung", "Samsung"},
        {"lg", "LG"},
        {"hp", "HP"},
        {"bosch", "Bosch"},
        {"red wing", "Red Wing"},
        {"black & decker", "Black & Decker"},
        {"black", "Black"},
        {"home", "Home"},
        {"3m", "3M"}}},
      {FilterField::kCategory,
       {{"kettles", "Kettles"}, {"phone cases", "Phone Cases"}, {"speakers", "Speakers"}}},
      {FilterField::kLocation, {{"berlin mitte", "Berlin Mitte"}, {"köln", "Köln"}}},
      {FilterField::kAttribute,
       {{AttributeKey("size", "10"), AttributeKey("Size", "10")},
        {AttributeKey("size", "m"), AttributeKey("size", "M")},
        {AttributeKey("size", "42"), AttributeKey("size", "42")}}},
      {FilterField::kColor,
       {{"black", "black"},
        {"red", "red"},
        {"gray", "gray"},
        {"blue", "blue"},
        {"white", "white"},
        {"orange", "orange"}}}};
  QueryVocabulary vocabulary;
  vocabulary.find = [](FilterField field,
                       const std::string& folded) -> std::optional<CatalogValue> {
    const auto values = kValues.find(field);
    if (values == kValues.end()) return std::nullopt;
    const auto found = values->second.find(folded);
    if (found == values->second.end()) return std::nullopt;
    return CatalogValue{found->second, 10};
  };
  vocabulary.mentions = [](const std::string& term) -> size_t {
    if (term.starts_with("no ")) return term == "no frost" ? 3 : 0;
    return term == "home" ? 500 : 5;
  };
  vocabulary.has_measure = [](const std::string& attribute, const std::string& base) {
    static const std::set<std::pair<std::string, std::string>> kMeasures = {
        {"", "mm"},         {"", "g"},       {"", "ml"},       {"", "mb"},
        {"capacity", "ml"}, {"weight", "g"}, {"height", "mm"}, {"screen", "mm"}};
    return kMeasures.contains({attribute, base});
  };
  return vocabulary;
}

/// Conditions in any order.
std::multiset<std::string> Conditions(std::string_view text) {
  // Values hold blanks: a condition begins behind a blank with a name and a sign.
  std::multiset<std::string> conditions;
  std::string current;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const bool begins = word.find('=') != std::string::npos ||
                        word.find('<') != std::string::npos || word.find('>') != std::string::npos;
    if (begins && !current.empty()) conditions.insert(std::exchange(current, {}));
    current += (current.empty() ? "" : " ") + word;
  }
  if (!current.empty()) conditions.insert(current);
  return conditions;
}

void Check(std::span<const QueryCase> cases) {
  const QueryVocabulary vocabulary = TestVocabulary();
  for (const QueryCase& each : cases) {
    const QueryConstraints read = ReadConstraints(each.query, vocabulary);
    EXPECT_EQ(Conditions(DescribeFilter(read.filter)), Conditions(each.filter)) << each.query;
    EXPECT_EQ(read.search_text, each.rest) << each.query;
  }
}

TEST(ConstraintsTest, ReadsWhatWasWrittenBeforeTheCode) { Check(testing::FirstQueries()); }

TEST(ConstraintsTest, ReadsWhatWasWrittenLater) { Check(testing::LaterQueries()); }

TEST(ConstraintsTest, ReadsSixLanguages) { Check(testing::ThirdQueries()); }

TEST(ConstraintsTest, ReadsWhatWasMisreadOnce) { Check(testing::FourthQueries()); }

TEST(ConstraintsTest, RupeesAreMoneyInAShopThatTakesThem) {
  QueryVocabulary vocabulary = TestVocabulary();
  vocabulary.currency = "INR";
  for (const std::string query :
       {"mouse under rs 500", "mouse under rs. 500", "mouse under rs500", "mouse under 500rs",
        "mouse under 500 rupees", "mouse below Rs.500/-", "mouse upto ₹500"}) {
    EXPECT_EQ(DescribeFilter(ReadConstraints(query, vocabulary).filter), "price<=50000INR")
        << query;
  }
  EXPECT_EQ(DescribeFilter(ReadConstraints("watch under 2 lakh", vocabulary).filter),
            "price<=20000000INR");
}

TEST(ConstraintsTest, TheTableHasItsStatedLength) {
  EXPECT_GE(testing::ThirdQueries().size(), 60u);
  EXPECT_GE(testing::FirstQueries().size() + testing::LaterQueries().size(), 150u);
  EXPECT_GE(testing::FirstQueries().size(), 75u);
}

TEST(ConstraintsTest, TheShopsCurrencyIsTheDefault) {
  QueryVocabulary vocabulary = TestVocabulary();
  vocabulary.currency = "CAD";
  EXPECT_EQ(DescribeFilter(ReadConstraints("kettle under $50", vocabulary).filter),
            "price<=5000CAD category=Kettles");
  vocabulary.currency = "JPY";
  EXPECT_EQ(DescribeFilter(ReadConstraints("mouse under 3000", vocabulary).filter),
            "price<=3000JPY");
  vocabulary.currency = "GBP";
  EXPECT_EQ(DescribeFilter(ReadConstraints("mouse under 30 pounds", vocabulary).filter),
            "price<=3000GBP");
}

TEST(ConstraintsTest, BoundsThatExcludeEachOtherAreBothRead) {
  const auto read = [](std::string_view query) {
    const Filter filter = ReadConstraints(query, TestVocabulary()).filter;
    return std::pair(filter.min_price.value_or(0), filter.max_price.value_or(0));
  };
  EXPECT_EQ(read("kettle over 80 under 30"), std::pair(int64_t{8000}, int64_t{3000}));
  EXPECT_EQ(read("kettle under 100 over 200"), std::pair(int64_t{20000}, int64_t{10000}));
  EXPECT_EQ(read("tv over 40 under 500"), std::pair(int64_t{0}, int64_t{50000})) << "inches";
}

TEST(ConstraintsTest, NamesTheBudget) {
  const QueryVocabulary vocabulary = TestVocabulary();
  EXPECT_EQ(ReadConstraints("kettle under $50", vocabulary).budget, (catalog::Money{5000, "USD"}));
  EXPECT_EQ(ReadConstraints("kettle over $50", vocabulary).budget, std::nullopt);
  const Filter range = ReadConstraints("kettle, budget 40 to 60", vocabulary).filter;
  EXPECT_EQ(range.min_price, 4000);
  EXPECT_EQ(range.max_price, 6000);
  EXPECT_EQ(ReadConstraints("monitor, budget of 200-300", vocabulary).filter.min_price, 20000);
}

TEST(ConstraintsTest, AnEmptyVocabularyKnowsWordsOnly) {
  const QueryConstraints read = ReadConstraints("sony kettle under 50 not bosch, 2 l or more", {});
  EXPECT_EQ(DescribeFilter(read.filter), "price<=5000USD -term=bosch");
}

/// Any text is read, and no text is invented: what is left consists of bytes of the query.
TEST(ConstraintsTest, TakesAnyMixtureOfItsWords) {
  const QueryVocabulary vocabulary = TestVocabulary();
  std::vector<std::string> words;
  for (const QueryCase& each : testing::FirstQueries()) {
    std::istringstream stream{std::string(each.query)};
    words.insert(words.end(), std::istream_iterator<std::string>(stream), {});
  }
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string query;
    for (size_t n = random() % 12; n > 0; --n) query += words[random() % words.size()] + " ";
    const QueryConstraints read = ReadConstraints(query, vocabulary);
    std::istringstream rest(read.search_text);
    for (std::string word; rest >> word;) {
      EXPECT_NE(query.find(word), std::string::npos) << query << " -> " << read.search_text;
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
