// What look-ups find: entries and documents, as they change, through restarts and generations.
#include "services/shop/shop_faq.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalog/faq/faq_rules.h"
#include "retrieval/cache/faq_tuning.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop_directory.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using retrieval::FaqDecision;

constexpr int64_t kNow = 1700000000;
constexpr int64_t kFarAhead = 4102444800;  // after the clock by which entries are indexed

/// An embedder that fails while the test says so.
class FailingEmbedder final : public retrieval::Embedder {
 public:
  absl::Status EmbedInto(std::span<const std::string> texts,
                         std::span<float> vectors) const override {
    if (fails) return absl::UnavailableError("it fails");
    embedded += static_cast<int>(texts.size());
    return inner_.EmbedInto(texts, vectors);
  }
  absl::Status EmbedQueryInto(const std::string& text, std::span<float> vector) const override {
    if (fails) return absl::UnavailableError("it fails");
    return inner_.EmbedQueryInto(text, vector);
  }
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return inner_.model_id(); }
  bool fails = false;
  mutable int embedded = 0;  // texts, without questions

 private:
  retrieval::HashingEmbedder inner_{64};
};

std::string FaqLine(const std::string& id, const std::string& title, const std::string& more = "") {
  return R"({"kind":"faq","id":")" + id + R"(","title":")" + title + R"(","text":"Text of )" + id +
         '"' + more + "}\n";
}

class ShopFaqTest : public ::testing::Test {
 protected:
  ShopFaqTest() { Open(); }
  void Open() {
    shop_.reset();
    directory_.reset();
    ShopDirectoryOptions options;
    options.data_directory = folder_.path();
    options.shop.create_if_missing = true;
    directory_ = std::make_unique<ShopDirectory>(options, embedder_);
    auto shop = directory_->Find(kDefaultShop);
    ASSERT_TRUE(shop.ok()) << shop.status();
    shop_ = *std::move(shop);
  }
  void Put(const std::string& id, const std::string& question, int64_t from = 0,
           int64_t until = 0) {
    catalog::FaqPut put;
    put.entry.id = id;
    put.entry.questions = {question};
    put.entry.answer = "Answer of " + id;
    put.entry.valid_from = from;
    put.entry.valid_until = until;
    std::vector<catalog::FaqPut> puts;
    puts.push_back(std::move(put));
    const auto results = shop_->writer().faq().Write(std::move(puts), "test");
    ASSERT_TRUE(results.ok()) << results.status();
    ASSERT_TRUE(results->front().status.ok()) << results->front().status;
  }
  void Import(const std::string& lines) { ASSERT_TRUE(testing::ImportLines(*shop_, lines).ok()); }
  /// The id of a hit, or "".
  std::string Hit(const std::string& question, int64_t now = kNow) {
    const auto found = shop_->reader().faq().Lookup(question, "", now);
    return found.decision == FaqDecision::kHit ? found.candidates.front().id : "";
  }

  emptor::testing::TemporaryDirectory folder_;
  FailingEmbedder embedder_;
  std::unique_ptr<ShopDirectory> directory_;
  std::shared_ptr<Shop> shop_;
};

TEST_F(ShopFaqTest, KnowsUntilWhenLookUpsFindTheSame) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  const auto settled = [&](int64_t now) { return shop_->reader().faq().SettledUntil(now); };
  EXPECT_EQ(settled(kNow), kNever);
  const int64_t soon = kFarAhead, late = kFarAhead + 100;
  Put("pay", "Can I pay by card?", soon, late);
  EXPECT_EQ(settled(soon - 1), soon);
  EXPECT_EQ(settled(soon), 0) << "it has begun to be valid and is not indexed yet";
  EXPECT_EQ(Hit("can i pay by card", soon), "pay");
  EXPECT_EQ(settled(soon), late);
  embedder_.fails = true;
  Put("ship", "How long does shipping take?");
  EXPECT_EQ(settled(soon), 0) << "an entry waits for its vector";
}

TEST_F(ShopFaqTest, EntriesAndDocumentsAreFoundAsTheyChange) {
  Import(FaqLine("ship", "How long does shipping take?"));
  Put("pay", "Can I pay by card?");
  EXPECT_EQ(Hit("how long does shipping take"), "ship");
  EXPECT_EQ(Hit("can i pay by card"), "pay");
  Put("pay", "Do you take cheques?");
  EXPECT_EQ(Hit("can i pay by card"), "");
  EXPECT_EQ(Hit("Do you take cheques"), "pay");
  Import(FaqLine("ship", "When does my parcel arrive?"));
  EXPECT_EQ(Hit("how long does shipping take"), "");
  EXPECT_EQ(Hit("when does my parcel arrive"), "ship");
  Import(R"({"id":"ship","kind":"faq","deleted":true})");
  EXPECT_EQ(Hit("when does my parcel arrive"), "");
  ASSERT_TRUE(shop_->writer().faq().Delete("pay", {}, "test").ok());
  EXPECT_EQ(Hit("Do you take cheques"), "");
  EXPECT_EQ(shop_->reader().faq().indexed(), 0u);
}

