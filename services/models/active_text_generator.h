// The text generator on whatever model of the registry is the active one.
#pragma once

#include <string>

#include "services/models/model_registry.h"
#include "services/models/text_generator.h"

namespace emptor::services {

/// Each request goes to the model that is active when it comes and ends there. Without one that is
/// loaded, Generate answers kUnavailable. Thread-safety: any thread. Lifetime: within the
/// registry's.
class ActiveTextGenerator final : public TextGenerator {
 public:
  explicit ActiveTextGenerator(const ModelRegistry& registry) : registry_(registry) {}

  /// As the model's file says; "none" without a model.
  std::string model_name() const override;
  /// Those of a model that speaks references when there is none.
  engine::ModelCapabilities capabilities() const override;
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override;

 private:
  const ModelRegistry& registry_;
};

}  // namespace emptor::services
