// Which sentence answers a question, and what properties a text names.
#include "services/assistant/schema/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/schema/property_names.h"

namespace emptor::services {
namespace {

using Kind = Evidence::Kind;

/// The place of the sentence that answers most likely.
size_t BestOf(const std::string& question, const std::vector<Evidence>& sentences) {
  TermWeights weights;
  for (const Evidence& each : sentences) weights.Add(each);
  size_t best = 0;
  float best_score = 0;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const float score =
        ScoreEvidence(FeaturesOf(question, "Torvane Kettle K80", sentences[i], weights));
    if (i == 0 || score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

const std::vector<Evidence>& Sentences() {
  static const std::vector<Evidence> sentences = {
      {.text = "The Torvane kettle looks good in every kitchen."},
      {.text = "The base is 16 cm wide and fits on a small shelf."},
      {.text = "It switches off by itself once the water boils."},
      {.kind = Kind::kAttribute, .text = "0.9 kg", .name = "item weight"},
      {.text = "Works with 220 to 240 volts."},
  };
  return sentences;
}

TEST(EvidenceTest, TheSentenceWithTheWordsOfTheQuestionAnswers) {
  EXPECT_EQ(BestOf("does the kettle switch off by itself?", Sentences()), 2u);
  EXPECT_EQ(BestOf("will it work with 110 volts", Sentences()), 4u);
}

TEST(EvidenceTest, APropertyIsFoundByItsOtherNames) {
  EXPECT_EQ(BestOf("how heavy is it", Sentences()), 3u);
}

TEST(EvidenceTest, TheNameOfTheProductTellsLeast) {
  EXPECT_EQ(BestOf("how wide is the base of the Torvane kettle", Sentences()), 1u);
}

TEST(EvidenceTest, ANumberIsExpectedWhereOneIsAskedFor) {
  const std::vector<Evidence> sentences = {{.text = "The cable is long enough for a kitchen."},
                                           {.text = "The cable is 1.2 m long."}};
  EXPECT_EQ(BestOf("how long is the cable", sentences), 1u);
}

TEST(PropertyNamesTest, NamesOfOnePropertyAreTheSameInEveryLanguage) {
  const auto share = [](std::string_view a, std::string_view b) {
    const auto of_a = PropertiesIn(FoldedMessage(a)), of_b = PropertiesIn(FoldedMessage(b));
    std::vector<uint32_t> both;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                          std::back_inserter(both));
    return !both.empty();
  };
  EXPECT_TRUE(share("how heavy is it", "item weight"));
  EXPECT_TRUE(share("wie schwer ist das", "net weight"));
  EXPECT_FALSE(share("how heavy is it", "colour"));
  EXPECT_TRUE(PropertiesIn(FoldedMessage("")).empty());
}

}  // namespace
}  // namespace emptor::services
