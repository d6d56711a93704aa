// Requests to the active model.
#include "services/models/active_text_generator.h"

#include <memory>
#include <utility>

#include "services/models/engine_text_generator.h"

namespace emptor::services {
namespace {

class ModelGeneration final : public Generation {
 public:
  ModelGeneration(std::weak_ptr<LanguageModel> model, uint64_t handle)
      : model_(std::move(model)), handle_(handle) {}
  void Cancel() override {
    if (const auto model = model_.lock()) model->Cancel(handle_);
  }

 private:
  const std::weak_ptr<LanguageModel> model_;
  const uint64_t handle_;
};

}  // namespace

std::string ActiveTextGenerator::model_name() const {
  const auto model = registry_.FindLanguageModel("");
  return model.ok() ? (*model)->info().name : "none";
}

engine::ModelCapabilities ActiveTextGenerator::capabilities() const {
  const auto model = registry_.FindLanguageModel("");
  return model.ok() ? (*model)->info().capabilities : engine::ModelCapabilities{true, {}};
}

absl::StatusOr<std::unique_ptr<Generation>> ActiveTextGenerator::Generate(
    GeneratorRequest request, GeneratorCallbacks callbacks) {
  const auto model = registry_.FindLanguageModel("");
  if (!model.ok()) return model.status();
  auto handle = (*model)->Submit(ToEngineRequest(std::move(request)),
                                 ToEngineCallbacks(std::move(callbacks)));
  if (!handle.ok()) return handle.status();
  return std::make_unique<ModelGeneration>(*model, *handle);
}

}  // namespace emptor::services
