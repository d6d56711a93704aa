// Answers that are given again: whole pipeline over a real store. What they say and what they leave
// behind must be what an answer that is made says and leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "services/assistant/assistant.h"
#include "services/shop/shop_faq.h"
#include "tests/services/assistant/answer_recorder.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/models/scripted_generator.h"

namespace emptor::services {
namespace {

using testing::AnswerRecorder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ScriptedGenerator;
using testing::TestShop;

constexpr std::string_view kMore =
    R"({"id":"k30","title":"Harbix Kettle Mini","brand":"Harbix","categories":["Kitchen > Kettles"],"price":{"amount":2999,"currency":"USD"},"availability":"in_stock","attributes":{"capacity":"0.8 liters","noise level":"60 dB"},"locale":"en-US"}
{"id":"m32","title":"Velsar View Monitor V32","brand":"Velsar","categories":["Computing > Monitors"],"price":{"amount":38900,"currency":"USD"},"availability":"in_stock","attributes":{"screen size":"32 inches"},"locale":"en-US"}
{"id":"back","kind":"faq","title":"Can I return a kettle?","text":"Yes, within 30 days.","locale":"en-US"}
)";

class CachedAnswersTest : public ::testing::Test {
 protected:
  CachedAnswersTest() { shop_.Import(kMore); }
  void TearDown() override {
    if (generator_) generator_->Join();
  }

  std::unique_ptr<Assistant> Make(std::shared_ptr<AnswerCache> cache,
                                  TextGenerator* generator = nullptr) {
    AssistantParts parts{shop_.shop().reader(),
                         generator,
                         conversations_,
                         workers_,
                         [this] { return now_unix_.load(); },
                         nullptr,
                         "shop-a"};
    parts.answers = std::move(cache);
    return std::make_unique<Assistant>(AssistantOptions{}, std::move(parts));
  }
  std::shared_ptr<AnswerCache> MakeCache() {
    return std::make_shared<AnswerCache>(
        AnswerCacheOptions{.max_bytes = 4u << 20, .now = [this] { return now_; }}, counters_);
  }
  static std::shared_ptr<AnswerRecorder> Ask(Assistant& assistant, const std::string& message,
                                             const std::string& conversation = "",
                                             CacheControl control = CacheControl::kUse) {
    AssistRequest request;
    request.message = message;
    request.conversation_id = conversation;
    request.cache_control = control;
    return testing::AskAndWait(assistant, std::move(request));
  }
  CacheUse UseOf(Assistant& assistant, const std::string& message) {
    return Ask(assistant, message)->start.cache;
  }

  TestShop shop_;
  std::atomic<int64_t> now_unix_{1700000000};
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  std::shared_ptr<AnswerCacheCounters> counters_ = std::make_shared<AnswerCacheCounters>();
  ConversationStore conversations_{{}, [] { return std::chrono::steady_clock::now(); }};
  std::unique_ptr<ScriptedGenerator> generator_;
  WorkerPool workers_{4, 256};
};

TEST_F(CachedAnswersTest, TheSecondWhoAsksGetsTheSameAnswerWithItsAge) {
  const auto assistant = Make(MakeCache());
  const auto made = Ask(*assistant, "quiet kettle");
  EXPECT_EQ(made->start.cache, CacheUse::kMiss);
  EXPECT_FALSE(made->start.age_seconds.has_value());
  now_ += std::chrono::seconds(42);
  const auto again = Ask(*assistant, " Quiet  KETTLE");
  EXPECT_EQ(again->start.cache, CacheUse::kHit);
  EXPECT_EQ(again->start.cache_source, CacheSource::kAnswers);
  EXPECT_EQ(again->start.age_seconds, 42);
  EXPECT_EQ(again->Seen(), made->Seen());
  EXPECT_FALSE(again->cards.empty());
  EXPECT_NE(again->start.id, made->start.id);
  EXPECT_NE(again->start.conversation_id, made->start.conversation_id);
  EXPECT_EQ(counters_->hits, 1u);
  EXPECT_EQ(counters_->misses, 1u);
}

TEST_F(CachedAnswersTest, ANewPriceIsShownByTheAnswerThatWasKept) {
  const auto assistant = Make(MakeCache());
  EXPECT_THAT(Ask(*assistant, "how much is the Torvane Glide Kettle K20")->text,
              HasSubstr("$49.99"));
  shop_.SetPriceOfK20(6150);
  const auto again = Ask(*assistant, "how much is the Torvane Glide Kettle K20");
  EXPECT_EQ(again->start.cache, CacheUse::kHit) << "a new price needs no new answer";
  EXPECT_THAT(again->text, HasSubstr("$61.50"));
  EXPECT_THAT(again->text, Not(HasSubstr("$49.99")));
  ASSERT_FALSE(again->cards.empty());
  EXPECT_EQ(again->cards[0].shown.price->amount, 6150);
}

TEST_F(CachedAnswersTest, AChoiceByPricesIsMadeAgainAfterANewPriceAndWhenAMinuteHasPassed) {
  const auto assistant = Make(MakeCache());
  const std::string question = "the cheapest kettle";
  EXPECT_EQ(Ask(*assistant, question)->cards.at(0).product.id, "k30");
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kHit);
  shop_.SetPriceOfK20(1999);
  const auto after = Ask(*assistant, question);
  EXPECT_EQ(after->start.cache, CacheUse::kMiss);
  EXPECT_EQ(after->cards.at(0).product.id, "k20");
  EXPECT_EQ(counters_->outdated_prices, 1u);
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kHit);
  now_unix_ += 60;  // a sale may have begun
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kMiss);
  const auto under = Ask(*assistant, "kettles under 35 dollars");
  shop_.SetPriceOfK20(4999);
  EXPECT_NE(Ask(*assistant, "kettles under 35 dollars")->Seen(), under->Seen());
}

