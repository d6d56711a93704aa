// One request at one replica: the connection, its limits of time, and how it ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "services/client/http_streams.h"
#include "services/gateway/balancing/dispatcher.h"
#include "services/gateway/replica_answer.h"

namespace emptor::services {

/// How an attempt ended.
struct AttemptEnd {
  enum class Kind {
    kAnswered,  // `body` is the answer, or the stream has been passed on to its end
    kRejected,  // the replica refuses the request itself: `http_status` and `body` are for the
                // client
    kFailed,
  };
  Kind kind = Kind::kFailed;
  AttemptFailure failure = AttemptFailure::kLost;  // of kFailed
  std::chrono::milliseconds pause{0};              // that a busy replica asks for
  int http_status = 0;
  std::string body = {};
  ReportedUsage usage = {};
  std::string what = {};  // was wrong; for the log
};

/// What a transfer whose bytes were `body` came to. For a stream that was read by ReplicaStream,
/// `read` is its Finish. Pure.
AttemptEnd ClassifyEnd(const HttpStreamEnd& end, bool is_stream, const absl::Status& read,
                       std::string body);

struct AttemptLimits {
  std::chrono::steady_clock::time_point deadline{};
  std::chrono::milliseconds first_token{30000}, token_gap{10000};  // of streams
};

/// Lives until OnEnd. Thread-safety: that of the streams, but for Cancel and cancelled.
class ReplicaAttempt final : public HttpStreamHandler {
 public:
  struct Callbacks {
    /// Events for the client. False: the client has gone.
    std::function<bool(std::string_view events)> on_events;
    /// False: the client reads too slowly to be sent more now.
    std::function<bool()> has_room;
    /// Once, unless it was cancelled; for a stream at its last event, before the connection ends.
    std::function<void(AttemptEnd end)> on_end;
  };

  ReplicaAttempt(bool is_stream, const AttemptLimits& limits, Callbacks callbacks);

  /// Nothing more is reported.
  void Cancel() { cancelled_ = true; }

  bool OnPiece(int http_status, std::string_view piece) override;
  bool ready() override;
  std::chrono::steady_clock::time_point deadline() const override;
  bool cancelled() const override { return cancelled_; }
  void OnEnd(const HttpStreamEnd& end) override;

 private:
  void Report(AttemptEnd end);

  const bool is_stream_;
  const AttemptLimits limits_;
  const Callbacks callbacks_;
  ReplicaStream stream_;
  std::chrono::steady_clock::time_point heard_;  // the last text
  std::string body_;
  bool reported_ = false;
  std::atomic<bool> cancelled_{false};
};

}  // namespace emptor::services
