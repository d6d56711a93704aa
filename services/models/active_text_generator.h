// The text generator on the active model of the registry.
#pragma once

#include <string>

#include "services/models/model_registry.h"
#include "services/models/text_generator.h"

namespace emptor::services {

/// Each request runs on the model that is active when it arrives. Without a loaded model, Generate
/// returns kUnavailable. Thread-safety: any thread. Lifetime: within the
/// registry's.
class ActiveTextGenerator final : public TextGenerator {
 public:
  explicit ActiveTextGenerator(const ModelRegistry& registry) : registry_(registry) {}

  /// The name in the model's file; "none" without a model.
  std::string model_name() const override;
  /// Without a model: references, and no list of languages.
  engine::ModelCapabilities capabilities() const override;
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override;

 private:
  const ModelRegistry& registry_;
};

}  // namespace emptor::services
