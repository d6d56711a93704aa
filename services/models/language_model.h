// A loaded language model and the name that clients use for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "services/models/model_spec.h"

namespace emptor::services {

/// One finished answer, for metrics.
struct GenerationRecord {
  std::string model;
  engine::FinishReason reason = engine::FinishReason::kStop;
  engine::Usage usage;
  /// Seconds between this answer's tokens, one for each token after the first. Tokens that came
  /// with one piece of text share the time evenly.
  std::vector<float> token_gaps;
};
/// Called on the engine thread when an answer has ended; must not block.
using GenerationObserver = std::function<void(const GenerationRecord&)>;

/// The engine of one model, alone or with one of its adapters; those of one model share the engine.
/// All routes and the assistant submit through it, so that all answers are
/// counted. Thread-safety: any thread. Lifetime: callbacks of its requests must not keep it alive,
/// or the engine's thread would destroy it.
class LanguageModel {
 public:
  /// `adapter`: of `spec`; null: the model alone.
  LanguageModel(const ModelSpec& spec, std::shared_ptr<engine::Engine> engine,
                GenerationObserver observer, const AdapterSpec* adapter = nullptr);

  /// "model" or "model:adapter".
  const std::string& name() const { return name_; }
  /// Of the engine; capabilities that the spec states are the spec's.
  const engine::ModelInfo& info() const { return info_; }
  engine::EngineStats stats() const { return engine_->stats(); }

  /// As Engine::Submit, with this model's adapter.
  absl::StatusOr<uint64_t> Submit(engine::GenerationRequest request,
                                  engine::GenerationCallbacks callbacks);
  void Cancel(uint64_t handle) { engine_->Cancel(handle); }
  bool Drain(std::chrono::milliseconds timeout) { return engine_->Drain(timeout); }
  const engine::Engine& engine() const { return *engine_; }

 private:
  const std::string name_, adapter_;
  const GenerationObserver observer_;
  const std::shared_ptr<engine::Engine> engine_;
  const engine::ModelInfo info_;
};

}  // namespace emptor::services