TEST_F(CachedAnswersTest, AnyOtherChangeOfTheCatalogMakesTheChoiceAgain) {
  const auto assistant = Make(MakeCache());
  const auto before = Ask(*assistant, "which kettles do you have");
  EXPECT_EQ(UseOf(*assistant, "which kettles do you have"), CacheUse::kHit);
  const std::string one = R"({"id":"k30","title":"Harbix Kettle Mini","brand":"Harbix",)"
                          R"("categories":["Kitchen > Kettles"],)"
                          R"("price":{"amount":2999,"currency":"USD"},"locale":"en-US",)";
  for (
      const std::string& change :
      {one + R"("availability":"out_of_stock","attributes":{"capacity":"0.8 liters"}})" + "\n",
       one + R"("availability":"in_stock","attributes":{"capacity":"0.9 liters"}})" + "\n",
       std::string(
           R"({"id":"note","kind":"guide","title":"Kettles","text":"How to descale.","locale":"en-US"})") +
           "\n"}) {
    shop_.Import(change);
    EXPECT_EQ(UseOf(*assistant, "which kettles do you have"), CacheUse::kMiss) << change;
  }
  std::istringstream gone("{\"id\":\"k20\",\"title\":\"K20\"}\n");
  const auto deleted = shop_.shop().writer().Import(
      gone, {.format = catalog::FeedFormat::kJsonl}, {.mode = catalog::ImportMode::kDelete},
      [](const catalog::LineResult& result) { EXPECT_EQ(result.message, ""); });
  ASSERT_TRUE(deleted.ok() && deleted->deleted == 1);
  const auto after = Ask(*assistant, "which kettles do you have");
  EXPECT_EQ(after->start.cache, CacheUse::kMiss);
  EXPECT_THAT(before->Seen(), HasSubstr("card k20"));
  EXPECT_THAT(after->Seen(), Not(HasSubstr("card k20")));
  EXPECT_EQ(counters_->hits, 1u);
  EXPECT_GE(counters_->outdated_content, 1u);
}

/// Two-turn conversations: what was shown, a reference, a condition, a comparison, a question.
TEST_F(CachedAnswersTest, TheSecondTurnIsTheSameAfterAnAnswerThatWasKept) {
  const auto plain = Make(nullptr), caching = Make(MakeCache());
  const std::vector<std::pair<const char*, std::vector<const char*>>> conversations = {
      {"which kettles do you have",
       {"the second one", "anything cheaper", "how loud is the first", "only Torvane",
        "compare the first two", "which of these is the quietest", "do you have monitors too"}},
      {"the cheapest kettle", {"how much is it", "and the next one?", "is it in stock"}},
      {"Torvane Glide Kettle K20", {"how loud is it", "what else do you have", "can I return it"}},
      {"monitors", {"the bigger one", "under 300 dollars", "how much is it"}},
      {"Velsar View Monitor V27 or V32", {"which is cheaper", "the first one", "why?"}},
      {"kettles under 45 dollars", {"in stock", "over 35 dollars", "the quietest"}}};
  for (const auto& [first, seconds] : conversations) {
    ASSERT_EQ(UseOf(*caching, first), CacheUse::kMiss) << first;
    for (const char* second : seconds) {
      const auto a1 = Ask(*plain, first), b1 = Ask(*caching, first);
      ASSERT_EQ(b1->start.cache, CacheUse::kHit) << first;
      EXPECT_EQ(b1->Seen(), a1->Seen()) << first;
      const auto a2 = Ask(*plain, second, a1->start.conversation_id);
      const auto b2 = Ask(*caching, second, b1->start.conversation_id);
      EXPECT_EQ(b2->Seen(), a2->Seen()) << first << " / " << second;
      EXPECT_FALSE(b2->start.age_seconds.has_value()) << "it follows on";
      EXPECT_EQ(b2->start.conversation_id, b1->start.conversation_id);
    }
  }
}

