// What is learned from the phrasings of a FAQ's entries.
#include "retrieval/cache/entry_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "retrieval/cache/faq_features.h"
#include "retrieval/cache/faq_index.h"
#include "retrieval/cache/learned_entries.h"
#include "retrieval/embedding/hashing_embedder.h"

namespace emptor::retrieval {
namespace {

QuestionText Read(const std::string& text) { return ReadQuestionText(text, Language::kEnglish); }

class EntryClassifierTest : public ::testing::Test {
 protected:
  EntryClassifierTest() {
    for (const char* text : {"where is my parcel", "parcel not here", "track the parcel today"}) {
      Add(text, 0);
    }
    for (const char* text : {"where do I send it back", "send back", "how to send a return"}) {
      Add(text, 1);
    }
    Add("pay by card", 2);
  }
  void Add(const std::string& text, uint32_t entry) {
    texts_.push_back(std::make_unique<QuestionText>(Read(text)));
    examples_.push_back({texts_.back().get(), {0, 0}, entry});
  }
  static size_t Best(const EntryClassifier& classifier, const std::string& text,
                     std::vector<float> vector = {0, 0}) {
    std::vector<float> scores(classifier.entries());
    classifier.ScoreInto(Read(text), vector, scores);
    return static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }

  std::vector<std::unique_ptr<QuestionText>> texts_;
  std::vector<ClassifierExample> examples_;
};

TEST_F(EntryClassifierTest, WordsThatTellEntriesApartDecide) {
  const EntryClassifier classifier(examples_, 3);
  EXPECT_EQ(Best(classifier, "where oh where is that parcel"), 0u);
  EXPECT_EQ(Best(classifier, "where can I send this"), 1u);
  EXPECT_EQ(Best(classifier, "card?"), 2u);
  EXPECT_EQ(Best(classifier, "parcle"), 0u) << "by its trigrams";
}

TEST_F(EntryClassifierTest, TheVectorCountsWhereWordsAreUnknown) {
  for (ClassifierExample& each : examples_) each.vector = {each.entry == 1 ? 1.0f : 0.0f, 0};
  const EntryClassifier classifier(examples_, 3);
  EXPECT_EQ(Best(classifier, "zzz", {1, 0}), 1u);
  EXPECT_NE(Best(classifier, "zzz", {0, 1}), 1u);
}

TEST_F(EntryClassifierTest, EqualExamplesGiveEqualScores) {
  const EntryClassifier a(examples_, 3), b(examples_, 3);
  std::vector<float> first(3), second(3);
  a.ScoreInto(Read("where is it"), std::vector<float>{0, 0}, first);
  b.ScoreInto(Read("where is it"), std::vector<float>{0, 0}, second);
  EXPECT_EQ(first, second);
  for (const float score : first) EXPECT_TRUE(std::isfinite(score));
}

TEST_F(EntryClassifierTest, AnEmptyQuestionHasFiniteScores) {
  const EntryClassifier classifier(examples_, 3);
  std::vector<float> scores(3);
  classifier.ScoreInto(Read(""), std::vector<float>{0, 0}, scores);
  for (const float score : scores) EXPECT_TRUE(std::isfinite(score));
}

/// Entries that differ by a word which their nearest phrasings do not share.
class LearnedIndexTest : public ::testing::Test {
 protected:
  static std::vector<FaqPhrasings> Faq() {
    return {{"parcel", "", {"where is my parcel", "the parcel is late", "parcel tracking"}},
            {"return", "", {"where do I send it back", "send back a parcel", "how to return"}},
            {"rueckgabe", "de", {"wohin schicke ich es zurück", "Rückgabe"}}};
  }
  std::unique_ptr<FaqIndex> Make(bool learns) const {
    auto index = *FaqIndex::Create(embedder_);
    EXPECT_TRUE(index->Update(Faq(), {}).ok());
    if (learns) index->Learn();
    return index;
  }
  static double Of(const FaqMatch& match, FaqFeature feature) {
    return match.features[static_cast<size_t>(feature)];
  }

