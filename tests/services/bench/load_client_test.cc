// The client against scripted servers: whole answers, refusals, broken and silent streams.
#include "services/bench/load_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "catalog/encoding/json.h"
#include "gtest/gtest.h"
#include "services/http/http_server.h"

namespace emptor::services {
namespace {

constexpr const char* kToken = "data: {\"choices\":[{\"index\":0,\"text\":\"a\"}]}\n\n";
constexpr const char* kEnd =
    "data: {\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"length\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}\n\n"
    "data: [DONE]\n\n";

/// A server whose n-th request is answered by a script.
class ScriptedServer {
 public:
  using Script = std::function<void(int request, std::shared_ptr<Exchange>)>;
  explicit ScriptedServer(Script script) : server_(std::make_unique<HttpServer>()) {
    const absl::Status status = server_->Start([this, script](std::shared_ptr<Exchange> exchange) {
      int number = 0;
      {
        std::lock_guard lock(mutex_);
        number = static_cast<int>(bodies_.size());
        bodies_.push_back(exchange->request().body);
        paths_.push_back(exchange->request().path);
      }
      script(number, std::move(exchange));
    });
    EXPECT_TRUE(status.ok()) << status;
  }
  ~ScriptedServer() { server_->Stop(); }

  LoadTarget Target() const {
    LoadTarget target;
    target.url = "http://127.0.0.1:" + std::to_string(server_->port());
    target.model = "m";
    target.timeout_seconds = 60;
    return target;
  }
  std::vector<std::string> bodies() {
    std::lock_guard lock(mutex_);
    return bodies_;
  }
  std::vector<std::string> paths() {
    std::lock_guard lock(mutex_);
    return paths_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> bodies_, paths_;  // guarded by mutex_
  std::unique_ptr<HttpServer> server_;
};

void AnswerWhole(Exchange& exchange) {
  const auto sink = exchange.StartSse({});
  for (int i = 0; i < 3; ++i) sink->Push(kToken);
  sink->Push(kEnd);
  sink->Finish();
}

void AnswerWith(Exchange& exchange, const char* events) {
  const auto sink = exchange.StartSse({});
  sink->Push(events);
  sink->Finish();
}

std::vector<PlannedRequest> AtOnce(int count) {
  return PlanLengths(count, {.input_tokens = 10, .output_tokens = 3}, 1);
}

TEST(LoadClientTest, RecordsWholeAnswers) {
  ScriptedServer server([](int, std::shared_ptr<Exchange> exchange) { AnswerWhole(*exchange); });
  const auto records = RunOpenLoad(server.Target(), {}, AtOnce(20));
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 20u);
  for (const LoadRecord& record : *records) {
    EXPECT_EQ(record.failure, "") << record.detail;
    EXPECT_EQ(record.status, 200);
    EXPECT_EQ(record.text_times.size(), 3u);
    EXPECT_EQ(record.prompt_tokens, 12);
    EXPECT_EQ(record.completion_tokens, 3);
    EXPECT_EQ(record.finish_reason, "length");
    EXPECT_LE(record.due, record.sent);
    EXPECT_LE(record.sent, record.text_times.front());
    EXPECT_LE(record.text_times.back(), record.ended);
  }
  EXPECT_EQ(server.paths()[0], "/v1/completions");
}

TEST(LoadClientTest, SendsWhatTheApiAsksFor) {
  ScriptedServer server([](int, std::shared_ptr<Exchange> exchange) { AnswerWhole(*exchange); });
  LoadTarget target = server.Target();
  target.chat = true;
  target.ignore_end = false;
  ASSERT_TRUE(RunOpenLoad(target, {}, AtOnce(1)).ok());
  EXPECT_EQ(server.paths()[0], "/v1/chat/completions");
  const auto body = catalog::ParseJson(server.bodies()[0]);
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_EQ(body->Find("model")->as_string(), "m");
  EXPECT_EQ(body->Find("max_tokens")->as_int(), 3);
  EXPECT_TRUE(body->Find("stream")->as_bool());
  EXPECT_TRUE(body->Find("stream_options")->Find("include_usage")->as_bool());
  EXPECT_EQ(body->Find("messages")->as_array()[0].Find("role")->as_string(), "user");
  EXPECT_EQ(body->Find("ignore_eos"), nullptr);
  target.ignore_end = true;
  EXPECT_NE(LoadBody(target, "p", 1).find("\"ignore_eos\":true"), std::string::npos);
}

TEST(LoadClientTest, NamesEachKindOfFailure) {
  const std::vector<std::string> kinds = {"http 429",           "http 500",    "cut stream",
                                          "malformed event",    "error event", "empty answer",
                                          "not an event stream"};
  ScriptedServer server([](int number, std::shared_ptr<Exchange> exchange) {
    if (number == 0) exchange->Respond({.status = 429, .body = "{\"error\":\"full\"}"});
    if (number == 1) exchange->Respond({.status = 500});
    if (number == 2) AnswerWith(*exchange, kToken);
    if (number == 3) AnswerWith(*exchange, "data: {\"choices\n\n");
    if (number == 4) AnswerWith(*exchange, "data: {\"error\":{\"message\":\"x\"}}\n\n");
    if (number == 5) AnswerWith(*exchange, "data: [DONE]\n\n");
    if (number == 6) exchange->Respond({.body = "{\"choices\":[]}"});
  });
  for (const std::string& kind : kinds) {
    const auto records = RunOpenLoad(server.Target(), {}, AtOnce(1));
    ASSERT_TRUE(records.ok()) << records.status();
    EXPECT_EQ(records->front().failure, kind);
    if (kind == "http 429") {
      EXPECT_EQ(records->front().detail, "{\"error\":\"full\"}");
    }
  }
}

TEST(LoadClientTest, GivesUpOnASilentStream) {
  std::mutex mutex;
  std::vector<std::shared_ptr<StreamSink>> open;
  ScriptedServer server([&](int, std::shared_ptr<Exchange> exchange) {
    const auto sink = exchange->StartSse({});
    sink->Push(kToken);
    std::lock_guard lock(mutex);
    open.push_back(sink);
  });
  LoadTarget target = server.Target();
  target.timeout_seconds = 0.3;
  const auto records = RunOpenLoad(target, {}, AtOnce(2));
  ASSERT_TRUE(records.ok()) << records.status();
  for (const LoadRecord& record : *records) EXPECT_EQ(record.failure, "timeout");
}

TEST(LoadClientTest, ASlowStreamHoldsUpNoOther) {
  // The first answer goes on only when the second has been given.
  std::mutex mutex;
  std::condition_variable begun;
  std::shared_ptr<StreamSink> first;
  ScriptedServer server([&](int number, std::shared_ptr<Exchange> exchange) {
    std::unique_lock lock(mutex);
    if (number == 0) {
      first = exchange->StartSse({});
      first->Push(kToken);
      begun.notify_all();
      return;
    }
    begun.wait(lock, [&] { return first != nullptr; });
    AnswerWhole(*exchange);
    first->Push(kEnd);
    first->Finish();
  });
  std::vector<PlannedRequest> plan = AtOnce(2);
  plan[1].at_seconds = 0.05;
  const auto records = RunOpenLoad(server.Target(), {}, plan);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ((*records)[0].failure, "");
  EXPECT_EQ((*records)[1].failure, "");
  EXPECT_GT((*records)[0].ended, (*records)[1].due);
}

TEST(LoadClientTest, ClosedLoopKeepsEachUserBusyAndStops) {
  std::mutex mutex;
  int running = 0, most = 0;
  ScriptedServer server([&](int, std::shared_ptr<Exchange> exchange) {
    {
      std::lock_guard lock(mutex);
      most = std::max(most, ++running);
    }
    const auto sink = exchange->StartSse({});
    sink->Push(kToken);
    {
      std::lock_guard lock(mutex);
      --running;  // before the client can know that the answer has ended
    }
    sink->Push(kEnd);
    sink->Finish();
  });
  const auto records =
      RunClosedLoad(server.Target(), {}, AtOnce(5), {.users = 3, .seconds = 0, .requests = 25});
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->size(), 25u);
  EXPECT_LE(most, 3);
  for (const LoadRecord& record : *records) EXPECT_EQ(record.failure, "") << record.detail;
}

