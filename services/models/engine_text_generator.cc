// Converts between the port and the engine.
#include "services/models/engine_text_generator.h"

#include <utility>
#include <vector>

#include "engine/engine.h"

namespace emptor::services {
namespace {

class EngineGeneration final : public Generation {
 public:
  EngineGeneration(std::weak_ptr<engine::Engine> engine, uint64_t handle)
      : engine_(std::move(engine)), handle_(handle) {}
  void Cancel() override {
    if (const auto engine = engine_.lock()) engine->Cancel(handle_);
  }

 private:
  const std::weak_ptr<engine::Engine> engine_;
  const uint64_t handle_;
};

std::string_view NameOf(engine::FinishReason reason) {
  switch (reason) {
    case engine::FinishReason::kStop:
      return "stop";
    case engine::FinishReason::kLength:
      return "length";
    case engine::FinishReason::kCancelled:
      return "cancelled";
    case engine::FinishReason::kDeadline:
    case engine::FinishReason::kError:
      return "error";
  }
  return "error";
}

absl::Status StatusOf(engine::FinishReason reason, const absl::Status& status) {
  if (reason == engine::FinishReason::kDeadline && status.ok()) {
    return absl::DeadlineExceededError("engine: the deadline passed");
  }
  return status;
}

}  // namespace

engine::GenerationRequest ToEngineRequest(GeneratorRequest request) {
  engine::GenerationRequest job;
  job.id = std::move(request.id);
  for (GeneratorMessage& message : request.messages) {
    job.messages.push_back({std::move(message.role), std::move(message.content)});
  }
  job.max_tokens = request.max_tokens;
  job.sampling.temperature = request.temperature;
  job.sampling.seed = request.seed;
  job.references = std::move(request.references);
  job.deadline = request.deadline;
  job.priority = request.priority == GeneratorPriority::kBatch ? engine::Priority::kBatch
                                                               : engine::Priority::kInteractive;
  job.tenant = std::move(request.tenant);
  job.cache_salt = std::move(request.cache_salt);
  return job;
}

engine::GenerationCallbacks ToEngineCallbacks(GeneratorCallbacks callbacks) {
  engine::GenerationCallbacks calls;
  calls.on_text = [on_text = std::move(callbacks.on_text)](const engine::TextPiece& piece) {
    if (!piece.text.empty()) on_text(piece.text);
  };
  calls.on_end = [on_end = std::move(callbacks.on_end)](const engine::GenerationEnd& end) {
    const engine::Usage& usage = end.usage;
    on_end(NameOf(end.reason),
           {usage.prompt_tokens, usage.completion_tokens, usage.queue_seconds, usage.ttft_seconds,
            usage.total_seconds},
           StatusOf(end.reason, end.status));
  };
  return calls;
}

EngineTextGenerator::EngineTextGenerator(const std::shared_ptr<engine::Engine>& engine)
    : engine_(engine),
      model_name_(engine->model().name),
      capabilities_(engine->model().capabilities) {}

absl::StatusOr<std::unique_ptr<Generation>> EngineTextGenerator::Generate(
    GeneratorRequest request, GeneratorCallbacks callbacks) {
  const auto engine = engine_.lock();
  if (engine == nullptr) return absl::UnavailableError("engine: stopped");
  auto handle =
      engine->Submit(ToEngineRequest(std::move(request)), ToEngineCallbacks(std::move(callbacks)));
  if (!handle.ok()) return handle.status();
  return std::make_unique<EngineGeneration>(engine_, *handle);
}

}  // namespace emptor::services
