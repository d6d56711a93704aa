// Readers of labelled questions, and the figures.
#include "services/eval/faq_sets.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/eval/faq_eval.h"
#include "services/eval/minimal_pairs.h"

namespace emptor::services {
namespace {

class FaqSetsTest : public ::testing::Test {};

TEST_F(FaqSetsTest, FieldsOfCsvMayBeQuoted) {
  const auto rows = ParseCsv("a,b\n\"x, \"\"y\"\"\",\"two\nlines\"\r\n\n,last");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1], (std::vector<std::string>{"x, \"y\"", "two\nlines"}));
  EXPECT_EQ(rows[2], (std::vector<std::string>{"", "last"}));
}

absl::StatusOr<std::string> ReadMade(const std::string& path) {
  static const std::map<std::string, std::string> files = {
      {"faq_hint3/powerplay11_train.csv", "sentence,label\nhow do i play,PLAY\n"},
      {"faq_hint3/powerplay11_test.csv", "sentence,label\nplay?,PLAY\nhi,NO_NODES_DETECTED\n"},
      {"faq_hint3/curekart_train.csv", "sentence,label\nwhere is it,TRACK\ntrack,TRACK\n"},
      {"faq_hint3/curekart_test.csv", "sentence,label\ntrack it,TRACK\n"},
      {"faq_hint3/sofmattress_train.csv", "sentence,label\nprice,COST\n"},
      {"faq_hint3/sofmattress_test.csv", "sentence,label\n\"price, emi\",COST\n"},
      {"pairs_qqp/pairs.tsv.zst", "label\ttext_a\ttext_b\n1\ta\tb\n0\ta\tc\n1\tother\tb\n"},
      {"faq_banking77/utterances.csv.zst", "split,text\n"}};
  const auto found = files.find(path);
  if (found == files.end()) return absl::NotFoundError(path);
  return found->second;
}

TEST_F(FaqSetsTest, ThresholdsOfOneBotComeFromAnother) {
  const auto tasks = ReadFaqTasks("hint3", ReadMade);
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  ASSERT_EQ(tasks->size(), 2u);
  const FaqTask& task = tasks->front();
  EXPECT_EQ(task.fit.entries.front().id, "PLAY");
  ASSERT_EQ(task.fit.questions.size(), 2u);
  EXPECT_FALSE(task.fit.questions[1].answerable);
  ASSERT_EQ(task.report.entries.size(), 1u);
  EXPECT_EQ(task.report.entries.front().phrasings.size(), 2u);
  EXPECT_EQ((*tasks)[1].report.questions.front().text, "price, emi");
}

TEST_F(FaqSetsTest, PairsOfOneTextLieOnOneSide) {
  const auto tasks = ReadFaqTasks("qqp", ReadMade);
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  const FaqTask& task = tasks->front();
  EXPECT_TRUE(task.is_pairs);
  EXPECT_FALSE(task.is_licensed);
  EXPECT_EQ(task.fit.questions.size() + task.report.questions.size(), 3u);
  for (const FaqCollection* side : {&task.fit, &task.report}) {
    for (const auto& entry : side->entries) EXPECT_EQ(entry.phrasings.size(), 1u);
  }
  EXPECT_EQ(task.fit.entries.size() + task.report.entries.size(), 2u);
}

TEST_F(FaqSetsTest, WhatIsNotThereOrDamagedIsRefused) {
  EXPECT_EQ(ReadFaqTasks("clinc150", ReadMade).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadFaqTasks("banking77", ReadMade).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadFaqTasks("other", ReadMade).status().code(), absl::StatusCode::kInvalidArgument);
  for (const char* text :
       {"{", "{\"id\":\"a\",\"kind\":\"entry\"}", "{\"id\":\"a\",\"kind\":\"odd\",\"text\":\"x\"}",
        "{\"id\":\"a\",\"kind\":\"paraphrase\",\"text\":\"x\"}"}) {
    EXPECT_FALSE(ReadMinimalPairTasks(text).ok()) << text;
  }
}

TEST_F(FaqSetsTest, EntriesOfMinimalPairsAreSplitById) {
  std::string text;
  size_t sealed = 0, report = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "e" + std::to_string(i);
    sealed += SideOfEntry(id) == MinimalPairSide::kSealed ? 1 : 0;
    report += SideOfEntry(id) == MinimalPairSide::kReport ? 1 : 0;
    text += "{\"id\":\"" + id + "\",\"kind\":\"entry\",\"text\":\"question " + id + "\"}\n";
    text += "{\"id\":\"" + id + "\",\"kind\":\"paraphrase\",\"text\":\"ask " + id + "\"}\n";
    text += "{\"id\":\"" + id + "\",\"kind\":\"near\",\"text\":\"no\",\"why\":\"number\"}\n";
  }
  const auto tasks = ReadMinimalPairTasks(text);
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  ASSERT_EQ(tasks->size(), 2u);
  EXPECT_EQ((*tasks)[0].report.questions.size(), 2 * report);
  EXPECT_EQ((*tasks)[1].report.questions.size(), 2 * sealed);
  EXPECT_TRUE((*tasks)[1].is_sealed);
  EXPECT_EQ((*tasks)[1].report.entries.size(), 40u);
}

TEST_F(FaqSetsTest, FiguresCountHitsFromAThresholdOn) {
  const std::vector<retrieval::FaqOutcome> outcomes = {
      {0.9, true, true}, {0.8, false, true}, {0.7, false, false}, {-1, true, true}};
  const FaqFigures figures = CountFaqHits(outcomes, 0.75);
  EXPECT_EQ(figures.hits, 2u);
  EXPECT_EQ(figures.right, 1u);
  EXPECT_EQ(figures.false_hits(), 1u);
  EXPECT_DOUBLE_EQ(figures.hit_rate(), 0.5);
  EXPECT_DOUBLE_EQ(figures.in_scope_accuracy(), 1.0 / 3);
  EXPECT_EQ(CountFaqHits(outcomes, 0).outside_rate(), 1);
  EXPECT_EQ(CountFaqHits(outcomes, 0.95).precision(), 1);
}

TEST_F(FaqSetsTest, ATaskIsMeasuredInEveryWay) {
  const auto tasks = ReadFaqTasks("hint3", ReadMade);
  ASSERT_TRUE(tasks.ok());
  const retrieval::HashingEmbedder embedder;
  const FaqTask& task = tasks->front();
  const auto fit = RunFaqCollection(task.fit, false, embedder);
  const auto report = RunFaqCollection(task.report, false, embedder);
  ASSERT_TRUE(fit.ok() && report.ok());
  const FaqTaskResult result = MeasureFaqTask(task, *fit, *report, retrieval::DefaultFaqTuning());
  ASSERT_EQ(result.ways.size(), 4u);
  EXPECT_EQ(result.ways[0].at_any.in_scope_accuracy(), 1);
  EXPECT_EQ(FalseHitsAt(result.ways[0], 1), 0u);
  EXPECT_NE(FaqResultText(result).find("hint3 curekart: 1 questions"), std::string::npos);
  const auto by_words = RunFaqCollectionByWords(task.fit, embedder);
  ASSERT_TRUE(by_words.ok());
  for (const auto& each : by_words->labelled) EXPECT_FALSE(each.matches.has_vector);
}

}  // namespace
}  // namespace emptor::services
