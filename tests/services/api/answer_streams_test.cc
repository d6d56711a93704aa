// Streams that are taken up after a cut: every event once and in order, by their owner alone.
#include "services/api/answer_streams.h"

#include <gmock/gmock.h>

#include "services/api/shopper.h"
#include "tests/services/api/shop_routes_fixture.h"

namespace emptor::services {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kOwner = "0123456789abcdef0123456789abcdef";
constexpr const char* kResumable = R"({"message":"Torvane Glide Kettle K20","resumable":true})";

/// The ids of the events of a stream, in order.
std::vector<int> IdsOf(const std::string& body) {
  std::vector<int> ids;
  for (size_t at = body.find("id: "); at != std::string::npos; at = body.find("\nid: ", at)) {
    if (body[at] == '\n') ++at;
    ids.push_back(std::stoi(body.substr(at + 4)));
    ++at;
  }
  return ids;
}

class AnswerStreamsTest : public ShopRoutesTest {
 protected:
  std::shared_ptr<InMemoryClient> Ask(const std::string& method, const std::string& path,
                                      const std::string& body = "",
                                      const std::string& last_event = "",
                                      const std::string& shopper = kOwner) {
    Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.id = "req-1";
    request.headers = {{"host", "shop.test:8080"}, {"x-emptor-shopper", shopper}};
    if (!last_event.empty()) request.headers.emplace_back("last-event-id", last_event);
    gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    return client;
  }
  static std::string AnswerId(const std::string& body) {
    const size_t at = body.find(R"("id":"a_)");
    return at == std::string::npos ? "" : body.substr(at + 6, 26);
  }
};

TEST_F(AnswerStreamsTest, ACutStreamIsTakenUpWithEveryEventOnce) {
  std::shared_ptr<InMemoryClient> first;
  std::atomic<bool> has_left{false};
  generator_.before_piece = [&](size_t piece) {
    if (piece != 1) return;
    while (!has_left) std::this_thread::yield();
  };
  first = Ask("POST", "/v1/assist", kResumable);
  ASSERT_TRUE(first->WaitForAnswer(seconds(20)));
  while (IdsOf(first->response().body).size() < 2) std::this_thread::yield();
  const std::string seen = first->response().body;
  first->Leave();
  const std::string id = AnswerId(seen);
  ASSERT_EQ(id.size(), 26u) << seen;
  const auto second = Ask("GET", "/v1/assist/" + id, "", std::to_string(IdsOf(seen).back()));
  has_left = true;
  ASSERT_TRUE(second->WaitForEnd(seconds(20)));
  EXPECT_EQ(second->end(), StreamEnd::kFinished);
  const std::string rest = second->response().body;
  EXPECT_THAT(rest, HasSubstr("event: done"));
  EXPECT_THAT(rest, HasSubstr("$49.99"));
  std::vector<int> ids = IdsOf(seen);
  for (const int each : IdsOf(rest)) ids.push_back(each);
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], static_cast<int>(i) + 1);
  // It ended: all of it can be read again, from the beginning too.
  const auto whole = Ask("GET", "/v1/assist/" + id);
  ASSERT_TRUE(whole->WaitForEnd(seconds(20)));
  EXPECT_EQ(IdsOf(whole->response().body), ids);
}

TEST_F(AnswerStreamsTest, OnlyTheOwnerTakesItUp) {
  const auto client = Ask("POST", "/v1/assist", kResumable);
  ASSERT_TRUE(client->WaitForEnd(seconds(20)));
  const std::string path = "/v1/assist/" + AnswerId(client->response().body);
  const auto status = [&](const std::string& method, const std::string& shopper,
                          const std::string& last_event = "") {
    const auto asked = Ask(method, path, "", last_event, shopper);
    EXPECT_TRUE(asked->WaitForEnd(seconds(20)));
    return asked->response().status;
  };
  EXPECT_EQ(status("GET", std::string(32, 'b')), 404);
  EXPECT_EQ(status("DELETE", std::string(32, 'b')), 404);
  EXPECT_EQ(status("GET", "bad"), 400);
  EXPECT_EQ(status("GET", kOwner, "x"), 400);
  EXPECT_EQ(status("GET", kOwner, "-1"), 400);
  EXPECT_EQ(status("GET", kOwner, "99999"), 200);
  EXPECT_EQ(Ask("GET", "/v1/assist/a_unknown")->response().status, 404);
  // One that is not resumable cannot be taken up.
  const auto plain = Ask("POST", "/v1/assist", R"({"message":"kettle"})");
  ASSERT_TRUE(plain->WaitForEnd(seconds(20)));
  EXPECT_EQ(Ask("GET", "/v1/assist/" + AnswerId(plain->response().body))->response().status, 404);
}

