// A server with the OpenAI API whose model counts words, and which fails as a test says.
#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace emptor::testing {

/// One thread a connection. Thread-safety: any thread, but for Die and Revive.
class StandInReplica {
 public:
  enum class Mode {
    kWell,
    kSilent,          // reads the request, and says nothing
    kHeadThenSilent,  // a head of 200, then nothing
    kRoleThenSilent,  // and the event with the role
    kRoleThenReset,
    kError500,
    kBusy,              // 503 with Retry-After: 1
    kErrorBody,         // 200 with an error in place of the answer
    kGarbage,           // 200 with an event, or a body, that is no JSON
    kTokensThenSilent,  // and from here on after some words
    kTokensThenReset,
    kTokensThenClose,  // the connection ends within the body
    kTokensThenEnd,    // the body ends as it should, the answer has not
    kTokensThenDone,   // the mark of the end without a finish_reason
    kTokensThenError,  // an error as an event
    kTokensThenGarbage,
    kRefusesRequest,  // 400 with a message
    kRaw,             // the bytes that SetRaw was given, and the end of the connection
  };

  /// At a port of 127.0.0.1, or at one of another address of this machine.
  StandInReplica() : StandInReplica("127.0.0.1", 0) {}
  StandInReplica(std::string address, int port);
  ~StandInReplica();
  StandInReplica(const StandInReplica&) = delete;
  StandInReplica& operator=(const StandInReplica&) = delete;

  std::string url() const { return "http://" + address_ + ":" + std::to_string(port_); }
  int port() const { return port_; }

  void Set(Mode mode) { mode_ = mode; }
  void SetTokens(int count, std::chrono::milliseconds pause) {
    tokens_ = count;
    pause_ms_ = static_cast<int>(pause.count());
  }
  /// Sent in mode kRaw: status line, headers and body.
  void SetRaw(std::string bytes) {
    const std::lock_guard lock(mutex_);
    raw_ = std::move(bytes);
    mode_ = Mode::kRaw;
  }
  /// The answer to GET of the path. Others: 404; /v1/models lists "counter" until it is set.
  void SetPage(const std::string& path, int status, std::string body) {
    const std::lock_guard lock(mutex_);
    pages_[path] = {status, std::move(body)};
  }
  /// All connections are reset, and none is taken.
  void Die();
  /// On the same port.
  void Revive();

  int requests() const { return requests_; }      // for completions
  int generating() const { return generating_; }  // now
  int cut_off() const { return cut_off_; }        // answers whose client went before the end

  /// Head and body of the latest request for a completion.
  std::string latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

  /// What a whole answer of `count` words says.
  static std::string TextOf(int count);

 private:
  void Listen();
  void Accept(int listener);
  void Serve(int fd);
  bool Answer(int fd, const std::string& request);
  bool AnswerPage(int fd, const std::string& path);
  bool AnswerRaw(int fd);
  bool AnswerStream(int fd, Mode mode);
  bool Pause(int fd, int milliseconds) const;

  const std::string address_;
  std::atomic<Mode> mode_{Mode::kWell};
  std::atomic<int> tokens_{5}, pause_ms_{0}, requests_{0}, generating_{0}, cut_off_{0};
  std::atomic<bool> dead_{true};
  int listener_ = -1, port_ = 0;
  std::thread accepter_;
  mutable std::mutex mutex_;
  std::string latest_, raw_;  // guarded by mutex_
  std::map<std::string, std::pair<int, std::string>> pages_ = {
      {"/v1/models",
       {200, R"({"object":"list","data":[{"id":"counter"}]})"}}};  // guarded by mutex_
  std::list<int> open_;                                            // guarded by mutex_
  std::list<std::thread> threads_;                                 // guarded by mutex_
};

}  // namespace emptor::testing
