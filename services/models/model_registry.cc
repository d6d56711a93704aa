// Slots of models, and the threads that fill and empty them.
#include "services/models/model_registry.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

absl::Status NoSuchModel(std::string_view name) {
  return absl::NotFoundError(fmt::format("model: there is no model \"{}\"", name.substr(0, 128)));
}

absl::Status Busy(const ModelSpec& spec, std::string_view what) {
  return absl::FailedPreconditionError(fmt::format("model: \"{}\" {}", spec.name, what));
}

}  // namespace

std::string_view ToString(ModelState state) {
  switch (state) {
    case ModelState::kUnloaded:
      return "unloaded";
    case ModelState::kLoading:
      return "loading";
    case ModelState::kAvailable:
      return "available";
    case ModelState::kUnloading:
      return "unloading";
    case ModelState::kFailed:
      return "failed";
  }
  return "failed";
}

std::string_view ToString(ModelKind kind) {
  return kind == ModelKind::kLanguageModel ? "llm" : "encoder";
}

ModelRegistry::ModelRegistry(ModelRegistryOptions options) : options_(std::move(options)) {}

ModelRegistry::~ModelRegistry() { Stop(); }

absl::Status ModelRegistry::Insert(Slot slot) {
  const ModelSpec& spec = slot.spec;
  if (!IsModelName(spec.name)) {
    return absl::InvalidArgumentError(fmt::format(
        "model: expected a name of 1 to 96 of [A-Za-z0-9._-], found \"{}\"", spec.name));
  }
  const std::lock_guard lock(mutex_);
  if (slots_.count(spec.name) != 0) {
    return absl::AlreadyExistsError(fmt::format("model: \"{}\" already exists", spec.name));
  }
  std::string& active = ActiveOf(spec.kind);
  if (active.empty()) active = spec.name;
  const std::string name = spec.name;
  slots_.emplace(name, std::move(slot));
  return absl::OkStatus();
}

absl::Status ModelRegistry::Add(ModelSpec spec) {
  Slot slot;
  slot.spec = std::move(spec);
  return Insert(std::move(slot));
}

absl::Status ModelRegistry::AddPinned(ModelSpec spec,
                                      std::shared_ptr<const EngineEmbedder> encoder) {
  Slot slot;
  slot.spec = std::move(spec);
  slot.spec.kind = ModelKind::kEncoder;
  slot.state = ModelState::kAvailable;
  slot.percent = 100;
  slot.pinned = true;
  slot.loaded_at = std::time(nullptr);
  slot.encoder = std::move(encoder);
  return Insert(std::move(slot));
}

std::string& ModelRegistry::ActiveOf(ModelKind kind) {
  return kind == ModelKind::kLanguageModel ? active_language_model_ : active_encoder_;
}
const std::string& ModelRegistry::ActiveOf(ModelKind kind) const {
  return kind == ModelKind::kLanguageModel ? active_language_model_ : active_encoder_;
}

absl::StatusOr<ModelRegistry::Slot*> ModelRegistry::Find(std::string_view name) {
  const auto found = slots_.find(name);
  if (found == slots_.end()) return NoSuchModel(name);
  return &found->second;
}
absl::StatusOr<const ModelRegistry::Slot*> ModelRegistry::Find(std::string_view name) const {
  const auto found = slots_.find(name);
  if (found == slots_.end()) return NoSuchModel(name);
  return &found->second;
}

absl::Status ModelRegistry::StartLoading(Slot& slot) {
  if (draining_) return absl::UnavailableError("models: stopping");
  switch (slot.state) {
    case ModelState::kAvailable:
    case ModelState::kLoading:
      return absl::OkStatus();
    case ModelState::kUnloading:
      return Busy(slot.spec, "is being unloaded");
    case ModelState::kUnloaded:
    case ModelState::kFailed:
      break;
  }
  // A worker whose slot is neither loading nor unloading is done.
  if (slot.worker.joinable()) slot.worker.join();
  slot.state = ModelState::kLoading;
  slot.percent = 0;
  slot.reason.clear();
  slot.worker = std::thread([this, &slot] { LoadInto(slot); });
  return absl::OkStatus();
}

