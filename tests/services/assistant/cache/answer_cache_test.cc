// Keys, times, what a choice depends on, the bound, and many threads at once.
#include "services/assistant/cache/answer_cache.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

namespace emptor::services {
namespace {

constexpr int64_t kNow = 1700000000;

AssistRequest Asking(std::string message) {
  AssistRequest request;
  request.message = std::move(message);
  return request;
}

AnswerKey KeyOf(const AssistRequest& request, std::string_view shop = "a",
                std::string_view model = "none", std::string_view prompt = "p/1") {
  const auto key = ComputeAnswerKey(
      {.shop = shop, .model = model, .prompt_version = prompt, .default_locale = "en-US"}, request);
  EXPECT_TRUE(key.has_value()) << request.message;
  return key.value_or(AnswerKey());
}

TEST(AnswerKeyTest, SpellingsOfOneMessageAreEqual) {
  const AnswerKey key = KeyOf(Asking("quiet kettle, 1.7 L?"));
  EXPECT_EQ(KeyOf(Asking("  Quiet   KETTLE, 1.7 l?\t")), key);
  EXPECT_EQ(KeyOf(Asking("ｑｕｉｅｔ kettle, 1.7 L?")), key) << "full width";
  EXPECT_EQ(KeyOf(Asking("cafe\u0301")), KeyOf(Asking("caf\u00e9"))) << "composed or not";
}

TEST(AnswerKeyTest, WhateverChangesAnAnswerChangesTheKey) {
  const AssistRequest request = Asking("quiet kettle, 1.7 L?");
  const AnswerKey key = KeyOf(request);
  EXPECT_NE(KeyOf(request, "b"), key);
  EXPECT_NE(KeyOf(request, "a", "emptor-lm"), key);
  EXPECT_NE(KeyOf(request, "a", "none", "p/2"), key);
  for (const char* other : {"quiet kettle, 17 L?", "quiet kettle, 1.7 L", "quiet kettle 1.7 L?",
                            "not a quiet kettle, 1.7 L?", "quiet kettles, 1.7 L?"}) {
    EXPECT_NE(KeyOf(Asking(other)), key) << other;
  }
  const auto with = [&](auto change) {
    AssistRequest changed = request;
    change(changed);
    return KeyOf(changed);
  };
  EXPECT_NE(with([](AssistRequest& r) { r.locale = "de-DE"; }), key);
  EXPECT_NE(with([](AssistRequest& r) { r.currency = "EUR"; }), key);
  EXPECT_NE(with([](AssistRequest& r) { r.page_product_id = "k20"; }), key);
  EXPECT_NE(with([](AssistRequest& r) { r.max_tokens = 10; }), key);
  EXPECT_NE(with([](AssistRequest& r) { r.filter.brands = {"Torvane"}; }), key);
  EXPECT_NE(with([](AssistRequest& r) { r.named_filters.Insert(retrieval::FilterPart::kBrand); }),
            key);
  // What differs from client to client and not in the answer.
  EXPECT_EQ(with([](AssistRequest& r) { r.conversation_id = "c1"; }), key);
  EXPECT_EQ(with([](AssistRequest& r) { r.owner = "someone"; }), key);
  EXPECT_EQ(with([](AssistRequest& r) { r.link_base = "https://shop.example"; }), key);
}

TEST(AnswerKeyTest, FieldsDoNotRunIntoEachOther) {
  AssistRequest a = Asking("kettle"), b = Asking("kettle");
  a.locale = "en";
  a.currency = "USD";
  b.locale = "enU";
  b.currency = "SD";
  EXPECT_NE(KeyOf(a), KeyOf(b));
}

TEST(AnswerKeyTest, WhatMayNameAPersonHasNoKey) {
  const AnswerMaker maker{"a", "none", "p/1", "en-US"};
  for (const char* message :
       {"write to jane@example.com about the kettle", "call me at +49 170 1234567 please",
        "where is AB12345678", "kettle for account 123456789"}) {
    EXPECT_FALSE(ComputeAnswerKey(maker, Asking(message))) << message;
  }
  EXPECT_TRUE(ComputeAnswerKey(maker, Asking("kettles under 5000 rupees with 1.7 liters")));
}

std::shared_ptr<CachedAnswer> AnswerOf(const std::string& text, const AnswerCache& cache) {
  auto answer = std::make_shared<CachedAnswer>();
  answer->basis.until_unix = std::numeric_limits<int64_t>::max();
  answer->made = cache.Now();
  answer->understanding.message = text;
  return answer;
}

TEST(CachedAnswerTest, AChoiceHoldsWhileWhatItUsedStays) {
  ChoiceBasis basis{.changes = {.content = 5, .prices = 6, .faq = 7}, .until_unix = 100};
  const auto check = [&](ShopChanges now, int64_t at = 99) { return CheckBasis(basis, now, at); };
  EXPECT_EQ(check({5, 6, 7}), Outdated::kNo);
  EXPECT_EQ(check({6, 6, 7}), Outdated::kContent);
  EXPECT_EQ(check({5, 60, 70}), Outdated::kNo) << "prices and FAQ were not used";
  EXPECT_EQ(check({5, 6, 7}, 100), Outdated::kTime);
  basis.uses_prices = true;
  EXPECT_EQ(check({5, 60, 7}), Outdated::kPrices);
  basis.uses_faq = true;
  EXPECT_EQ(check({5, 6, 70}), Outdated::kFaq);
}

TEST(CachedAnswerTest, KnowsWhenPricesChose) {
  EXPECT_FALSE(ChoiceUsesPrices({}, {}));
  const auto said = [](auto change) {
    Understanding understanding;
    change(understanding);
    return ChoiceUsesPrices(understanding, {});
  };
  EXPECT_TRUE(said([](Understanding& u) { u.filter.max_price = 5000; }));
  EXPECT_TRUE(said([](Understanding& u) { u.comparison.emplace(); }));
  EXPECT_TRUE(said([](Understanding& u) { u.reduced = "on sale"; }));
  EXPECT_TRUE(said([](Understanding& u) { u.rank = RankedKey{.key = "price"}; }));
  EXPECT_TRUE(said([](Understanding& u) { u.preferences = {RankedKey{.key = "price"}}; }));
  EXPECT_FALSE(said([](Understanding& u) { u.rank = RankedKey{.key = "weight"}; }));
  Retrieved retrieved;
  retrieved.needs.needs.push_back({.kind = AskedNeed::Kind::kPrice});
  EXPECT_TRUE(ChoiceUsesPrices({}, retrieved));
}

class AnswerCacheTest : public ::testing::Test {
 protected:
  AnswerCacheOptions Options(size_t max_bytes = 1u << 20) {
    return {
        .max_bytes = max_bytes, .ttl = std::chrono::seconds(600), .now = [this] { return now_; }};
  }
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  std::shared_ptr<AnswerCacheCounters> counters_ = std::make_shared<AnswerCacheCounters>();
};

TEST_F(AnswerCacheTest, GivesBackWhatWasKeptUntilItIsTooOld) {
  AnswerCache cache(Options(), counters_);
  const AnswerKey key = KeyOf(Asking("kettle"));
  EXPECT_EQ(cache.Find(key, {}, kNow).fresh, nullptr);
  cache.Put(key, AnswerOf("kettle", cache));
  now_ += std::chrono::seconds(599);
  ASSERT_NE(cache.Find(key, {}, kNow).fresh, nullptr);
  EXPECT_EQ(cache.Find(KeyOf(Asking("kettles")), {}, kNow).fresh, nullptr);
  now_ += std::chrono::seconds(1);
  EXPECT_EQ(cache.Find(key, {}, kNow).fresh, nullptr);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(counters_->outdated_time, 1u);
  EXPECT_EQ(counters_->bytes, 0);
}

TEST_F(AnswerCacheTest, AModelsTextIsOfUseAfterAChangeAndCodesIsNot) {
  AnswerCache cache(Options(), counters_);
  const AnswerKey code = KeyOf(Asking("kettle")), model = KeyOf(Asking("laptop"));
  cache.Put(code, AnswerOf("kettle", cache));
  auto written = AnswerOf("laptop", cache);
  written->is_of_model = true;
  cache.Put(model, written);
  const ShopChanges later{.content = 1};
  const auto of_code = cache.Find(code, later, kNow), of_model = cache.Find(model, later, kNow);
  EXPECT_TRUE(of_code.fresh == nullptr && of_code.stale == nullptr);
  EXPECT_TRUE(of_model.fresh == nullptr && of_model.stale == written);
  EXPECT_EQ(counters_->outdated_content, 2u);
  EXPECT_EQ(cache.size(), 0u);
}

TEST_F(AnswerCacheTest, ItsBytesAreBoundedAndCounted) {
  {
    AnswerCache cache(Options(64u << 10), counters_);
    for (int i = 0; i < 2000; ++i) {
      const std::string message = "kettle number " + std::to_string(i % 300);
      const AnswerKey key = KeyOf(Asking(message));
      if (cache.Find(key, {}, kNow).fresh == nullptr) {
        cache.Put(key, AnswerOf(std::string(500 + static_cast<size_t>(i % 7) * 300, 'x'), cache));
      }
      ASSERT_LE(cache.bytes(), 64u << 10);
    }
    EXPECT_GT(cache.size(), 5u);
    EXPECT_GT(counters_->evicted + counters_->rejected, 0u);
    EXPECT_EQ(counters_->bytes, static_cast<int64_t>(cache.bytes()));
    EXPECT_EQ(counters_->entries, static_cast<int64_t>(cache.size()));
  }
  EXPECT_EQ(counters_->bytes, 0) << "a shop that is closed holds nothing";
}

TEST_F(AnswerCacheTest, AShopsQuestionsDoNotPushOutAnothers) {
  AnswerCache a(Options(64u << 10), counters_), b(Options(64u << 10), counters_);
  const AnswerKey key = KeyOf(Asking("kettle"), "b");
  b.Put(key, AnswerOf("kettle", b));
  for (int i = 0; i < 1000; ++i) {
    const AnswerKey other = KeyOf(Asking("laptop " + std::to_string(i)), "a");
    a.Find(other, {}, kNow);
    a.Put(other, AnswerOf(std::string(2000, 'x'), a));
  }
  EXPECT_NE(b.Find(key, {}, kNow).fresh, nullptr);
  EXPECT_EQ(a.Find(key, {}, kNow).fresh, nullptr);
}

TEST_F(AnswerCacheTest, ManyThreadsFindAndPutAtOnce) {
  AnswerCache cache(Options(256u << 10), counters_);
  std::atomic<uint64_t> changes{0};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1500; ++i) {
        const std::string message = "kettle " + std::to_string((i * 7 + t) % 100);
        const AnswerKey key = KeyOf(Asking(message));
        const ShopChanges now{.content = changes.load()};
        const auto found = cache.Find(key, now, kNow);
        if (found.fresh == nullptr) {
          auto made = AnswerOf(message, cache);
          made->basis.changes = now;
          cache.Put(key, made);
        } else if (found.fresh->understanding.message != message ||
                   found.fresh->basis.changes.content < now.content) {
          ++wrong;
        }
        if (i % 200 == 0) ++changes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(cache.bytes(), 256u << 10);
}

}  // namespace
}  // namespace emptor::services
