// Statuses and ends of transfers into outcomes.
#include "services/gateway/replica_attempt.h"

#include <algorithm>
#include <utility>

#include "services/client/retry_policy.h"

namespace emptor::services {
namespace {

using Kind = AttemptEnd::Kind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kMaxWholeAnswer = 16u << 20;
constexpr size_t kMaxErrorBody = 64u << 10;
/// How much earlier than the gateway a replica may see that the time of a request is over.
constexpr milliseconds kSameDeadline{250};

AttemptEnd Failed(AttemptFailure failure, std::string what, ReplicaError error = {}) {
  AttemptEnd end;
  end.failure = failure;
  end.what = std::move(what);
  end.error = std::move(error);
  return end;
}

/// No answer, or the beginning of one.
AttemptEnd ClassifyBroken(const HttpStreamEnd& end) {
  const std::string what(end.status.message());
  if (end.status.code() == absl::StatusCode::kDeadlineExceeded) {
    return Failed(AttemptFailure::kTimeout, what);
  }
  const bool was_seen = end.was_sent && end.status.code() != absl::StatusCode::kFailedPrecondition;
  return Failed(was_seen ? AttemptFailure::kLost : AttemptFailure::kUnreachable, what);
}

/// The replica's fault, or nobody's, by an error's status. REQUIRES: !IsClientsMistake(status).
AttemptEnd FailedWith(int status, std::chrono::seconds retry_after, std::string what,
                      ReplicaError error) {
  if (status == 429 || status == 503) {
    AttemptEnd busy = Failed(AttemptFailure::kBusy, std::move(what), std::move(error));
    busy.pause = RetryAfterOf(retry_after.count());
    return busy;
  }
  if (status == 408 || status == 504) {
    return Failed(AttemptFailure::kTimeout, std::move(what), std::move(error));
  }
  if (status < 400) {
    what += ", where 200 or an error is expected: is the url of the replica right?";
    return Failed(AttemptFailure::kBadAnswer, std::move(what));
  }
  if (status < 500) {  // what it says is about the gateway's key, not about the client's
    error = {.status = status, .message = "it refuses the key of the gateway"};
    what += " (api_key_env, api_key_file)";
  }
  return Failed(AttemptFailure::kServerError, std::move(what), std::move(error));
}

/// An answer with an error's status, or an error that names its status in place of an answer.
AttemptEnd ClassifyStatus(int status, std::chrono::seconds retry_after, ReplicaError error,
                          std::string body) {
  std::string what = "HTTP " + std::to_string(status);
  if (!error.message.empty()) what += ": " + error.message;
  AttemptEnd end;
  if (IsClientsMistake(status)) {
    end.kind = Kind::kRejected;
    if (error.is_complete) end.body = std::move(body);
    end.what = std::move(what);
    end.error = std::move(error);
  } else {
    if (error.message.empty()) error.message = what;
    end = FailedWith(status, retry_after, std::move(what), std::move(error));
  }
  end.http_status = status;
  return end;
}

/// An answer of 200 that says an error.
AttemptEnd ClassifyError(ReplicaError error, std::string body) {
  if (error.status != 0) return ClassifyStatus(error.status, {}, std::move(error), std::move(body));
  std::string what = "an error in place of the answer: " + error.message;
  return Failed(AttemptFailure::kServerError, std::move(what), std::move(error));
}

AttemptEnd ClassifyEvents(const StreamEvents& events) {
  if (events.error) return ClassifyError(*events.error, {});
  if (events.end.ok()) {
    AttemptEnd answered;
    answered.kind = Kind::kAnswered;
    answered.http_status = 200;
    return answered;
  }
  // That the transfer ended well tells that the replica lives: it was not lost.
  const bool is_large = events.end.code() == absl::StatusCode::kOutOfRange;
  return Failed(is_large ? AttemptFailure::kTooLarge : AttemptFailure::kBadAnswer,
                std::string(events.end.message()));
}

AttemptEnd ClassifyWhole(std::string body, std::string_view key) {
  std::optional<ReplicaError> error;
  const auto usage = CheckWholeAnswer(body, error, key);
  if (error) return ClassifyError(*std::move(error), std::move(body));
  if (!usage.ok()) {
    return Failed(AttemptFailure::kBadAnswer, std::string(usage.status().message()));
  }
  AttemptEnd answered;
  answered.kind = Kind::kAnswered;
  answered.http_status = 200;
  answered.usage = *usage;
  answered.body = std::move(body);
  return answered;
}

}  // namespace

AttemptEnd ClassifyEnd(const HttpStreamEnd& end, const StreamEvents* events, std::string body,
                       std::string_view key) {
  // Once the body has begun, the head says it, also where the rest of the body is lost.
  const bool has_head = end.status.ok() || !body.empty();
  if (has_head && end.http_status != 200 && end.http_status != 0) {
    ReplicaError error = ReadReplicaError(body, key);
    return ClassifyStatus(end.http_status, end.retry_after, std::move(error), std::move(body));
  }
  if (!end.status.ok()) return ClassifyBroken(end);
  return events != nullptr ? ClassifyEvents(*events) : ClassifyWhole(std::move(body), key);
}

ReplicaAttempt::ReplicaAttempt(bool is_stream, const AttemptLimits& limits, Callbacks callbacks,
                               std::string key)
    : is_stream_(is_stream),
      limits_(limits),
      callbacks_(std::move(callbacks)),
      key_(std::move(key)),
      stream_(
          {},
          [this](std::string_view events) {
            return !cancelled_ && callbacks_.on_events(events) && !cancelled_;
          },
          key_),
      heard_(steady_clock::now()) {}

bool ReplicaAttempt::OnPiece(int http_status, std::string_view piece) {
  if (cancelled_) return false;
  if (reported_) return true;  // what follows the end; the connection may serve again
  if (!is_stream_ || http_status != 200) {
    if (http_status != 200) {  // the status decides; of the words the beginning is enough
      body_ += piece.substr(0, kMaxErrorBody - body_.size());
      return body_.size() < kMaxErrorBody;
    }
    if (body_.size() + piece.size() > kMaxWholeAnswer) {
      Report(Failed(AttemptFailure::kTooLarge,
                    "the answer is longer than " + std::to_string(kMaxWholeAnswer) + " bytes"));
      return false;
    }
    body_ += piece;
    return true;
  }
  const int before = stream_.pieces();
  const bool goes_on = stream_.Push(piece);
  if (stream_.pieces() != before) heard_ = steady_clock::now();
  if (cancelled_) return false;
  if (goes_on) return true;
  HttpStreamEnd end;
  end.http_status = 200;
  const bool is_done = stream_.is_done();
  Report(EndOfEvents(end));
  return is_done;
}

AttemptEnd ReplicaAttempt::EndOfEvents(const HttpStreamEnd& end) {
  // Finish may pass on the mark of the end: not after a transfer that was cut, which may lack more.
  const StreamEvents events{.end = end.status.ok() ? stream_.Finish() : end.status,
                            .error = stream_.error()};
  return ClassifyEnd(end, &events, {});
}

/// Time in which the client lets the replica wait is not the replica's.
bool ReplicaAttempt::ready() {
  if (cancelled_ || reported_ || callbacks_.has_room()) return true;
  heard_ = steady_clock::now();
  return false;
}

steady_clock::time_point ReplicaAttempt::deadline() const {
  if (reported_) return heard_ + limits_.token_gap;
  if (!is_stream_) return limits_.deadline;
  const auto patience = stream_.has_begun() ? limits_.token_gap : limits_.first_token;
  return std::min(limits_.deadline, heard_ + patience);
}

void ReplicaAttempt::Report(AttemptEnd end) {
  if (std::exchange(reported_, true) || cancelled_) return;
  if (is_stream_ && end.kind == Kind::kAnswered) {
    end.usage = stream_.usage();
    if (end.usage.completion_tokens == 0) end.usage.completion_tokens = stream_.pieces();
  }
  // The client has the beginning of an answer: its request was not refused.
  if (end.kind == Kind::kRejected && stream_.has_begun()) {
    end.kind = Kind::kFailed;
    end.failure = AttemptFailure::kServerError;
  }
  // A replica that was not silent for long is not to blame for the end of the request's time. The
  // silence before a whole answer says nothing.
  const auto now = steady_clock::now();
  const bool is_late = now + kSameDeadline >= limits_.deadline &&
                       (!is_stream_ || now - heard_ < limits_.first_token);
  if (end.kind == Kind::kFailed && end.failure == AttemptFailure::kTimeout && is_late) {
    end.failure = AttemptFailure::kLate;
  }
  callbacks_.on_end(std::move(end));
}

void ReplicaAttempt::OnEnd(const HttpStreamEnd& end) {
  if (reported_ || cancelled_) return;
  const bool is_read = is_stream_ && end.http_status == 200;
  Report(is_read ? EndOfEvents(end) : ClassifyEnd(end, nullptr, std::move(body_), key_));
}

}  // namespace emptor::services
