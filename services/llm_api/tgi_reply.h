// Replies of the TGI-compatible routes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/llm_api/llm_job.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// {"error","error_type","request_id"} with TGI's status: 422 validation, 424 generation,
/// 429 overloaded, 503 unhealthy, 504 for a deadline.
Response MakeTgiError(const absl::Status& status, std::string_view request_id);
/// The body alone, for errors inside a stream.
std::string TgiErrorJson(const absl::Status& status, std::string_view request_id);

/// Properties of the request that its reply repeats.
struct TgiContext {
  std::string inputs;
  uint64_t seed = 0;
  bool details = true;
  bool return_full_text = false;
  int top_tokens = 0;
  int max_new_tokens = 0;
  double validation_seconds = 0;  // parsing and truncation
};

/// Collects the answer and responds once, with TGI's headers.
class TgiWholeReply final : public GenerationReply,
                            public std::enable_shared_from_this<TgiWholeReply> {
 public:
  TgiWholeReply(std::shared_ptr<Exchange> exchange, TgiContext context, WorkerPool& workers);

  void OnRefused(const absl::Status& status) override;
  void OnStarted(std::function<void()> cancel) override;
  void OnText(int choice, const engine::TextPiece& piece) override;
  void OnEnd(int choice, const engine::GenerationEnd& end) override;

 private:
  Response Write(const engine::GenerationEnd& end) const;

  const std::shared_ptr<Exchange> exchange_;
  const TgiContext context_;
  WorkerPool& workers_;
  std::string text_;
  std::vector<engine::SampledToken> tokens_;
};

/// One event for each token. The last one carries the whole text and the details; where no token
/// can be known to be the last, that is an event of its own with a special, empty token.
class TgiStreamReply final : public GenerationReply {
 public:
  TgiStreamReply(std::shared_ptr<Exchange> exchange, TgiContext context);

  void OnRefused(const absl::Status& status) override;
  void OnStarted(std::function<void()> cancel) override;
  void OnText(int choice, const engine::TextPiece& piece) override;
  void OnEnd(int choice, const engine::GenerationEnd& end) override;

 private:
  /// A token whose event is not written yet.
  struct Pending {
    engine::SampledToken token;
    std::string text;
  };
  std::string Event(const Pending& pending, bool is_special, const engine::GenerationEnd* end);

  const std::shared_ptr<Exchange> exchange_;
  const TgiContext context_;
  StreamPipe pipe_;
  std::string text_;
  int index_ = 0;
  std::optional<Pending> last_;  // the token at max_new_tokens waits for the end
};

}  // namespace emptor::services
