// The answer cache of a running service: what clients see of it, and that a price that was replaced
// is never seen by whoever asks after the change was acknowledged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kClients = 16;
const std::string kQuestion = "How much is the Steel kettle?";

std::string KettleAt(int64_t cents) {
  return R"({"title":"Steel kettle","brand":"Harbix","categories":["Kitchen > Kettles"],)"
         R"("price":{"amount":)" +
         std::to_string(cents) + R"(,"currency":"USD"},"availability":"in_stock"})";
}

std::string StartOf(const Answer& answer) {
  for (const SseEvent& event : answer.events) {
    if (event.name == "start") return event.data;
  }
  return "";
}

/// The dollars that a text names first, in cents; -1: none.
int64_t PriceIn(const std::string& text) {
  static const std::regex kMoney(R"(\$([0-9]+)\.([0-9]{2}))");
  std::smatch match;
  if (!std::regex_search(text, match, kMoney)) return -1;
  return std::stoll(match[1].str()) * 100 + std::stoll(match[2].str());
}

class AnswerCacheServiceTest : public ::testing::Test {
 protected:
  explicit AnswerCacheServiceTest(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"--model", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    service_ = std::make_unique<ServiceProcess>(directory_.path() + "/data", arguments);
    Put("k1", KettleAt(4999));
    Put("k2", R"({"title":"Glass kettle","brand":"Velsar","categories":["Kitchen > Kettles"],)"
              R"("price":{"amount":2999,"currency":"USD"},"availability":"in_stock"})");
  }
  void Put(const std::string& id, const std::string& body) {
    const int status = service_->Change("PUT", "/v1/catalog/products/" + id, body).status;
    ASSERT_TRUE(status == 200 || status == 201) << status;
  }
  /// Asks until the answer is given again: types are learned again after a change.
  Answer AskUntilHit(const std::string& question) {
    Answer answer = service_->Ask(question);
    for (int i = 0; i < 300 && StartOf(answer).find(R"("cache":"hit")") == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      answer = service_->Ask(question);
    }
    return answer;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<ServiceProcess> service_;
};

TEST_F(AnswerCacheServiceTest, AHitSaysSoAndItsAgeAndMayBeDeclined) {
  const Answer made = service_->Ask(kQuestion);
  EXPECT_THAT(StartOf(made), HasSubstr(R"("cache":"miss"})"));
  const Answer again = AskUntilHit(kQuestion);
  EXPECT_THAT(StartOf(again), HasSubstr(R"("cache":"hit","cache_source":"answers","age":)"));
  EXPECT_EQ(again.text, made.text);
  EXPECT_EQ(again.products.size(), made.products.size());
  EXPECT_GE(again.CountOf("delta"), 1);
  const std::string body = R"({"message":")" + kQuestion + R"(","stream":false})";
  const auto ask = [&](const std::string& control) {
    HttpConnection connection(service_->port());
    connection.SendRequest("POST", "/v1/assist", body,
                           control.empty() ? "" : "Cache-Control: " + control + "\r\n");
    return connection.ReadReply(std::chrono::seconds(30)).body;
  };
  EXPECT_THAT(ask(""), HasSubstr(R"("cache":"hit")"));
  for (const char* control : {"no-cache", "max-age=0", "private, NO-CACHE", "no-store"}) {
    EXPECT_THAT(ask(control), HasSubstr(R"("cache":"bypass")")) << control;
  }
  EXPECT_THAT(ask("max-age=60"), HasSubstr(R"("cache":"hit")"));
  EXPECT_GE(service_->Metric("emptor_answer_cache_bytes"), 1000);
  EXPECT_GE(service_->Metric("emptor_answer_cache_entries"), 1);
  EXPECT_GE(service_->Metric("emptor_answer_cache_lookups_total"), 5);
}

TEST_F(AnswerCacheServiceTest, SixteenClientsSeeNoPriceThatWasReplacedBeforeTheyAsked) {
  AskUntilHit(kQuestion);
  std::atomic<int64_t> acknowledged{4999};
  std::atomic<bool> stop{false};
  std::atomic<int> stale{0}, hits{0}, asked{0}, broken{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&] {
      while (!stop) {
        const int64_t least = acknowledged;
        const Answer answer = service_->Ask(kQuestion);
        if (answer.status != 200) {
          ++broken;
          continue;
        }
        ++asked;
        hits += StartOf(answer).find(R"("cache":"hit")") != std::string::npos;
        const int64_t card = answer.products.empty()
                                 ? -1
                                 : answer.products[0].Find("price")->Find("amount")->as_int();
        stale += PriceIn(answer.text) < least || card < least;
      }
    });
  }
  for (int64_t cents = 5000; cents < 5200; ++cents) {
    const auto reply = service_->Change(
        "PATCH", "/v1/catalog/products/k1",
        R"({"price":{"amount":)" + std::to_string(cents) + R"(,"currency":"USD"}})");
    ASSERT_EQ(reply.status, 200) << reply.body;
    acknowledged = cents;
  }
  stop = true;
  for (std::thread& client : clients) client.join();
  std::printf("%d answers, %d given again, %d stale, %d refused\n", asked.load(), hits.load(),
              stale.load(), broken.load());
  EXPECT_EQ(stale, 0);
  EXPECT_EQ(broken, 0);
  EXPECT_GT(hits, asked / 2) << "a new price takes no answer out of the cache";
}

TEST_F(AnswerCacheServiceTest, WhatIsNoLongerSoldIsNotOffered) {
  const Answer before = AskUntilHit("which kettles do you have");
  ASSERT_EQ(before.products.size(), 2u);
  ASSERT_EQ(service_->Change("DELETE", "/v1/catalog/products/k2", "").status / 100, 2);
  const Answer after = service_->Ask("which kettles do you have");
  ASSERT_EQ(after.products.size(), 1u);
  EXPECT_THAT(after.text, Not(HasSubstr("Glass kettle")));
  EXPECT_GE(service_->Metric("emptor_answer_cache_invalidations_total"), 1);
}

class AnswerCacheOffTest : public AnswerCacheServiceTest {
 protected:
  AnswerCacheOffTest() : AnswerCacheServiceTest({"--config", WriteConfig()}) {}
  static std::string WriteConfig() {
    static const TemporaryDirectory directory;
    const std::string path = directory.path() + "/emptor.yaml";
    std::FILE* const file = std::fopen(path.c_str(), "w");
    std::fputs("answer_cache_megabytes: 0\n", file);
    std::fclose(file);
    return path;
  }
};

TEST_F(AnswerCacheOffTest, EveryAnswerIsMade) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(StartOf(service_->Ask(kQuestion)), HasSubstr(R"("cache":"bypass")"));
  }
  EXPECT_EQ(service_->Metric("emptor_answer_cache_entries"), 0);
}

}  // namespace
}  // namespace emptor::testing
