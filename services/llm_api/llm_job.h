// The generations of one HTTP request: submitted and cancelled together.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "services/http/exchange.h"
#include "services/models/language_model.h"

namespace emptor::services {

/// Turns generated text into a reply. OnRefused and OnStarted come on the thread that submits,
/// texts and ends on the engine's, which may be sooner than OnStarted; they must not block.
class GenerationReply {
 public:
  virtual ~GenerationReply() = default;
  /// Nothing runs; no other call follows.
  virtual void OnRefused(const absl::Status& status) = 0;
  /// Everything is submitted. `cancel` cancels all of it; it may be called from any thread, at
  /// any time.
  virtual void OnStarted(std::function<void()> cancel) = 0;
  /// `choice` counts the answers of all prompts: prompt times n, plus the engine's choice.
  virtual void OnText(int choice, const engine::TextPiece& piece) = 0;
  virtual void OnEnd(int choice, const engine::GenerationEnd& end) = 0;
};

/// Puts the request's tenant and cache salt into the namespace of a shop: requests of different
/// shops share the engine evenly and share no cached prompts. Empty: leaves them.
void ScopeToShop(std::string_view shop, engine::GenerationRequest& request);

/// Submits all requests or none: when one is refused, those before it are cancelled.
/// The reply is kept until the last generation has ended.
void StartGenerations(const std::shared_ptr<LanguageModel>& model,
                      std::vector<engine::GenerationRequest> requests,
                      std::shared_ptr<GenerationReply> reply);

/// An event stream that may be written to before it is open. Thread-safety: any thread.
class StreamPipe {
 public:
  /// Sends `first`, then what was pushed before. False when the client has gone or is refused.
  bool Open(Exchange& exchange, StreamOptions options, std::string_view first);
  /// False when the stream is dead.
  bool Push(std::string_view bytes);
  /// Ends the stream; one that is not open yet ends when it opens.
  void Finish();

 private:
  std::mutex mutex_;
  std::shared_ptr<StreamSink> sink_;  // guarded by mutex_
  std::string early_;                 // guarded by mutex_; came before the sink
  bool finished_ = false;             // guarded by mutex_
};

/// Calls `cancel` when the client leaves a stream.
StreamOptions LlmStreamOptions(std::function<void()> cancel, std::string last_words);

/// A JSON reply with the headers that all have.
Response LlmResponse(std::string body);

}  // namespace emptor::services
