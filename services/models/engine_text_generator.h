// The text generator on an engine in this process.
#pragma once

#include <memory>
#include <string>

#include "services/models/text_generator.h"

namespace emptor::engine {
class Engine;
struct GenerationCallbacks;
struct GenerationRequest;
}  // namespace emptor::engine

namespace emptor::services {

/// Converts a request and its callbacks to those of the engine.
engine::GenerationRequest ToEngineRequest(GeneratorRequest request);
engine::GenerationCallbacks ToEngineCallbacks(GeneratorCallbacks callbacks);

/// Thread-safety: any thread. Does not keep the engine alive: once it is gone, Generate answers
/// kUnavailable and Cancel does nothing.
class EngineTextGenerator final : public TextGenerator {
 public:
  explicit EngineTextGenerator(const std::shared_ptr<engine::Engine>& engine);

  std::string model_name() const override { return model_name_; }
  engine::ModelCapabilities capabilities() const override { return capabilities_; }
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override;

 private:
  const std::weak_ptr<engine::Engine> engine_;
  const std::string model_name_;
  const engine::ModelCapabilities capabilities_;
};

}  // namespace emptor::services