TEST_F(AnswerStreamsTest, StoppingEndsTheModelAndTheStream) {
  std::atomic<bool> is_stopped{false};
  generator_.before_piece = [&](size_t piece) {
    if (piece != 1) return;
    while (!is_stopped) std::this_thread::yield();
  };
  const auto client = Ask("POST", "/v1/assist", kResumable);
  ASSERT_TRUE(client->WaitForAnswer(seconds(20)));
  while (IdsOf(client->response().body).empty()) std::this_thread::yield();
  EXPECT_EQ(Ask("DELETE", "/v1/assist/" + AnswerId(client->response().body))->response().status,
            204);
  is_stopped = true;
  ASSERT_TRUE(client->WaitForEnd(seconds(20)));
  EXPECT_EQ(client->end(), StreamEnd::kFinished);
  while (generator_.ended == 0) std::this_thread::yield();
  EXPECT_THAT(client->response().body, Not(HasSubstr("event: done")));
}

/// Collects what is pushed.
class TextSink final : public StreamSink {
 public:
  bool Push(std::string_view bytes) override {
    text += bytes;
    return !is_gone;
  }
  bool PushWhenRoom(std::string_view bytes, std::chrono::milliseconds) override {
    return Push(bytes);
  }
  void Finish() override { is_finished = true; }
  std::string text;
  bool is_gone = false, is_finished = false;
};

TEST(AnswerStreamTest, IsLostBeyondItsBound) {
  AnswerStream stream("", {}, /*keeps_events=*/true);
  auto sink = std::make_shared<TextSink>();
  EXPECT_TRUE(stream.Attach(sink, 0));
  const std::string event(AnswerStream::kMaxBytes / 4, 'x');
  for (int id = 1; id <= 4; ++id) EXPECT_TRUE(stream.Push(id, event));
  EXPECT_TRUE(stream.CanResume());
  EXPECT_TRUE(stream.Push(5, event)) << "who reads goes on";
  EXPECT_FALSE(stream.CanResume());
  EXPECT_FALSE(stream.Attach(std::make_shared<TextSink>(), 0));
  EXPECT_EQ(stream.bytes(), 0u);
  sink->is_gone = true;
  EXPECT_FALSE(stream.Push(6, event)) << "nobody reads, and nobody can";
}

TEST(AnswerStreamTest, ANewReaderReplacesTheOneBefore) {
  AnswerStream stream("", {}, true);
  const auto first = std::make_shared<TextSink>(), second = std::make_shared<TextSink>();
  EXPECT_TRUE(stream.Attach(first, 0));
  EXPECT_TRUE(stream.Push(1, "a"));
  EXPECT_TRUE(stream.Attach(second, 0));
  EXPECT_TRUE(first->is_finished);
  EXPECT_TRUE(stream.Push(2, "b"));
  EXPECT_EQ(first->text, "a");
  EXPECT_EQ(second->text, "ab");
}

TEST(AnswerStreamTest, WhatEndedIsForgottenAndTheNumberIsBounded) {
  auto now = std::chrono::steady_clock::time_point(seconds(1000));
  AnswerStreams streams([&] { return now; });
  const auto add = [&](const std::string& id) {
    auto stream = std::make_shared<AnswerStream>("ann", std::stop_source(), true);
    streams.Add(id, stream);
    return stream;
  };
  const auto ended = add("a_ended"), running = add("a_running");
  ended->Finish();
  EXPECT_NE(streams.Find("a_ended", "ann"), nullptr);
  EXPECT_EQ(streams.Find("a_ended", "bob"), nullptr);
  now += AnswerStreams::kKept + seconds(1);
  EXPECT_EQ(streams.Find("a_ended", "ann"), nullptr);
  EXPECT_NE(streams.Find("a_running", "ann"), nullptr);
  for (size_t i = 0; i < AnswerStreams::kMaxAnswers; ++i) add("a_" + std::to_string(i));
  EXPECT_EQ(streams.Find("a_running", "ann"), nullptr) << "the oldest goes";
  EXPECT_NE(streams.Find("a_999", "ann"), nullptr);
}

}  // namespace
}  // namespace emptor::services
