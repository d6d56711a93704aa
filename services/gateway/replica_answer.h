// What a replica answers: whole, or as a stream of events; checked before a client may see it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/gateway/replica_error.h"
#include "services/http/sse_reader.h"

namespace emptor::services {

/// Tokens of an answer, as the replica reports them; 0: it does not.
struct ReportedUsage {
  int prompt_tokens = 0, completion_tokens = 0;
};

/// A whole answer of 200: an object with choices that have ended. Errors: kDataLoss; an error in
/// place of the answer is put into `error` as well. `key` is the replica's; what is said of errors
/// does not hold it.
absl::StatusOr<ReportedUsage> CheckWholeAnswer(std::string_view body,
                                               std::optional<ReplicaError>& error,
                                               std::string_view key = {});

/// The names in the answer of /v1/models. Errors: kDataLoss, saying what it is instead.
absl::StatusOr<std::vector<std::string>> ReadModelNames(std::string_view body,
                                                        std::string_view key = {});

struct ReplicaStreamLimits {
  size_t max_event = 1u << 20;  // bytes, as it is passed on
  size_t max_held = 64u << 10;  // of events before the first with text
  /// What one call of OnEvents is given at most: what was held, the largest event, the last one.
  constexpr size_t MaxPassed() const { return max_event + max_held + 64; }
};

/// Reads the events of one answer from pieces that may be cut anywhere, and passes them on whole,
/// in order and unchanged. Events that hold no text yet (the role) are held back until the first
/// that does, so that until then another replica can answer. Nothing that is wrong is passed on: an
/// event that is no JSON object, or one with an error, ends it. Thread-safety: one thread.
class ReplicaStream {
 public:
  /// `on_events` gets complete events, ready to send. False: nothing more is wanted.
  using OnEvents = std::function<bool(std::string_view events)>;

  ReplicaStream(ReplicaStreamLimits limits, OnEvents on_events, std::string key = {});
  ReplicaStream(const ReplicaStream&) = delete;
  ReplicaStream& operator=(const ReplicaStream&) = delete;

  /// False: it has ended, well or badly; read no more.
  bool Push(std::string_view bytes);

  /// The first text has come, and events have been passed on.
  bool has_begun() const { return begun_; }
  /// The end that the protocol demands: [DONE], and a finish_reason of every choice.
  bool is_done() const { return done_; }
  /// To be called at the end of the bytes. OK: the answer is whole; what it lacks, such as a [DONE]
  /// after the last finish_reason, has been passed on. Errors: kDataLoss (what was wrong),
  /// kOutOfRange (an event is longer than max_event), kUnavailable (it was cut).
  absl::Status Finish();
  /// The error that the replica sent as an event.
  const std::optional<ReplicaError>& error() const { return error_; }

  /// Events with text, about as many as tokens.
  int pieces() const { return pieces_; }
  const ReportedUsage& usage() const { return usage_; }

 private:
  void TakeEvent(std::string_view data);
  void TakeDone();
  void Pass(std::string_view data);
  void Flush();
  bool AllFinished() const;
  void Fail(absl::Status what);
  void FailAsTooLong();

  const ReplicaStreamLimits limits_;
  const OnEvents on_events_;
  const std::string key_;  // of the replica
  SseReader reader_;
  std::string held_;
  std::vector<bool> seen_, finished_;  // choices
  bool begun_ = false, done_ = false, stopped_ = false;
  int pieces_ = 0;
  ReportedUsage usage_;
  absl::Status failure_;
  std::optional<ReplicaError> error_;
};

}  // namespace emptor::services