TEST_F(CachedAnswersTest, OnAProductPageTheAnswerIsThatPages) {
  const auto assistant = Make(MakeCache());
  const auto ask = [&](const std::string& page) {
    AssistRequest request;
    request.message = "how much is it";
    request.page_product_id = page;
    return testing::AskAndWait(*assistant, std::move(request));
  };
  EXPECT_THAT(ask("k20")->text, HasSubstr("$49.99"));
  const auto other = ask("k30");
  EXPECT_EQ(other->start.cache, CacheUse::kMiss);
  EXPECT_THAT(other->text, HasSubstr("$29.99"));
  const auto again = ask("k20");
  EXPECT_EQ(again->start.cache, CacheUse::kHit);
  EXPECT_THAT(again->text, HasSubstr("$49.99"));
  const auto next = Ask(*assistant, "is it in stock", again->start.conversation_id);
  EXPECT_THAT(next->Seen(), HasSubstr("card k20")) << "the page is remembered";
}

TEST_F(CachedAnswersTest, ClientsMayAskForAFreshAnswer) {
  const auto assistant = Make(MakeCache());
  EXPECT_EQ(Ask(*assistant, "kettles", "", CacheControl::kNoStore)->start.cache, CacheUse::kBypass);
  EXPECT_EQ(UseOf(*assistant, "kettles"), CacheUse::kMiss) << "no-store keeps nothing";
  now_ += std::chrono::seconds(100);
  EXPECT_EQ(Ask(*assistant, "kettles", "", CacheControl::kNoCache)->start.cache, CacheUse::kBypass);
  const auto after = Ask(*assistant, "kettles");
  EXPECT_EQ(after->start.cache, CacheUse::kHit);
  EXPECT_EQ(after->start.age_seconds, 0) << "no-cache replaces what was kept";
  EXPECT_EQ(counters_->bypasses, 2u);
}

TEST_F(CachedAnswersTest, QuestionsThatAreAnsweredAgainCountForCompletions) {
  shop_.shop().lifecycle().WaitForWords();
  const auto assistant = Make(MakeCache());
  for (int i = 0; i < 20; ++i) Ask(*assistant, "kettle glide");
  ASSERT_EQ(counters_->hits, 19u);
  shop_.Import(R"({"id":"lamp","title":"Lamp"})"
               "\n");  // words are learned again with the catalog
  shop_.shop().lifecycle().WaitForWords();
  const auto completions = shop_.shop().reader().Complete("kettle g", 5);
  EXPECT_TRUE(std::any_of(completions.begin(), completions.end(), [](const auto& each) {
    return each.kind == retrieval::CompletionKind::kQuery;
  }));
}

TEST_F(CachedAnswersTest, WhatIsPersonalOrForTheDeskIsNeverKept) {
  const auto assistant = Make(MakeCache());
  for (const char* message :
       {"where is my order", "I want to talk to a human", "the kettle exploded and burnt my hand",
        "hello", "send the K20 to jane@example.com", "I will kill myself"}) {
    EXPECT_EQ(UseOf(*assistant, message), CacheUse::kBypass) << message;
    EXPECT_EQ(UseOf(*assistant, message), CacheUse::kBypass) << message;
  }
  EXPECT_EQ(counters_->stored, 0u);
}

TEST_F(CachedAnswersTest, WithoutACacheNothingIsLookedUp) {
  const auto assistant = Make(nullptr);
  EXPECT_EQ(UseOf(*assistant, "kettles"), CacheUse::kBypass);
  EXPECT_EQ(UseOf(*assistant, "kettles"), CacheUse::kBypass);
}

