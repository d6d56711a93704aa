// Statuses and ends of transfers into outcomes.
#include "services/gateway/replica_attempt.h"

#include <algorithm>
#include <utility>

namespace emptor::services {
namespace {

using Kind = AttemptEnd::Kind;
using std::chrono::steady_clock;

constexpr size_t kMaxWholeAnswer = 16u << 20;
constexpr size_t kMaxErrorBody = 64u << 10;

AttemptEnd Failed(AttemptFailure failure, std::string what) {
  AttemptEnd end;
  end.failure = failure;
  end.what = std::move(what);
  return end;
}

AttemptEnd ClassifyBroken(const HttpStreamEnd& end) {
  const std::string what(end.status.message());
  if (end.status.code() == absl::StatusCode::kDeadlineExceeded) {
    return Failed(AttemptFailure::kTimeout, what);
  }
  const bool was_seen = end.was_sent && end.status.code() != absl::StatusCode::kFailedPrecondition;
  return Failed(was_seen ? AttemptFailure::kLost : AttemptFailure::kUnreachable, what);
}

AttemptEnd ClassifyAnswer(bool is_stream, const absl::Status& read, std::string body) {
  AttemptEnd answered;
  answered.kind = Kind::kAnswered;
  answered.http_status = 200;
  if (is_stream) {
    if (read.ok()) return answered;
    const bool was_cut = read.code() == absl::StatusCode::kUnavailable;
    return Failed(was_cut ? AttemptFailure::kLost : AttemptFailure::kBadAnswer,
                  std::string(read.message()));
  }
  const auto usage = CheckWholeAnswer(body);
  if (!usage.ok()) {
    return Failed(AttemptFailure::kBadAnswer, std::string(usage.status().message()));
  }
  answered.usage = *usage;
  answered.body = std::move(body);
  return answered;
}

}  // namespace

AttemptEnd ClassifyEnd(const HttpStreamEnd& end, bool is_stream, const absl::Status& read,
                       std::string body) {
  if (!end.status.ok()) return ClassifyBroken(end);
  const int status = end.http_status;
  if (status == 200) return ClassifyAnswer(is_stream, read, std::move(body));
  const std::string what = "HTTP " + std::to_string(status);
  if (status == 429 || status == 503) {
    AttemptEnd busy = Failed(AttemptFailure::kBusy, what);
    busy.pause = end.retry_after;
    return busy;
  }
  // 401 and 403 are about the gateway's key at the replica, 408 about its patience.
  const bool is_clients = status >= 400 && status < 500 && status != 401 && status != 403 &&
                          status != 407 && status != 408;
  if (!is_clients) {
    return Failed(status >= 400 ? AttemptFailure::kServerError : AttemptFailure::kBadAnswer, what);
  }
  AttemptEnd rejected;
  rejected.kind = Kind::kRejected;
  rejected.http_status = status;
  rejected.body = std::move(body);
  return rejected;
}

ReplicaAttempt::ReplicaAttempt(bool is_stream, const AttemptLimits& limits, Callbacks callbacks)
    : is_stream_(is_stream),
      limits_(limits),
      callbacks_(std::move(callbacks)),
      stream_({},
              [this](std::string_view events) {
                return !cancelled_ && callbacks_.on_events(events) && !cancelled_;
              }),
      heard_(steady_clock::now()) {}

bool ReplicaAttempt::OnPiece(int http_status, std::string_view piece) {
  if (cancelled_) return false;
  if (reported_) return true;  // what follows the end; the connection may serve again
  if (!is_stream_ || http_status != 200) {
    const size_t limit = http_status == 200 ? kMaxWholeAnswer : kMaxErrorBody;
    if (body_.size() + piece.size() > limit) {
      Report(Failed(AttemptFailure::kBadAnswer, "the answer is too long"));
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
  Report(ClassifyEnd(end, true, stream_.Finish(), {}));
  return is_done;
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
  callbacks_.on_end(std::move(end));
}

void ReplicaAttempt::OnEnd(const HttpStreamEnd& end) {
  if (reported_ || cancelled_) return;
  const bool is_read = is_stream_ && end.http_status == 200;
  Report(ClassifyEnd(end, is_stream_, is_read ? stream_.Finish() : absl::OkStatus(),
                     std::move(body_)));
}

}  // namespace emptor::services