absl::Status ModelRegistry::Load(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto slot = Find(name);
  return slot.ok() ? StartLoading(**slot) : slot.status();
}

/// On the slot's worker. The spec never changes, so it is read without the lock.
void ModelRegistry::LoadInto(Slot& slot) {
  const auto begun = steady_clock::now();
  std::shared_ptr<LanguageModel> language_model;
  std::shared_ptr<const EngineEmbedder> encoder;
  absl::Status status;
  if (slot.spec.kind == ModelKind::kLanguageModel) {
    engine::EngineOptions options = options_.engine;
    options.on_progress = [this, &slot](float done) {
      const std::lock_guard lock(mutex_);
      slot.percent = static_cast<int>(done * 100);
    };
    auto engine = engine::Engine::Load(slot.spec.path, options);
    status = engine.status();
    if (engine.ok()) {
      language_model =
          std::make_shared<LanguageModel>(slot.spec, *std::move(engine), options_.on_generation);
    }
  } else {
    auto loaded = EngineEmbedder::Load(slot.spec.path);
    status = loaded.status();
    if (loaded.ok()) encoder = *std::move(loaded);
  }
  const std::lock_guard lock(mutex_);
  slot.language_model = std::move(language_model);
  slot.encoder = std::move(encoder);
  slot.state = status.ok() ? ModelState::kAvailable : ModelState::kFailed;
  slot.percent = status.ok() ? 100 : slot.percent;
  slot.reason = std::string(status.message());
  slot.loaded_at = status.ok() ? std::time(nullptr) : 0;
  slot.load_seconds = std::chrono::duration<double>(steady_clock::now() - begun).count();
  const bool activate = std::exchange(slot.activate_when_loaded, false);
  if (activate && status.ok()) ActiveOf(slot.spec.kind) = slot.spec.name;
  changed_.notify_all();
}

absl::Status ModelRegistry::Unload(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  Slot& slot = **found;
  if (slot.pinned) return Busy(slot.spec, "is in use by the shop");
  if (slot.state == ModelState::kLoading) return Busy(slot.spec, "is being loaded");
  if (slot.state == ModelState::kUnloading) return absl::OkStatus();
  if (slot.worker.joinable()) slot.worker.join();
  slot.state = ModelState::kUnloading;
  slot.reason.clear();
  slot.encoder = nullptr;
  slot.worker =
      std::thread([this, &slot, model = std::exchange(slot.language_model, nullptr)]() mutable {
        UnloadFrom(slot, std::move(model));
      });
  return absl::OkStatus();
}

void ModelRegistry::UnloadFrom(Slot& slot, std::shared_ptr<LanguageModel> language_model) {
  if (language_model != nullptr) language_model->Drain(options_.drain);
  language_model = nullptr;  // cancels what still runs
  const std::lock_guard lock(mutex_);
  slot.state = ModelState::kUnloaded;
  slot.percent = 0;
  slot.loaded_at = 0;
  changed_.notify_all();
}

absl::Status ModelRegistry::Activate(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  Slot& slot = **found;
  const absl::Status status = StartLoading(slot);
  if (!status.ok()) return status;
  // The latest call wins: an earlier model that is still loading must not become active later.
  for (auto& [other, one] : slots_) {
    if (one.spec.kind == slot.spec.kind) one.activate_when_loaded = false;
  }
  if (slot.state == ModelState::kAvailable) {
    ActiveOf(slot.spec.kind) = slot.spec.name;
  } else {
    slot.activate_when_loaded = true;
  }
  return absl::OkStatus();
}

absl::Status ModelRegistry::WaitFor(std::string_view name) {
  std::unique_lock lock(mutex_);
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  const Slot& slot = **found;
  changed_.wait(lock, [&] {
    return slot.state != ModelState::kLoading && slot.state != ModelState::kUnloading;
  });
  if (slot.state == ModelState::kAvailable) return absl::OkStatus();
  if (slot.state == ModelState::kFailed) return absl::UnavailableError(slot.reason);
  return absl::UnavailableError(fmt::format("model: \"{}\" is not loaded", slot.spec.name));
}