TEST_F(ShopFaqTest, OnlyAnswersOfTheShopAboutTheShopAreFound) {
  Import(FaqLine("own", "Is it safe?") +
         FaqLine("of-product", "Is this one safe?", R"(,"product_id":"k20")") +
         FaqLine("of-seller", "Is my shop safe?", R"(,"trust":"untrusted")") +
         R"({"kind":"policy","id":"policy","title":"Is the policy safe?","text":"x"})" + "\n");
  EXPECT_EQ(Hit("is it safe"), "own");
  EXPECT_EQ(shop_->reader().faq().indexed(), 1u);
}

TEST_F(ShopFaqTest, AnEntryReplacesTheDocumentOfItsId) {
  Import(FaqLine("ship", "How long does shipping take?"));
  Put("ship", "How long does shipping take?");
  EXPECT_EQ(shop_->reader().faq().indexed(), 1u);
  const auto entry = shop_->reader().faq().Find("ship", kNow);
  ASSERT_TRUE(entry.ok() && entry->has_value());
  EXPECT_EQ((*entry)->entry.answer, "Answer of ship");
  ASSERT_TRUE(shop_->writer().faq().Delete("ship", {}, "test").ok());
  EXPECT_EQ(Hit("how long does shipping take"), "ship");
  const auto document = shop_->reader().faq().Find("ship", kNow);
  ASSERT_TRUE(document.ok() && document->has_value());
  EXPECT_TRUE((*document)->is_document);
}

TEST_F(ShopFaqTest, ValidityIsThatOfTheMoment) {
  const int64_t begin = 4000000000, end = 4000000100;  // after any clock of this test
  Put("gift", "Any gifts?", begin, end);
  EXPECT_EQ(Hit("any gifts", begin - 1), "");
  EXPECT_EQ(Hit("any gifts", begin), "gift");
  EXPECT_TRUE(shop_->reader().faq().Find("gift", end - 1)->has_value());
  EXPECT_FALSE(shop_->reader().faq().Find("gift", end)->has_value());
  EXPECT_EQ(Hit("any gifts", end), "");
}

TEST_F(ShopFaqTest, ARestartFindsTheSame) {
  Import(FaqLine("ship", "How long does shipping take?"));
  Put("pay", "Can I pay by card?");
  Open();
  EXPECT_EQ(Hit("how long does shipping take"), "ship");
  EXPECT_EQ(Hit("can i pay by card"), "pay");
}

TEST_F(ShopFaqTest, APhrasingIsEmbeddedOnceAndADamagedCacheIsMadeAgain) {
  Import(FaqLine("ship", "How long does shipping take?"));
  Put("pay", "Can I pay by card?");
  const int first = embedder_.embedded;
  const std::string file = shop_->directory() + "/faq_vectors";
  Open();
  EXPECT_EQ(embedder_.embedded, first);
  embedder_.fails = true;
  Open();
  EXPECT_EQ(Hit("can i pay by card"), "pay");
  embedder_.fails = false;
  const auto size = std::filesystem::file_size(file);
  shop_.reset();
  directory_.reset();
  std::filesystem::resize_file(file, size - 3);  // as a kill leaves it
  Open();
  EXPECT_EQ(embedder_.embedded, first + 1);
  EXPECT_EQ(std::filesystem::file_size(file), size);
  shop_.reset();
  directory_.reset();
  {
    std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
    damaged.seekp(40);
    damaged.put('x');
  }
  Open();
  EXPECT_EQ(embedder_.embedded, first + 3);
  EXPECT_EQ(Hit("how long does shipping take"), "ship");
  EXPECT_EQ(Hit("can i pay by card"), "pay");
}