  HashingEmbedder embedder_;
};

TEST_F(LearnedIndexTest, FeaturesOfTheClassifierAreThereOnceItHasLearned) {
  const auto before = Make(false)->Match("late parcel tracking?", "");
  EXPECT_FALSE(before.is_learned);
  EXPECT_EQ(Of(before.matches.front(), FaqFeature::kLearnedProbability), 0);
  const auto after = Make(true)->Match("late parcel tracking?", "");
  ASSERT_TRUE(after.is_learned);
  ASSERT_EQ(after.matches.front().id, "parcel");
  EXPECT_GT(Of(after.matches.front(), FaqFeature::kLearnedProbability), 0.5);
  EXPECT_GT(Of(after.matches.front(), FaqFeature::kLearnedMargin), 0);
  double sum = 0;
  for (const FaqMatch& match : after.matches) {
    sum += Of(match, FaqFeature::kLearnedProbability);
    EXPECT_EQ(Of(match, FaqFeature::kLearnedMargin) > 0, match.id == "parcel");
  }
  EXPECT_LE(sum, 1 + 1e-9);
}

TEST_F(LearnedIndexTest, AnUpdateForgetsWhatWasLearned) {
  const auto index = Make(true);
  const std::vector<FaqPhrasings> more = {{"card", "", {"pay by card"}}};
  ASSERT_TRUE(index->Update(more, {}).ok());
  EXPECT_FALSE(index->Match("late parcel", "").is_learned);
  index->Learn();
  EXPECT_TRUE(index->Match("late parcel", "").is_learned);
}

TEST_F(LearnedIndexTest, EntriesOfAnotherLanguageHaveNoShareOfTheProbability) {
  const auto index = Make(true);
  for (const FaqMatch& match : index->Match("Rückgabe wohin", "en").matches) {
    EXPECT_NE(match.id, "rueckgabe");
  }
}

TEST_F(LearnedIndexTest, TheOrderOfUpdatesDoesNotMatter) {
  const auto at_once = Make(true);
  const auto grown = *FaqIndex::Create(embedder_);
  auto entries = Faq();
  std::reverse(entries.begin(), entries.end());
  for (const FaqPhrasings& entry : entries) ASSERT_TRUE(grown->Update({&entry, 1}, {}).ok());
  grown->Learn();
  const auto a = at_once->Match("where is the parcel now", ""),
             b = grown->Match("where is the parcel now", "");
  ASSERT_EQ(a.matches.size(), b.matches.size());
  for (size_t i = 0; i < a.matches.size(); ++i) {
    EXPECT_EQ(a.matches[i].id, b.matches[i].id);
    EXPECT_NEAR(Of(a.matches[i], FaqFeature::kLearnedScore),
                Of(b.matches[i], FaqFeature::kLearnedScore), 1e-6);
  }
}

TEST_F(LearnedIndexTest, SinglePhrasingsTeachNothing) {
  const auto index = *FaqIndex::Create(embedder_);
  const std::vector<FaqPhrasings> single = {
      {"a", "", {"where is my parcel"}}, {"b", "", {"how to return"}}, {"c", "", {"pay by card"}}};
  ASSERT_TRUE(index->Update(single, {}).ok());
  index->Learn();
  EXPECT_FALSE(index->Match("where is the parcel", "").is_learned);
}

TEST_F(LearnedIndexTest, AFaqThatIsTooLargeIsNotLearned) {
  const auto index = *FaqIndex::Create(embedder_);
  std::vector<FaqPhrasings> many;
  for (size_t i = 0; i * i <= LearnedEntries::kMaxCells; ++i) {
    many.push_back(
        {fmt::format("q{}", i), "", {fmt::format("question {}", i), fmt::format("ask {}", i)}});
  }
  ASSERT_TRUE(index->Update(many, {}).ok());
  index->Learn();
  EXPECT_FALSE(index->Match("question 7 please", "").is_learned);
}

}  // namespace
}  // namespace emptor::retrieval