/// A socket of its own on a port of its own; nobody else gets the port while it lives.
class BoundSocket {
 public:
  BoundSocket() : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    socklen_t size = sizeof(address);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~BoundSocket() { close(fd_); }
  int fd() const { return fd_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int fd_, port_ = 0;
};

/// Takes one connection, reads its whole request, writes `reply` and closes.
class RawServer {
 public:
  explicit RawServer(std::string reply) {
    EXPECT_EQ(listen(socket_.fd(), 1), 0);
    thread_ = std::thread([this, reply = std::move(reply)] {
      const int peer = accept(socket_.fd(), nullptr, nullptr);
      char bytes[4096] = {};
      ssize_t n = 0;
      do {  // the body is an object and ends with its brace
        n = read(peer, bytes, sizeof(bytes));
      } while (n > 0 && bytes[n - 1] != '}');
      (void)!write(peer, reply.data(), reply.size());
      close(peer);
    });
  }
  ~RawServer() { thread_.join(); }
  std::string url() const { return socket_.url(); }

 private:
  BoundSocket socket_;
  std::thread thread_;
};

TEST(LoadClientTest, SeesAConnectionThatBreaks) {
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& reply : {head + "40\r\ndata: {\"cho", std::string()}) {
    RawServer server(reply);
    LoadTarget target;
    target.url = server.url();
    const auto records = RunOpenLoad(target, {}, AtOnce(1));
    ASSERT_TRUE(records.ok()) << records.status();
    EXPECT_EQ(records->front().failure, "cut stream") << records->front().detail;
  }
}

TEST(LoadClientTest, CountsAServerThatIsNotThere) {
  const BoundSocket silent;  // nobody listens
  LoadTarget target;
  target.url = silent.url();
  const auto records = RunOpenLoad(target, {}, AtOnce(2));
  ASSERT_TRUE(records.ok()) << records.status();
  for (const LoadRecord& record : *records) EXPECT_EQ(record.failure, "connect");
}

}  // namespace
}  // namespace emptor::services
