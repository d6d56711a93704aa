// Reading and measuring judged sentences.
#include "services/eval/evidence_cases.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace emptor::services {
namespace {

constexpr std::string_view kCases =
    R"({"qid":"1","ASIN":"B1","title":"Kettle","question":"how heavy is it?","candidate":"item_weight:  { unit:pounds, value:2.5 }","source":"attribute","label":"2"}
{"qid":"1","ASIN":"B1","title":"Kettle","question":"how heavy is it?","candidate":"yes it does. Question: does it switch off by itself?","source":"cqa","label":"0"}
{"qid":"2","question":"is it red?","candidate":"a red lid","source":"bullet","label":0}
)";

TEST(EvidenceCasesTest, LinesOfAQuestionAreOneCase) {
  const auto cases = ParseEvidenceCases(kCases);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->size(), 2u);
  const EvidenceCase& first = (*cases)[0];
  EXPECT_EQ(first.product, "B1");
  ASSERT_EQ(first.candidates.size(), 2u);
  EXPECT_EQ(first.candidates[0].evidence.name, "item weight");
  EXPECT_EQ(first.candidates[0].evidence.text.find("{"), std::string::npos);
  EXPECT_EQ(first.candidates[1].evidence.kind, Evidence::Kind::kAnswer);
  EXPECT_EQ(first.candidates[1].evidence.text, "yes it does. ");
  EXPECT_EQ(first.candidates[1].evidence.question, " does it switch off by itself?");
}

TEST(EvidenceCasesTest, MistakesNameLineAndMember) {
  const auto message = [](std::string_view text) {
    return std::string(ParseEvidenceCases(text).status().message());
  };
  EXPECT_EQ(message(""), "no case");
  EXPECT_EQ(message("[]"), "1: expected an object");
  EXPECT_EQ(message("\n{\"qid\":\"1\"}"), "2: question: expected a string");
  EXPECT_EQ(message(R"({"qid":"1","question":"q","candidate":"c","label":"two"})"),
            "1: label: expected a whole number from 0");
}

TEST(EvidenceCasesTest, TheFirstSentenceCountsAndTiesCountByShare) {
  const auto cases = ParseEvidenceCases(kCases);
  ASSERT_TRUE(cases.ok());
  const auto scored = [&](float first, float second) {
    return MeasureEvidence(*cases, 1, [=](const EvidenceCase& of) {
      return of.candidates.size() == 2 ? std::vector<float>{first, second} : std::vector<float>{0};
    });
  };
  EXPECT_EQ(scored(2, 1).cases, 1u) << "the second question has no sentence that answers";
  EXPECT_DOUBLE_EQ(scored(2, 1).right_first, 1);
  EXPECT_DOUBLE_EQ(scored(1, 2).right_first, 0);
  EXPECT_DOUBLE_EQ(scored(1, 2).reciprocal_rank, 0.5);
  EXPECT_DOUBLE_EQ(scored(1, 1).right_first, 0.5);
}

}  // namespace
}  // namespace emptor::services
