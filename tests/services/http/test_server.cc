// A server on a free port with routes that tests need.
#include "tests/services/http/test_server.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "services/http/http_server.h"

namespace emptor::testing {

using services::Exchange;
using services::Response;
using services::StreamEnd;
using services::StreamOptions;
using services::StreamSink;

bool Eventually(const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!done()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::string Post(const std::string& fields, const std::string& body) {
  return "POST /echo HTTP/1.1\r\nHost: shop\r\n" + fields + "\r\n" + body;
}

std::string GetRequest(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: shop\r\n\r\n";
}

std::string Numbered(std::string text, int number) { return text.append(std::to_string(number)); }

std::string DataEvent(size_t size) { return std::string("data: ").append(size, 'x') + "\n\n"; }

std::string Event(const std::string& tag, int i) {
  return "id: " + std::to_string(i) + "\ndata: " + tag + "-" + std::to_string(i) + "\n\n";
}

std::string Events(const std::string& tag, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += Event(tag, i);
  return all;
}

TestServer::TestServer(services::HttpServerOptions options)
    : server_(std::make_unique<services::HttpServer>(std::move(options))) {
  const absl::Status status =
      server_->Start([this](std::shared_ptr<Exchange> exchange) { Handle(exchange); });
  EXPECT_TRUE(status.ok()) << status.ToString();
}

TestServer::~TestServer() {
  server_->Stop();
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

void TestServer::Spawn(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  threads_.emplace_back(std::move(work));
}

StreamOptions TestServer::MakeStreamOptions() {
  StreamOptions options;
  options.last_words = "event: error\ndata: shutdown\n\n";
  options.on_end = [this](StreamEnd end) {
    const std::lock_guard lock(mutex_);
    ++ends_[end];
    changed_.notify_all();
  };
  return options;
}

void TestServer::HandleStream(const std::shared_ptr<Exchange>& exchange) {
  const int n = std::atoi(std::string(exchange->request().Query("n")).c_str());
  const std::string tag(exchange->request().Query("tag"));
  auto sink = exchange->StartSse(MakeStreamOptions());
  if (sink == nullptr) return;
  Spawn([sink, n, tag] {
    for (int i = 0; i < n; ++i) {
      if (!sink->Push(Event(tag, i))) return;
    }
    sink->Finish();
  });
}

void TestServer::HoldStream(const std::shared_ptr<Exchange>& exchange) {
  auto sink = exchange->StartSse(MakeStreamOptions());
  if (sink == nullptr) return;
  const std::lock_guard lock(mutex_);
  sinks_.push_back(std::move(sink));
  changed_.notify_all();
}

void TestServer::Handle(const std::shared_ptr<Exchange>& exchange) {
  const std::string& path = exchange->request().path;
  Response response;
  response.content_type = "text/plain";
  if (path == "/sse") return HandleStream(exchange);
  if (path == "/hold-sse") return HoldStream(exchange);
  if (path == "/drop") return;
  if (path == "/throw") throw std::runtime_error("secret of the handler");
  if (path == "/hold") {
    const std::lock_guard lock(mutex_);
    exchanges_.push_back(exchange);
    return changed_.notify_all();
  }
  if (path == "/late") return Spawn([exchange] { exchange->Respond({.body = "late"}); });
  if (path == "/echo") {
    response.body = exchange->request().body;
  } else if (path == "/path") {
    response.body = exchange->request().path;
  } else if (path == "/big") {
    response.body.assign(
        std::strtoul(std::string(exchange->request().Query("n")).c_str(), nullptr, 10), 'b');
  } else {
    response.body = "hello " + path;
  }
  exchange->Respond(std::move(response));
}

std::shared_ptr<Exchange> TestServer::TakeExchange() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [&] { return !exchanges_.empty(); })) return nullptr;
  auto exchange = std::move(exchanges_.front());
  exchanges_.pop_front();
  return exchange;
}

std::shared_ptr<StreamSink> TestServer::TakeSink() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [&] { return !sinks_.empty(); })) return nullptr;
  auto sink = std::move(sinks_.front());
  sinks_.pop_front();
  return sink;
}

int TestServer::Ends(StreamEnd end) {
  const std::lock_guard lock(mutex_);
  return ends_[end];
}

bool TestServer::WaitForEnds(StreamEnd end, int count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return ends_[end] >= count; });
}

}  // namespace emptor::testing
