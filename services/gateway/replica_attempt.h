// One request at one replica: the connection, its limits of time, and how it ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  std::string body = {};  // empty of kRejected: in no form that a client expects
  ReportedUsage usage = {};
  std::string what = {};    // was wrong; for the log
  ReplicaError error = {};  // what the replica says, as far as a client may read it
};

/// The events of an answer as ReplicaStream has read them.
struct StreamEvents {
  absl::Status end;  // its Finish
  std::optional<ReplicaError> error = {};
};

/// What a transfer came to: whose fault it is, and what is left for the client. `events` null: the
/// answer was no stream of status 200, and `body` is what came of it, which may be cut. `key` is
/// the replica's, and is not in what is said of an error; in `body` it may be. Pure.
AttemptEnd ClassifyEnd(const HttpStreamEnd& end, const StreamEvents* events, std::string body,
                       std::string_view key = {});

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

  /// `key` is the replica's.
  ReplicaAttempt(bool is_stream, const AttemptLimits& limits, Callbacks callbacks,
                 std::string key = {});

  /// Nothing more is reported.
  void Cancel() { cancelled_ = true; }

  bool OnPiece(int http_status, std::string_view piece) override;
  bool ready() override;
  std::chrono::steady_clock::time_point deadline() const override;
  bool cancelled() const override { return cancelled_; }
  void OnEnd(const HttpStreamEnd& end) override;

 private:
  void Report(AttemptEnd end);
  AttemptEnd EndOfEvents(const HttpStreamEnd& end);

  const bool is_stream_;
  const AttemptLimits limits_;
  const Callbacks callbacks_;
  const std::string key_;
  ReplicaStream stream_;
  std::chrono::steady_clock::time_point heard_;  // of a stream: the last text, or the beginning
  std::string body_;
  bool reported_ = false;
  std::atomic<bool> cancelled_{false};
};

}  // namespace emptor::services
