// Streamed answers that a client may take up again after its connection was cut.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/http/exchange.h"

namespace emptor::services {

/// The events of one answer: all that were written, and the client that reads them now, if any.
/// Thread-safety: any thread.
class AnswerStream {
 public:
  /// Events of an answer are a few KiB; one that outgrows this can no longer be taken up.
  static constexpr size_t kMaxBytes = 256u << 10;

  /// `keeps_events` false: it can never be taken up.
  AnswerStream(std::string owner, std::stop_source stop, bool keeps_events)
      : owner_(std::move(owner)), stop_(std::move(stop)), is_lost_(!keeps_events) {}

  /// Writes an event; ids ascend. False: nobody reads, and nobody can take it up.
  bool Push(int64_t id, const std::string& event);
  /// No more events follow.
  void Finish();

  /// Sends what was written after event `after`, and everything that follows, to `sink`, which
  /// replaces the reader before. False: the events are no longer all there.
  bool Attach(std::shared_ptr<StreamSink> sink, int64_t after);
  /// True when its events can be sent again.
  bool CanResume() const;
  /// Ends the answer, as a client that leaves ends one that cannot be taken up.
  void Stop() { stop_.request_stop(); }

  const std::string& owner() const { return owner_; }
  size_t bytes() const;
  bool is_finished() const;

 private:
  const std::string owner_;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::vector<std::pair<int64_t, std::string>> events_;  // guarded by mutex_
  size_t bytes_ = 0;                                     // guarded by mutex_
  bool is_lost_;                                         // guarded by mutex_
  bool has_begun_ = false;                               // guarded by mutex_
  bool is_finished_ = false;                             // guarded by mutex_
  std::shared_ptr<StreamSink> sink_;                     // guarded by mutex_
};

/// The answers of a shop that can be taken up: those that run, and those that ended less than
/// kKept ago, at most kMaxAnswers; beyond it the oldest is forgotten. Thread-safety: any thread.
class AnswerStreams {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  static constexpr std::chrono::seconds kKept{60};
  static constexpr size_t kMaxAnswers = 1000;
  static constexpr size_t kMaxBytes = 32u << 20;

  explicit AnswerStreams(Clock clock) : clock_(std::move(clock)) {}

  void Add(const std::string& answer_id, std::shared_ptr<AnswerStream> stream);
  /// Null: there is no such answer of that owner.
  std::shared_ptr<AnswerStream> Find(const std::string& answer_id, const std::string& owner);

 private:
  struct Entry {
    std::string id;
    std::shared_ptr<AnswerStream> stream;
    std::chrono::steady_clock::time_point added;
  };
  void ForgetOld();  // with mutex_ held

  const Clock clock_;
  std::mutex mutex_;
  std::list<Entry> entries_;                                           // oldest first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_id_;  // guarded by mutex_
};

}  // namespace emptor::services
