// The decision, the file of a tuning, and its fit.
#include "retrieval/cache/faq_tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "retrieval/cache/faq_fit.h"
#include "retrieval/cache/faq_texts.h"

namespace emptor::retrieval {
namespace {

constexpr auto kSimilarityAt = static_cast<size_t>(FaqFeature::kSimilarity);

FaqMatch MatchOf(std::string id, double similarity, std::string contradiction = "") {
  FaqMatch match{.id = std::move(id), .phrasing = "p", .similarity = similarity};
  match.features[kSimilarityAt] = similarity;
  match.contradiction = std::move(contradiction);
  return match;
}

/// Confidence 0.5 at a similarity of 0.5.
FaqTuning SteepTuning() {
  FaqTuning tuning;
  tuning.full.bias = -5;
  tuning.full.weights[kSimilarityAt] = 10;
  tuning.hit_threshold = 0.9;
  tuning.unsure_threshold = 0.3;
  return tuning;
}

FaqMatches Found(std::vector<FaqMatch> matches) {
  return {.has_vector = true, .matches = std::move(matches)};
}

class FaqTuningTest : public ::testing::Test {};

TEST_F(FaqTuningTest, TheMostProbableMatchIsServedFromItsThresholdOn) {
  const FaqTuning tuning = SteepTuning();
  const auto hit = DecideFaq(Found({MatchOf("a", 0.4), MatchOf("b", 0.8)}), tuning);
  EXPECT_EQ(hit.decision, FaqDecision::kHit);
  EXPECT_EQ(hit.candidates.front().id, "b");
  EXPECT_NEAR(hit.candidates.front().confidence, 0.9526, 1e-4);
  EXPECT_EQ(DecideFaq(Found({MatchOf("a", 0.6)}), tuning).decision, FaqDecision::kUnsure);
  const auto none = DecideFaq(Found({MatchOf("a", 0.2)}), tuning);
  EXPECT_EQ(none.decision, FaqDecision::kNone);
  EXPECT_TRUE(none.candidates.empty());
}

TEST_F(FaqTuningTest, AContradictedMatchIsNeverServed) {
  const auto answer =
      DecideFaq(Found({MatchOf("a", 0.99, "number: 30 against 300")}), SteepTuning());
  EXPECT_EQ(answer.decision, FaqDecision::kUnsure);
}

TEST_F(FaqTuningTest, AnEntryMayHaveItsOwnThreshold) {
  FaqTuning tuning = SteepTuning();
  tuning.entry_thresholds["strict"] = 0.99;
  EXPECT_EQ(DecideFaq(Found({MatchOf("strict", 0.8)}), tuning).decision, FaqDecision::kUnsure);
  EXPECT_EQ(DecideFaq(Found({MatchOf("other", 0.8)}), tuning).decision, FaqDecision::kHit);
}

TEST_F(FaqTuningTest, AtMostThreeCandidatesBestFirst) {
  const auto answer = DecideFaq(
      Found({MatchOf("a", 0.5), MatchOf("b", 0.55), MatchOf("c", 0.6), MatchOf("d", 0.65)}),
      SteepTuning());
  ASSERT_EQ(answer.candidates.size(), 3u);
  EXPECT_EQ(answer.candidates[0].id, "d");
  EXPECT_EQ(answer.candidates[2].id, "b");
}

TEST_F(FaqTuningTest, AFileKeepsATuning) {
  FaqTuning tuning = SteepTuning();
  tuning.lexical.bias = -3.25;
  tuning.entry_thresholds["with blank"] = 0.75;
  const auto read = ParseFaqTuning(WriteFaqTuning(tuning));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(WriteFaqTuning(*read), WriteFaqTuning(tuning));
  EXPECT_EQ(read->entry_thresholds, tuning.entry_thresholds);
  EXPECT_EQ(read->lexical.bias, -3.25);
}

TEST_F(FaqTuningTest, ADamagedFileIsRefusedWithItsLine) {
  for (const char* text :
       {"", "faq_tuning 1\n", "faq_tuning 3\n", "hit_threshold 1\n",
        "faq_tuning 2\nhit_threshold much\n", "faq_tuning 2\nfull beauty 1\n",
        "faq_tuning 2\nfull bias nan\n", "faq_tuning 2\nbias\n", "faq_tuning 2\nsome bias 1\n"}) {
    const auto read = ParseFaqTuning(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(std::string(read.status().message()), ::testing::HasSubstr("line "));
  }
}

TEST_F(FaqTuningTest, TheShippedTuningIsSound) {
  const auto shipped = ParseFaqTuning(kDefaultFaqTuning);
  ASSERT_TRUE(shipped.ok()) << shipped.status();
  EXPECT_GT(shipped->hit_threshold, 0.5);
  EXPECT_LT(shipped->unsure_threshold, shipped->learned_hit_threshold);
  EXPECT_LT(shipped->hit_threshold, 1);
  EXPECT_LT(shipped->unsure_threshold, shipped->hit_threshold);
}

/// Questions whose best match is right with the probability of its similarity.
std::vector<FaqLabelled> MakeLabelled(size_t count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform;
  std::vector<FaqLabelled> labelled;
  for (size_t i = 0; i < count; ++i) {
    const double similarity = uniform(random);
    const bool right = uniform(random) < 1 / (1 + std::exp(-12 * (similarity - 0.6)));
    labelled.push_back({Found({MatchOf("a", similarity)}), right ? "a" : ""});
  }
  return labelled;
}

TEST_F(FaqTuningTest, TheFitFindsTheModelThatMadeTheLabels) {
  const FaqTuning fitted = FitFaqTuning(MakeLabelled(20000), {.ridge = 1e-7});
  EXPECT_NEAR(fitted.full.weights[kSimilarityAt], 12, 0.8);
  EXPECT_NEAR(fitted.full.bias, -7.2, 0.5);
}

TEST_F(FaqTuningTest, TheThresholdKeepsTheTargetOnOtherQuestions) {
  auto all = MakeLabelled(8000);
  const std::vector<FaqLabelled> other(all.begin() + 4000, all.end());
  all.resize(4000);
  const FaqTuning fitted = FitFaqTuning(all, {.target_error = 0.05, .entry_questions = 1'000'000});
  size_t hits = 0, wrong = 0;
  for (const FaqLabelled& each : other) {
    const FaqAnswer answer = DecideFaq(each.matches, fitted);
    if (answer.decision != FaqDecision::kHit) continue;
    ++hits;
    if (each.id.empty()) ++wrong;
  }
  EXPECT_GT(hits, 800u);
  EXPECT_LT(static_cast<double>(wrong), 0.065 * static_cast<double>(hits));
}

TEST_F(FaqTuningTest, AnEntryThatIsOftenWrongGetsAHigherThreshold) {
  std::vector<FaqLabelled> labelled;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.5, 1.0);
  for (int i = 0; i < 400; ++i) {
    const double good = uniform(random), bad = uniform(random);
    labelled.push_back({Found({MatchOf("good", good)}), "good"});
    labelled.push_back({Found({MatchOf("bad", bad)}), bad > 0.9 ? "bad" : ""});
  }
  const FaqTuning fitted = FitFaqTuning(labelled);
  EXPECT_GT(HitThreshold(fitted, "bad", false), HitThreshold(fitted, "good", false));
  EXPECT_EQ(HitThreshold(fitted, "unknown", false), fitted.hit_threshold);
}

TEST_F(FaqTuningTest, FewQuestionsChangeNoThresholdOfAnEntry) {
  const std::vector<FaqLabelled> labelled = MakeLabelled(10);
  EXPECT_TRUE(FitFaqTuning(labelled).entry_thresholds.empty());
}

TEST_F(FaqTuningTest, AModelThatNoQuestionNeedsIsTheDefaultOne) {
  const FaqTuning fitted = FitFaqTuning(MakeLabelled(100));
  EXPECT_EQ(fitted.learned.weights, DefaultFaqTuning().learned.weights);
  EXPECT_EQ(fitted.lexical.bias, DefaultFaqTuning().lexical.bias);
  EXPECT_NE(fitted.full.weights, DefaultFaqTuning().full.weights);
}

TEST_F(FaqTuningTest, MatchesOfAClassifierHaveTheirOwnModel) {
  FaqTuning tuning = SteepTuning();
  tuning.learned.bias = 3;
  FaqMatches found = Found({MatchOf("a", 0)});
  EXPECT_LT(FaqConfidence(tuning, found, found.matches.front()), 0.01);
  tuning.learned_hit_threshold = 0.96;
  found.is_learned = true;
  EXPECT_EQ(DecideFaq(found, tuning).decision, FaqDecision::kUnsure);
  tuning.learned_hit_threshold = 0.95;
  EXPECT_EQ(DecideFaq(found, tuning).decision, FaqDecision::kHit);
  EXPECT_NEAR(FaqConfidence(tuning, found, found.matches.front()), 0.9526, 1e-4);
}

TEST_F(FaqTuningTest, AWeightCountsAsSoManyQuestions) {
  std::vector<FaqLabelled> repeated, weighted = MakeLabelled(300);
  for (size_t i = 0; i < weighted.size(); ++i) {
    weighted[i].weight = i % 3 == 0 ? 4 : 1;
    for (size_t j = 0; j < (i % 3 == 0 ? 4 : 1); ++j) {
      repeated.push_back({weighted[i].matches, weighted[i].id});
    }
  }
  const FaqTuning a = FitFaqTuning(weighted), b = FitFaqTuning(repeated);
  EXPECT_NEAR(a.full.weights[kSimilarityAt], b.full.weights[kSimilarityAt], 1e-6);
  EXPECT_NEAR(a.hit_threshold, b.hit_threshold, 1e-6);
}

TEST_F(FaqTuningTest, ThresholdsKeepTheShareOfQuestionsOutsideThatAreAnswered) {
  const auto labelled = MakeLabelled(4000);
  const auto outside_answered = [&](const FaqTuning& tuning) {
    double outside = 0, answered = 0;
    for (const FaqLabelled& each : labelled) {
      if (!each.id.empty()) continue;
      ++outside;
      answered += DecideFaq(each.matches, tuning).decision == FaqDecision::kHit ? 1 : 0;
    }
    return answered / outside;
  };
  const FaqTuning few = FitFaqTuning(labelled, {.target_error = 0.5, .target_outside = 0.05});
  const FaqTuning many = FitFaqTuning(labelled, {.target_error = 0.5, .target_outside = 0.2});
  EXPECT_LE(outside_answered(few), 0.05);
  EXPECT_GT(outside_answered(few), 0.04);
  EXPECT_LT(many.hit_threshold, few.hit_threshold);
}

TEST_F(FaqTuningTest, NothingToFitKeepsTheDefault) {
  EXPECT_EQ(WriteFaqTuning(FitFaqTuning({})), WriteFaqTuning(DefaultFaqTuning()));
}

TEST_F(FaqTuningTest, ACurveCountsHitsFromEachScoreOn) {
  const auto curve = ComputeFaqCurve({{0.9, true, true},
                                      {0.5, false, true},
                                      {0.9, true, true},
                                      {0.2, true, true},
                                      {-1, true, true}});
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0].hits, 2u);
  EXPECT_DOUBLE_EQ(curve[0].hit_rate, 0.4);
  EXPECT_DOUBLE_EQ(curve[1].precision, 2.0 / 3);
  EXPECT_EQ(PointAtPrecision(curve, 0.75).hits, 4u);
  EXPECT_EQ(PointAtPrecision(curve, 0.8).hits, 2u);
  EXPECT_EQ(PointAtPrecision({}, 0.8).hits, 0u);
}

}  // namespace
}  // namespace emptor::retrieval
