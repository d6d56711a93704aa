// A server on a free port with routes that tests need, and a place where handlers leave exchanges.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "services/http/http_server.h"

namespace emptor::testing {

/// All waits of these tests are bounded by this and end as soon as the thing has happened.
inline constexpr std::chrono::milliseconds kPatience{30000};

/// Waits, looking every millisecond, until `done` says so. For counters that nothing announces.
bool Eventually(const std::function<bool()>& done);

/// Routes: /echo gives the body back, /path the decoded path, /big?n= that many bytes, /throw
/// throws, /drop answers nothing, /late answers from another thread, /sse?n=&tag= streams n events
/// from another thread, /hold and /hold-sse keep exchange or sink for the test; any other: hello.
class TestServer {
 public:
  explicit TestServer(services::HttpServerOptions options = {});
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  services::HttpServer& server() { return *server_; }
  int port() const { return server_->port(); }
  services::HttpServerStats stats() const { return server_->stats(); }

  /// The next exchange (sink) that a request to /hold (/hold-sse) left. Null when none comes.
  std::shared_ptr<services::Exchange> TakeExchange();
  std::shared_ptr<services::StreamSink> TakeSink();

  /// How many streams of this server ended so.
  int Ends(services::StreamEnd end);
  bool WaitForEnds(services::StreamEnd end, int count);
  /// Requests that reached the handler.
  uint64_t handled() const { return server_->stats().requests; }

 private:
  void Handle(const std::shared_ptr<services::Exchange>& exchange);
  void HandleStream(const std::shared_ptr<services::Exchange>& exchange);
  void HoldStream(const std::shared_ptr<services::Exchange>& exchange);
  services::StreamOptions MakeStreamOptions();
  void Spawn(std::function<void()> work);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<services::Exchange>> exchanges_;  // guarded by mutex_
  std::deque<std::shared_ptr<services::StreamSink>> sinks_;    // guarded by mutex_
  std::map<services::StreamEnd, int> ends_;                    // guarded by mutex_
  std::vector<std::thread> threads_;                           // guarded by mutex_
  std::unique_ptr<services::HttpServer> server_;
};

/// "GET target HTTP/1.1" with Host.
std::string GetRequest(const std::string& target);
/// A POST to /echo; `fields` end with a line break each.
std::string Post(const std::string& fields, const std::string& body);

/// `text` with the number behind it.
std::string Numbered(std::string text, int number);
/// An event with `size` bytes of data.
std::string DataEvent(size_t size);
/// The i-th event of a stream of /sse.
std::string Event(const std::string& tag, int i);
/// All n events of one.
std::string Events(const std::string& tag, int n);

}  // namespace emptor::testing