absl::StatusOr<const ModelRegistry::Slot*> ModelRegistry::FindOrActive(std::string_view name,
                                                                       ModelKind kind) const {
  if (name.empty() && ActiveOf(kind).empty()) {
    return absl::UnavailableError(fmt::format("model: there is no {}", ToString(kind)));
  }
  const auto found = Find(name.empty() ? std::string_view(ActiveOf(kind)) : name);
  if (!found.ok()) return found.status();
  const Slot& slot = **found;
  if (slot.spec.kind != kind) {
    return absl::InvalidArgumentError(fmt::format("model: \"{}\" is an {}, expected an {}", name,
                                                  ToString(slot.spec.kind), ToString(kind)));
  }
  if (draining_) return absl::UnavailableError("models: stopping");
  if (slot.state == ModelState::kLoading) {
    return absl::UnavailableError(
        fmt::format("model: \"{}\" is loading, {} %", slot.spec.name, slot.percent));
  }
  if (slot.state != ModelState::kAvailable) {
    return absl::UnavailableError(
        fmt::format("model: \"{}\" is {}", slot.spec.name, ToString(slot.state)));
  }
  return *found;
}

absl::StatusOr<std::shared_ptr<LanguageModel>> ModelRegistry::FindLanguageModel(
    std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto slot = FindOrActive(name, ModelKind::kLanguageModel);
  if (!slot.ok()) return slot.status();
  return (*slot)->language_model;
}

absl::StatusOr<std::shared_ptr<const EngineEmbedder>> ModelRegistry::FindEncoder(
    std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto slot = FindOrActive(name, ModelKind::kEncoder);
  if (!slot.ok()) return slot.status();
  return (*slot)->encoder;
}

std::string ModelRegistry::ActiveName(ModelKind kind) const {
  const std::lock_guard lock(mutex_);
  return ActiveOf(kind);
}

ModelStatus ModelRegistry::StatusOf(const Slot& slot) const {
  ModelStatus status;
  status.spec = slot.spec;
  status.state = slot.state;
  status.percent = slot.percent;
  status.reason = slot.reason;
  status.active = ActiveOf(slot.spec.kind) == slot.spec.name;
  status.loaded_at = slot.loaded_at;
  status.load_seconds = slot.load_seconds;
  if (slot.language_model != nullptr) status.info = slot.language_model->info();
  if (slot.encoder != nullptr) status.dimension = slot.encoder->dimension();
  return status;
}

absl::StatusOr<ModelStatus> ModelRegistry::Status(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto slot = Find(name);
  if (!slot.ok()) return slot.status();
  return StatusOf(**slot);
}

std::vector<ModelStatus> ModelRegistry::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<ModelStatus> all;
  for (const auto& [name, slot] : slots_) all.push_back(StatusOf(slot));
  return all;
}

std::vector<std::shared_ptr<LanguageModel>> ModelRegistry::LanguageModels() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<LanguageModel>> all;
  for (const auto& [name, slot] : slots_) {
    if (slot.language_model != nullptr) all.push_back(slot.language_model);
  }
  return all;
}

bool ModelRegistry::Drain(milliseconds timeout) {
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
  }
  const auto deadline = steady_clock::now() + timeout;
  bool drained = true;
  for (const auto& model : LanguageModels()) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    drained = model->Drain(std::max(left, milliseconds(0))) && drained;
  }
  return drained;
}

void ModelRegistry::Stop() {
  std::vector<std::thread> workers;
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
    for (auto& [name, slot] : slots_) workers.push_back(std::move(slot.worker));
  }
  for (std::thread& worker : workers) {
    if (worker.joinable()) worker.join();
  }
  std::vector<std::shared_ptr<LanguageModel>> last;  // cancel what still runs, without the lock
  const std::lock_guard lock(mutex_);
  for (auto& [name, slot] : slots_) {
    if (slot.language_model == nullptr) continue;
    slot.state = ModelState::kUnloaded;
    last.push_back(std::move(slot.language_model));
  }
}

}  // namespace emptor::services
