// Labelled questions of a shop.
#include "services/eval/faq_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "retrieval/cache/faq_tuning.h"
#include "retrieval/embedding/hashing_embedder.h"

namespace emptor::services {
namespace {

class FaqPairsTest : public ::testing::Test {};

TEST_F(FaqPairsTest, ALineNamesAnEntryOrNone) {
  const auto pairs = ParseFaqPairs(
      "{\"question\":\"how?\",\"id\":\"a\",\"locale\":\"en\"}\n\n{\"question\":\"why?\",\"id\":"
      "null}");
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  ASSERT_EQ(pairs->size(), 2u);
  EXPECT_EQ((*pairs)[0].id, "a");
  EXPECT_EQ((*pairs)[0].locale, "en");
  EXPECT_EQ((*pairs)[1].id, "");
}

TEST_F(FaqPairsTest, WhatIsNoPairIsRefusedWithItsLine) {
  for (const char* line :
       {"x", "{}", "{\"question\":\"how?\"}", "{\"question\":\"\",\"id\":null}",
        "{\"question\":\"how?\",\"id\":1}", "{\"question\":\"how?\",\"id\":null,\"locale\":2}"}) {
    const auto pairs = ParseFaqPairs("{\"question\":\"how?\",\"id\":null}\n" + std::string(line));
    ASSERT_FALSE(pairs.ok()) << line;
    EXPECT_THAT(std::string(pairs.status().message()), ::testing::StartsWith("line 2: "));
  }
}

TEST_F(FaqPairsTest, AnEntryThatIsServedWronglyIsServedLess) {
  const retrieval::HashingEmbedder embedder;
  const auto index = *retrieval::FaqIndex::Create(embedder);
  const std::vector<retrieval::FaqPhrasings> entries = {
      {"returns", "", {"How do I return an item?"}}, {"payment", "", {"How can I pay for goods?"}}};
  ASSERT_TRUE(index->Update(entries, {}).ok());
  std::vector<FaqPair> pairs;
  for (int i = 0; i < 80; ++i) {
    const std::string name = std::string(1, static_cast<char>('a' + i % 26)) + "zq";
    pairs.push_back({"how do i return an item please " + name, "", ""});
    pairs.push_back({"how can i pay for goods please " + name, "payment", ""});
  }
  const FaqTuneResult result = TuneFaq(*index, pairs);
  EXPECT_EQ(result.after.questions + result.fitted, pairs.size());
  EXPECT_LE(result.after.false_hits(), result.before.false_hits());
  EXPECT_EQ(result.after.false_hits(), 0u);
  EXPECT_GE(HitThreshold(result.tuning, "returns", false),
            HitThreshold(result.tuning, "payment", false));
}

}  // namespace
}  // namespace emptor::services
