// What an index finds, keeps and forgets.
#include "retrieval/cache/faq_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "retrieval/cache/faq_features.h"
#include "retrieval/cache/faq_tuning.h"
#include "retrieval/embedding/hashing_embedder.h"

namespace emptor::retrieval {
namespace {

/// A HashingEmbedder that fails on demand.
class FailingEmbedder final : public Embedder {
 public:
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return inner_.model_id(); }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    if (fails) return absl::UnavailableError("embedder: down");
    return inner_.EmbedInto(texts, out);
  }

  std::atomic<bool> fails = false;

 private:
  HashingEmbedder inner_;
};

std::vector<FaqPhrasings> SmallFaq() {
  return {{"returns", "", {"How do I return an item?", "Can I send a product back?"}},
          {"shipping", "", {"How long does delivery take?", "When will my parcel arrive?"}},
          {"warranty", "", {"What does the warranty cover?"}},
          {"payment", "", {"Which payment methods do you accept?"}},
          {"fracht", "de", {"Wie lange dauert die Lieferung?"}},
          {"zh-return", "zh", {"怎么退货？"}}};
}

class FaqIndexTest : public ::testing::Test {
 protected:
  FaqIndexTest() : index_(*FaqIndex::Create(embedder_)) {
    EXPECT_TRUE(index_->Update(SmallFaq(), {}).ok());
  }

  std::string HitOf(std::string_view question, std::string_view locale = "") const {
    const FaqAnswer answer = index_->Lookup(question, locale);
    return answer.decision == FaqDecision::kHit ? answer.candidates.front().id : "";
  }
  std::string BestOf(std::string_view question) const {
    const FaqMatches found = index_->Match(question, "");
    return found.matches.empty() ? "" : found.matches.front().id;
  }

  FailingEmbedder embedder_;
  std::unique_ptr<FaqIndex> index_;
};

TEST_F(FaqIndexTest, FindsTheSameTextInOtherCaseWidthAndPunctuation) {
  for (const char* question :
       {"How do I return an item?", "how do i return an item", "  HOW do I   return an item!! ",
        "Ｈｏｗ ｄｏ Ｉ return an item？"}) {
    const FaqAnswer answer = index_->Lookup(question, "");
    ASSERT_EQ(answer.decision, FaqDecision::kHit) << question;
    EXPECT_TRUE(answer.exact) << question;
    EXPECT_EQ(answer.candidates.front().id, "returns");
    EXPECT_EQ(answer.candidates.front().similarity, 1);
  }
  EXPECT_EQ(HitOf("怎么退货"), "zh-return");
}

TEST_F(FaqIndexTest, SignsThatMeanSomethingKeepTextsApart) {
  const std::vector<FaqPhrasings> more = {{"usd", "", {"Is there a discount over $50?"}},
                                          {"eur", "", {"Is there a discount over €50?"}},
                                          {"point", "", {"Do you sell 2.5 mm cable?"}}};
  ASSERT_TRUE(index_->Update(more, {}).ok());
  EXPECT_EQ(HitOf("is there a discount over $50"), "usd");
  EXPECT_EQ(HitOf("is there a discount over €50"), "eur");
  EXPECT_FALSE(index_->Lookup("do you sell 25 mm cable", "").exact);
  EXPECT_FALSE(index_->Lookup("do you sell 2 5 mm cable", "").exact);
}

TEST_F(FaqIndexTest, TheNearestEntryOfAnotherWordingComesFirst) {
  EXPECT_EQ(BestOf("how can I return my item"), "returns");
  EXPECT_EQ(BestOf("how long will the delivery take"), "shipping");
  EXPECT_EQ(BestOf("what is covered by warranty"), "warranty");
  EXPECT_EQ(BestOf("payment methods?"), "payment");
}

TEST_F(FaqIndexTest, WithoutAnEmbedderExactAndLexicalMatchesGoOn) {
  embedder_.fails = true;
  EXPECT_EQ(HitOf("how do i return an item"), "returns");
  const FaqMatches found = index_->Match("how long does the delivery take then", "");
  EXPECT_FALSE(found.has_vector);
  ASSERT_FALSE(found.matches.empty());
  EXPECT_EQ(found.matches.front().id, "shipping");
  EXPECT_EQ(found.matches.front().similarity, 0);
}

TEST_F(FaqIndexTest, WithoutAnEmbedderUnknownWordsFindNothing) {
  embedder_.fails = true;
  EXPECT_EQ(index_->Lookup("zzz qqq", "").decision, FaqDecision::kNone);
}