TEST_F(ShopFaqTest, AnotherGenerationHasTheSameEntriesAndItsOwnDocuments) {
  Import(testing::ProductLine("p0", "Kettle") + FaqLine("old", "Is it old?"));
  Put("pay", "Can I pay by card?");
  const std::shared_ptr<Shop> before = shop_;
  const absl::Status rebuilt =
      directory_->Rebuild(kDefaultShop, {.min_products = 1}, [&](Shop& next) {
        EXPECT_TRUE(testing::ImportLines(
                        next, testing::ProductLine("p0", "Kettle") + FaqLine("new", "Is it new?"))
                        .ok());
        Put("late", "Is it late?");  // through the generation that is served
        return absl::OkStatus();
      });
  ASSERT_TRUE(rebuilt.ok()) << rebuilt;
  shop_ = *directory_->Find(kDefaultShop);
  ASSERT_NE(shop_, before);
  EXPECT_EQ(Hit("is it new"), "new");
  EXPECT_EQ(Hit("is it old"), "");
  EXPECT_EQ(Hit("can i pay by card"), "pay");
  EXPECT_EQ(Hit("is it late"), "late");
}

TEST_F(ShopFaqTest, WhatTheEmbedderMissedIsIndexedLater) {
  embedder_.fails = true;
  Put("pay", "Can I pay by card?");  // stored all the same
  EXPECT_EQ(shop_->reader().faq().indexed(), 0u);
  embedder_.fails = false;
  Put("ship", "Do you ship abroad?");
  EXPECT_EQ(Hit("can i pay by card"), "pay");
  embedder_.fails = true;
  Put("late", "Is it late?");
  embedder_.fails = false;
  EXPECT_EQ(Hit("is it late", 4000000000), "late");  // the retry is due
}

TEST_F(ShopFaqTest, LookUpLearnsFromThePhrasingsAsEntriesChange) {
  const auto put = [this](const std::string& id, std::vector<std::string> questions) {
    catalog::FaqPut one;
    one.entry.id = id;
    one.entry.questions = std::move(questions);
    one.entry.answer = "Answer of " + id;
    std::vector<catalog::FaqPut> puts;
    puts.push_back(std::move(one));
    ASSERT_TRUE(shop_->writer().faq().Write(std::move(puts), "test").ok());
  };
  // Only a match of a classifier is served.
  retrieval::FaqTuning tuning = retrieval::DefaultFaqTuning();
  tuning.hit_threshold = 1.1;
  tuning.learned_hit_threshold = 0;
  put("pay", {"Can I pay by card?", "card payment"});
  shop_->writer().faq().SetTuning(tuning);
  EXPECT_EQ(Hit("please, can I pay by card"), "") << "one entry teaches nothing";
  put("ship", {"How long does shipping take?", "shipping time"});
  EXPECT_EQ(Hit("please, can I pay by card"), "pay");
  std::ofstream(folder_.path() + "/faq_tuning.txt") << retrieval::WriteFaqTuning(tuning);
  Open();
  EXPECT_EQ(Hit("please, can I pay by card"), "pay") << "after a restart, too";
}

TEST_F(ShopFaqTest, TheShopsOwnTuningDecides) {
  Put("pay", "Can I pay by card?");
  retrieval::FaqTuning tuning = retrieval::DefaultFaqTuning();
  tuning.hit_threshold = tuning.unsure_threshold = 1.1;  // no match of words is enough
  std::ofstream(folder_.path() + "/faq_tuning.txt") << retrieval::WriteFaqTuning(tuning);
  Open();
  EXPECT_EQ(Hit("can i pay by card"), "pay");  // the same text
  EXPECT_EQ(Hit("can I pay using card please"), "");
  shop_.reset();
  directory_.reset();
  std::ofstream(folder_.path() + "/faq_tuning.txt") << "nonsense";
  ShopDirectoryOptions options;
  options.data_directory = folder_.path();
  const auto broken = ShopDirectory(options, embedder_).Find(kDefaultShop);
  EXPECT_THAT(std::string(broken.status().message()), ::testing::HasSubstr("faq_tuning.txt: "));
}

TEST_F(ShopFaqTest, ManyEntriesAreIndexedWhileTheShopIsOpen) {
  std::vector<catalog::FaqPut> puts;
  for (size_t i = 0; i < ShopFaq::kAtOnce + 600; ++i) {
    catalog::FaqPut put;
    put.entry.id = "q" + std::to_string(i);
    put.entry.questions = {"Question number " + std::to_string(i) + "?"};
    put.entry.answer = "x";
    puts.push_back(std::move(put));
  }
  ASSERT_TRUE(shop_->writer().faq().Write(std::move(puts), "test").ok());
  Open();
  Put("own", "Is a new one found at once?");
  EXPECT_EQ(Hit("is a new one found at once"), "own");
  shop_->reader().faq().WaitUntilBuilt();
  EXPECT_EQ(shop_->reader().faq().indexed(), ShopFaq::kAtOnce + 601);
  EXPECT_EQ(Hit("question number 2599"), "q2599");
}

}  // namespace
}  // namespace emptor::services
