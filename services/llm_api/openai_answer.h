// Generations as replies of the OpenAI-compatible routes: whole, or as a stream.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "services/llm_api/llm_job.h"
#include "services/llm_api/openai_reply.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// Counts the ends of all answers of a request and sums their usage. Engine thread only.
class AnswerTally {
 public:
  /// `n` answers to each of `prompts`.
  AnswerTally(size_t prompts, int n) : n_(n), open_(prompts * static_cast<size_t>(n)) {}
  /// True when it was the last one.
  bool Add(int choice, const engine::GenerationEnd& end);
  const OpenAiUsage& usage() const { return usage_; }

 private:
  const int n_;
  size_t open_;
  OpenAiUsage usage_;
};

/// Collects the answers and responds once. Leaving clients cancel.
class OpenAiWholeReply final : public GenerationReply,
                               public std::enable_shared_from_this<OpenAiWholeReply> {
 public:
  /// `workers` write the reply, so that the engine's thread does not wait.
  OpenAiWholeReply(std::shared_ptr<Exchange> exchange, OpenAiFormat format, size_t prompts, int n,
                   WorkerPool& workers);

  void OnRefused(const absl::Status& status) override;
  void OnStarted(std::function<void()> cancel) override;
  void OnText(int choice, const engine::TextPiece& piece) override;
  void OnEnd(int choice, const engine::GenerationEnd& end) override;

 private:
  const std::shared_ptr<Exchange> exchange_;
  const OpenAiFormat format_;
  WorkerPool& workers_;
  AnswerTally tally_;
  std::vector<OpenAiChoice> choices_;
  absl::Status failure_;
};

/// Sends chunks as they come.
class OpenAiStreamReply final : public GenerationReply {
 public:
  OpenAiStreamReply(std::shared_ptr<Exchange> exchange, OpenAiFormat format, size_t prompts, int n);

  void OnRefused(const absl::Status& status) override;
  void OnStarted(std::function<void()> cancel) override;
  void OnText(int choice, const engine::TextPiece& piece) override;
  void OnEnd(int choice, const engine::GenerationEnd& end) override;

 private:
  const std::shared_ptr<Exchange> exchange_;
  const OpenAiFormat format_;
  StreamPipe pipe_;
  AnswerTally tally_;
  std::vector<size_t> offsets_;  // bytes written of each answer
  bool failed_ = false;
};

/// Why an answer stands though neither the model nor max_tokens ended it; else empty.
std::string_view CutBy(engine::FinishReason reason);

}  // namespace emptor::services
