// The strict request parser: every byte of a client passes it first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "services/http/body_buffer.h"
#include "services/http/chunked_body.h"
#include "services/http/http_server.h"
#include "services/http/line_reader.h"
#include "services/http/request_head.h"

namespace emptor::services {

struct HttpGuardLimits {
  size_t max_header_bytes = 16 * 1024;  // of the whole head
  size_t max_target_bytes = 8 * 1024;
  int max_headers = 64;
  size_t max_body_bytes = 1 << 20;
  /// Lowers max_body_bytes for a request; null or empty: does not. Outlives the guard.
  const BodyLimit* body_limit = nullptr;
};

/// A request that passed, and what its answer depends on. `request.id` and `.remote` are empty.
struct GuardedRequest {
  Request request;
  bool http11 = true;
  bool keep_alive = true;
};

/// Reads one request after the other from the bytes of one connection, strictly by RFC 9112. Input
/// that two parsers could read in two ways is refused: a proxy in front may have read it the other
/// way. Bytes may be cut anywhere; the result does not depend on the cuts.
/// Cost: linear in the bytes fed. Memory: at most one head and one body within the limits.
/// Thread-safety: none. Knows no socket and no clock.
class HttpGuard {
 public:
  enum class Stage {
    kIdle,      // no byte of a request yet
    kHead,      // inside request line or header fields
    kBody,      // the head passed, the body is coming
    kComplete,  // TakeRequest has a request
    kRefused,   // see refusal(); nothing more is read
  };

  explicit HttpGuard(HttpGuardLimits limits) : limits_(limits) {}

  /// Returns how many bytes it consumed: all, unless a request became complete or was refused.
  size_t Feed(std::string_view bytes);

  Stage stage() const { return stage_; }
  const Refusal& refusal() const { return refusal_; }

  /// Method and path of the request that is being read or was refused, as far as they are known.
  const RequestHead& head() const { return head_; }
  /// Bytes of the body that have come.
  size_t body_bytes() const { return body_.size(); }
  /// Memory that the present request takes, head and body.
  size_t held_bytes() const;

  /// True once for each request that waits for "100 Continue" before it sends its body.
  bool TakeContinue();

  /// Returns the request and starts the next one. REQUIRES: stage() == kComplete.
  GuardedRequest TakeRequest();

 private:
  void FeedHead(std::string_view& bytes);
  void FeedBody(std::string_view& bytes);
  void TakeHeadLine();
  void EndHead();
  size_t MaxBodyBytes() const;
  void Refuse(Refusal refusal);
  size_t LineLimit() const;

  HttpGuardLimits limits_;
  Stage stage_ = Stage::kIdle;
  Refusal refusal_;
  LineReader line_;
  RequestHead head_;
  size_t head_bytes_ = 0;
  bool has_request_line_ = false;
  bool skipped_empty_line_ = false;
  bool wants_continue_ = false;
  std::optional<ChunkedBody> chunks_;
  BodyBuffer body_;
};

}  // namespace emptor::services