TEST_F(FaqIndexTest, AFailedUpdateChangesNothing) {
  embedder_.fails = true;
  const std::vector<FaqPhrasings> more = {{"new", "", {"Is there a gift card?"}}};
  const std::vector<std::string> removed = {"returns"};
  EXPECT_EQ(index_->Update(more, removed).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(index_->size(), 6u);
  EXPECT_EQ(HitOf("how do i return an item"), "returns");
}

TEST_F(FaqIndexTest, ReplacedAndRemovedEntriesAreForgotten) {
  const std::vector<FaqPhrasings> replaced = {{"returns", "", {"Is a refund possible?"}}};
  const std::vector<std::string> removed = {"shipping", "unknown"};
  ASSERT_TRUE(index_->Update(replaced, removed).ok());
  EXPECT_EQ(index_->size(), 5u);
  EXPECT_EQ(HitOf("how do i return an item"), "");
  EXPECT_EQ(HitOf("is a refund possible"), "returns");
  for (const auto& match : index_->Match("how long does delivery take", "").matches) {
    EXPECT_NE(match.id, "shipping");
  }
}

TEST_F(FaqIndexTest, ManySmallUpdatesEqualALargeOne) {
  const std::unique_ptr<FaqIndex> grown = *FaqIndex::Create(embedder_);
  for (const FaqPhrasings& entry : SmallFaq()) ASSERT_TRUE(grown->Update({&entry, 1}, {}).ok());
  for (const char* question : {"how can I return my item", "delivery time", "warranty coverage"}) {
    const FaqMatches a = index_->Match(question, ""), b = grown->Match(question, "");
    ASSERT_EQ(a.matches.size(), b.matches.size());
    EXPECT_EQ(a.matches.front().id, b.matches.front().id);
    EXPECT_NEAR(a.matches.front().similarity, b.matches.front().similarity, 1e-6);
  }
}

TEST_F(FaqIndexTest, ALocaleKeepsEntriesOfOtherLanguagesOut) {
  EXPECT_EQ(HitOf("wie lange dauert die lieferung", "de-AT"), "fracht");
  EXPECT_EQ(HitOf("wie lange dauert die lieferung", "en"), "");
  EXPECT_EQ(HitOf("how do i return an item", "de"), "returns");  // of any locale
}

TEST_F(FaqIndexTest, EqualTextsOfTwoEntriesAreUnsure) {
  const std::vector<FaqPhrasings> more = {{"returns-2", "", {"How do I return an item?"}}};
  ASSERT_TRUE(index_->Update(more, {}).ok());
  const FaqAnswer answer = index_->Lookup("how do i return an item", "");
  EXPECT_EQ(answer.decision, FaqDecision::kUnsure);
  EXPECT_EQ(answer.candidates.size(), 2u);
}

TEST_F(FaqIndexTest, TextsThatAreNoQuestionsFindNothing) {
  const std::string marks = "\xCC\x81\xCC\x81\xCC\x82\xCC\x83";
  const std::string broken = "\xFF\xFE\x80 how";
  for (const std::string& text : {std::string(), std::string("   "), std::string("?!..."), marks,
                                  std::string(1 << 20, 'a'), broken}) {
    EXPECT_NE(index_->Lookup(text, "").decision, FaqDecision::kHit);
  }
  EXPECT_EQ(index_->Lookup(std::string(1 << 20, '?'), "").decision, FaqDecision::kNone);
}

TEST_F(FaqIndexTest, MixedScriptsAreRead) {
  const std::vector<FaqPhrasings> more = {{"wifi", "", {"Wi-Fi 密码是什么 password?"}}};
  ASSERT_TRUE(index_->Update(more, {}).ok());
  EXPECT_EQ(BestOf("wi fi password 密码"), "wifi");
}

TEST_F(FaqIndexTest, AnEmptyIndexAnswersNothing) {
  const auto empty = *FaqIndex::Create(embedder_);
  EXPECT_EQ(empty->Lookup("how do i return an item", "").decision, FaqDecision::kNone);
  EXPECT_EQ(empty->size(), 0u);
}

TEST_F(FaqIndexTest, LookUpsRunDuringUpdates) {
  std::atomic<bool> stop = false;
  std::vector<std::jthread> readers;
  std::atomic<size_t> wrong = 0;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        if (HitOf("what does the warranty cover") != "warranty") ++wrong;
        index_->Match("how long is the delivery", "");
      }
    });
  }
  for (int i = 0; i < 60; ++i) {
    const std::vector<FaqPhrasings> entry = {
        {"extra" + std::to_string(i % 20), "", {"Extra question number " + std::to_string(i)}}};
    const std::vector<std::string> removed = {"extra" + std::to_string((i + 7) % 20)};
    ASSERT_TRUE(index_->Update(entry, removed).ok());
  }
  stop = true;
  readers.clear();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(index_->memory_bytes(), 1000u);
}

}  // namespace
}  // namespace emptor::retrieval