TEST_F(CachedAnswersTest, EntriesOfTheFaqAreAHitOfTheFaqAndNotKept) {
  catalog::FaqEntry entry;
  entry.id = "wrap";
  entry.questions = {"Do you wrap gifts?"};
  entry.answer = "Yes; a {product k20} costs {product k20 price}.";
  entry.locale = "en-US";
  ASSERT_TRUE(shop_.shop().writer().faq().Write({{.entry = entry}}, "test").ok());
  const auto assistant = Make(MakeCache());
  for (int64_t price : {4999, 5555}) {
    shop_.SetPriceOfK20(price);
    const auto answer = Ask(*assistant, "Do you wrap gifts?");
    EXPECT_EQ(answer->start.cache, CacheUse::kHit);
    EXPECT_EQ(answer->start.cache_source, CacheSource::kFaq);
    EXPECT_FALSE(answer->start.age_seconds.has_value());
    EXPECT_THAT(answer->text, HasSubstr(price == 4999 ? "$49.99" : "$55.55"));
  }
  EXPECT_EQ(counters_->stored, 0u);
}

TEST_F(CachedAnswersTest, AnEntryOfTheFaqThatComesLaterIsFound) {
  const auto assistant = Make(MakeCache());
  const std::string question = "do you offer gift wrapping";
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kMiss);
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kHit);
  catalog::FaqEntry entry;
  entry.id = "wrapping";
  entry.questions = {"Do you offer gift wrapping?"};
  entry.answer = "Yes, in blue paper.";
  entry.locale = "en-US";
  ASSERT_TRUE(shop_.shop().writer().faq().Write({{.entry = entry}}, "test").ok());
  EXPECT_THAT(Ask(*assistant, question)->text, HasSubstr("blue paper"));
}

TEST_F(CachedAnswersTest, AModelsTextIsFilledInAndCheckedAgain) {
  generator_ = std::make_unique<ScriptedGenerator>(std::vector<std::string>{
      "The [1:title] is ", "cheaper than the [2:title]. ", "It costs [1:price] [1]."});
  const auto assistant = Make(MakeCache(), generator_.get());
  const std::string question = "which kettles do you have";
  const auto made = Ask(*assistant, question);
  ASSERT_EQ(generator_->requests().size(), 1u);
  ASSERT_GE(made->cards.size(), 2u);
  const auto again = Ask(*assistant, question);
  EXPECT_EQ(again->start.cache, CacheUse::kHit);
  EXPECT_EQ(again->start.model, "scripted");
  EXPECT_EQ(again->Seen(), made->Seen());
  EXPECT_EQ(generator_->requests().size(), 1u) << "the model is not asked";
  // The first product becomes the dearest: its price is new, and the comparison is no longer true.
  ASSERT_EQ(made->cards[0].product.id, "k30");
  EXPECT_THAT(made->text, HasSubstr("cheaper"));
  std::string dear(kMore.substr(0, kMore.find('\n') + 1));
  shop_.Import(dear.replace(dear.find("2999"), 4, "99900"));
  const auto after = Ask(*assistant, question);
  EXPECT_EQ(after->start.cache, CacheUse::kHit);
  EXPECT_THAT(after->text, HasSubstr("$999.00"));
  EXPECT_THAT(after->text, Not(HasSubstr("cheaper")));
  EXPECT_EQ(generator_->requests().size(), 1u);
}

TEST_F(CachedAnswersTest, AfterAChangeThatTouchesNoneOfItsSourcesAModelsTextIsReused) {
  generator_ = std::make_unique<ScriptedGenerator>(
      std::vector<std::string>{"The [1:title] costs [1:price] [1]."});
  const auto assistant = Make(MakeCache(), generator_.get());
  const std::string question = "Torvane Glide Kettle K20";
  const auto made = Ask(*assistant, question);
  shop_.Import(R"({"id":"p1","title":"Campenby Puzzle","categories":["Toys > Puzzles"],)"
               R"("price":{"amount":1500,"currency":"USD"},"locale":"en-US"})"
               "\n");
  const auto again = Ask(*assistant, question);
  EXPECT_EQ(again->start.cache, CacheUse::kHit);
  EXPECT_EQ(again->Seen(), made->Seen());
  EXPECT_EQ(counters_->reused, 1u);
  EXPECT_EQ(counters_->hits, 0u);
  EXPECT_EQ(generator_->requests().size(), 1u);
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kHit);
  EXPECT_EQ(generator_->requests().size(), 1u);
  // Another fact in the prompt: the model is asked.
  shop_.Import(R"({"id":"k20","title":"Torvane Glide Kettle K20","brand":"Torvane",)"
               R"("categories":["Kitchen > Kettles"],"price":{"amount":4999,"currency":"USD"},)"
               R"("attributes":{"capacity":"2.0 liters"},"locale":"en-US"})"
               "\n");
  EXPECT_EQ(UseOf(*assistant, question), CacheUse::kMiss);
  EXPECT_EQ(generator_->requests().size(), 2u);
}

