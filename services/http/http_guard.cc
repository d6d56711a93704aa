// The strict request parser.
#include "services/http/http_guard.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace emptor::services {
namespace {

/// The longest method and version around a target.
constexpr size_t kRequestLineExtra = 32;

}  // namespace

size_t HttpGuard::Feed(std::string_view bytes) {
  const size_t offered = bytes.size();
  while (!bytes.empty() && stage_ != Stage::kComplete && stage_ != Stage::kRefused) {
    if (stage_ == Stage::kBody) {
      FeedBody(bytes);
    } else {
      FeedHead(bytes);
    }
  }
  return offered - bytes.size();
}

size_t HttpGuard::LineLimit() const {
  const size_t used = head_bytes_ + 2;  // with the end of the line to come
  const size_t left = limits_.max_header_bytes - std::min(used, limits_.max_header_bytes);
  return has_request_line_ ? left : std::min(left, limits_.max_target_bytes + kRequestLineExtra);
}

void HttpGuard::FeedHead(std::string_view& bytes) {
  stage_ = Stage::kHead;
  switch (line_.Feed(bytes, LineLimit())) {
    case LineReader::Status::kNeedMore:
      return;
    case LineReader::Status::kBad:
      return Refuse({400, "bad_request", "head: bare line end or control character"});
    case LineReader::Status::kTooLong:
      if (!has_request_line_) return Refuse({414, "target_too_long", "the target is too long"});
      return Refuse({431, "headers_too_large", "the header fields are too large"});
    case LineReader::Status::kLine:
      head_bytes_ += line_.line().size() + 2;
      if (head_bytes_ > limits_.max_header_bytes)
        return Refuse({431, "headers_too_large", "the header fields are too large"});
      TakeHeadLine();
      line_.Reset();
  }
}

void HttpGuard::TakeHeadLine() {
  const std::string& line = line_.line();
  std::optional<Refusal> refusal;
  if (!has_request_line_) {
    // RFC 9112 2.2: one empty line before a request is ignored.
    if (line.empty() && !skipped_empty_line_) {
      skipped_empty_line_ = true;
      return;
    }
    refusal = ParseRequestLine(line, head_);
    has_request_line_ = true;
  } else if (line.empty()) {
    return EndHead();
  } else if (head_.headers.size() >= static_cast<size_t>(limits_.max_headers)) {
    refusal = Refusal{431, "headers_too_large", "too many header fields"};
  } else {
    refusal = ParseFieldLine(line, head_);
  }
  if (refusal) Refuse(std::move(*refusal));
}

size_t HttpGuard::MaxBodyBytes() const {
  if (limits_.body_limit == nullptr || !*limits_.body_limit) return limits_.max_body_bytes;
  return std::min(limits_.max_body_bytes, (*limits_.body_limit)(head_.method, head_.path));
}

void HttpGuard::EndHead() {
  if (auto refusal = FinishHead(head_)) return Refuse(std::move(*refusal));
  const size_t length = head_.content_length.value_or(0), most = MaxBodyBytes();
  if (length > most) return Refuse(BodyTooLarge(most));
  if (!head_.chunked && length == 0) {
    stage_ = Stage::kComplete;
    return;
  }
  if (head_.chunked) chunks_.emplace(ChunkedBody::Limits{.max_body_bytes = most});
  body_ = BodyBuffer(length);
  wants_continue_ = head_.expects_continue;
  stage_ = Stage::kBody;
}

void HttpGuard::FeedBody(std::string_view& bytes) {
  wants_continue_ = false;  // the client did not wait
  if (chunks_) {
    if (auto refusal = chunks_->Feed(bytes, body_)) return Refuse(std::move(*refusal));
    if (chunks_->done()) stage_ = Stage::kComplete;
    return;
  }
  const size_t taken = std::min(*head_.content_length - body_.size(), bytes.size());
  body_.Append(bytes.substr(0, taken));
  bytes.remove_prefix(taken);
  if (body_.size() == *head_.content_length) stage_ = Stage::kComplete;
}

size_t HttpGuard::held_bytes() const {
  if (stage_ != Stage::kHead && stage_ != Stage::kBody) return 0;
  constexpr size_t kAllocation = 32;  // of a name or a value that is not short, beyond its bytes
  const size_t fields =
      head_.headers.capacity() * sizeof(head_.headers[0]) + 2 * kAllocation * head_.headers.size();
  return line_.line().capacity() + head_bytes_ + fields + body_.capacity();
}

void HttpGuard::Refuse(Refusal refusal) {
  refusal_ = std::move(refusal);
  stage_ = Stage::kRefused;
  body_ = BodyBuffer();  // gives its memory back
}

bool HttpGuard::TakeContinue() { return std::exchange(wants_continue_, false); }

GuardedRequest HttpGuard::TakeRequest() {
  assert(stage_ == Stage::kComplete);
  GuardedRequest taken;
  taken.http11 = head_.minor_version >= 1;
  taken.keep_alive = head_.keep_alive;
  taken.request.method = std::move(head_.method);
  taken.request.path = std::move(head_.path);
  taken.request.query = std::move(head_.query);
  taken.request.headers = std::move(head_.headers);
  taken.request.body = body_.Take();
  *this = HttpGuard(limits_);
  return taken;
}

}  // namespace emptor::services