TEST_F(CachedAnswersTest, WhatIsNotWholeIsNotKept) {
  generator_ = std::make_unique<ScriptedGenerator>(
      std::vector<std::string>{"The [1:title] costs [1:price] [1]."});
  generator_->end_status = absl::UnavailableError("gone");
  const auto assistant = Make(MakeCache(), generator_.get());
  Ask(*assistant, "Torvane Glide Kettle K20");
  EXPECT_EQ(counters_->stored, 0u);
  generator_->end_status = absl::OkStatus();
  EXPECT_EQ(UseOf(*assistant, "Torvane Glide Kettle K20"), CacheUse::kMiss);
  EXPECT_EQ(counters_->stored, 1u);
}

/// Each price is acknowledged before the next is written; whoever asks after an acknowledgement
/// must see that price or a later one.
TEST_F(CachedAnswersTest, NoOneSeesAPriceThatWasReplacedBeforeTheyAsked) {
  const auto assistant = Make(MakeCache());
  const std::string question = "how much is the Torvane Glide Kettle K20";
  Ask(*assistant, question);
  const std::regex money(R"(\$([0-9]+)\.([0-9]{2}))");
  std::atomic<int64_t> acknowledged{4999};
  std::atomic<bool> stop{false};
  std::atomic<int> stale{0}, asked{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 8; ++t) {
    readers.emplace_back([&] {
      while (!stop) {
        const int64_t least = acknowledged.load();
        const auto answer = Ask(*assistant, question);
        ++asked;
        std::smatch match;
        if (!answer->refusal.ok()) continue;
        if (!std::regex_search(answer->text, match, money)) {
          ++stale;
          continue;
        }
        const int64_t said = std::stoll(match[1].str()) * 100 + std::stoll(match[2].str());
        stale += said < least;
        for (const ProductCard& card : answer->cards) {
          stale += card.product.id == "k20" && card.shown.price->amount < least;
        }
      }
    });
  }
  for (int64_t price = 5000; price < 5150; ++price) {
    shop_.SetPriceOfK20(price);
    acknowledged = price;
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(stale, 0) << "of " << asked;
  EXPECT_GT(counters_->hits, 10u);
  EXPECT_EQ(counters_->misses, 1u) << "prices alone have changed";
}

TEST_F(CachedAnswersTest, TheBytesOfAnAnswerAreThoseThatItHolds) {
  const auto cache = MakeCache();
  const auto assistant = Make(cache);
  for (const char* question : {"which kettles do you have", "the cheapest kettle under 45 dollars",
                               "do you offer gift wrapping", "quiet kettle, not from Harbix",
                               "Velsar View Monitor V27 or V32"}) {
    Ask(*assistant, question);
    const auto key = ComputeAnswerKey({.shop = "shop-a",
                                       .model = "none",
                                       .prompt_version = kPromptVersion,
                                       .default_locale = "en-US"},
                                      [&] {
                                        AssistRequest request;
                                        request.message = question;
                                        return request;
                                      }());
    const auto kept = cache->Find(*key, shop_.shop().reader().changes(), now_unix_).fresh;
    ASSERT_NE(kept, nullptr) << question;
    constexpr size_t kCopies = 200;
    std::vector<std::unique_ptr<CachedAnswer>> copies(kCopies);
    const size_t before = mallinfo2().uordblks;
    for (auto& copy : copies) copy = std::make_unique<CachedAnswer>(*kept);
    const size_t held = (mallinfo2().uordblks - before) / kCopies;
    if (held == 0) GTEST_SKIP() << "mallinfo2 counts nothing: the allocator is a sanitizer's";
    const size_t said = RetainedBytes(*copies[0]);
    EXPECT_GT(said, held * 9 / 10) << question;
    EXPECT_LT(said, held * 13 / 10) << question;
    std::printf("%s: %zu bytes, allocated %zu\n", question, said, held);
  }
}

}  // namespace
}  // namespace emptor::services
