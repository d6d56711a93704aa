// Slots of models, and the threads that fill and empty them.
#include "services/models/model_registry.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The place of an adapter in its model's list; nothing for a name that it does not have.
std::optional<size_t> FindAdapter(const ModelSpec& spec, std::string_view name) {
  const auto found = std::find_if(spec.adapters.begin(), spec.adapters.end(),
                                  [&](const AdapterSpec& each) { return each.name == name; });
  if (found == spec.adapters.end()) return std::nullopt;
  return static_cast<size_t>(found - spec.adapters.begin());
}

/// The slot that a name means, const or not.
template <typename Slots>
auto FindSlot(Slots& slots, std::string_view name)
    -> absl::StatusOr<decltype(&slots.begin()->second)> {
  const auto [model, adapter] = SplitModelReference(name);
  const auto found = slots.find(model);
  if (found == slots.end()) return NoSuchModel(name);
  const ModelSpec& spec = found->second.spec;
  if (model.size() != name.size() && !FindAdapter(spec, adapter)) {
    return absl::NotFoundError(
        fmt::format("model: \"{}\" has no adapter \"{}\"", spec.name, adapter.substr(0, 128)));
  }
  return &found->second;
}

/// What the engine loads besides the model.
engine::EngineOptions OptionsOf(engine::EngineOptions options, const ModelSpec& spec) {
  options.merged_adapter = spec.adapter;
  for (const AdapterSpec& adapter : spec.adapters) {
    options.adapters.push_back({adapter.name, adapter.path});
  }
  if (!spec.draft_model.empty()) {
    options.speculation = engine::Speculation::kDraftModel;
    options.draft_model = spec.draft_model;
  }
  return options;
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
  for (const AdapterSpec& adapter : spec.adapters) {
    if (IsModelName(adapter.name) && &spec.adapters[*FindAdapter(spec, adapter.name)] == &adapter) {
      continue;
    }
    return absl::InvalidArgumentError(
        fmt::format("model: \"{}\": expected adapters with different names of 1 to 96 of "
                    "[A-Za-z0-9._-], found \"{}\"",
                    spec.name, adapter.name));
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
  return FindSlot(slots_, name);
}
absl::StatusOr<const ModelRegistry::Slot*> ModelRegistry::Find(std::string_view name) const {
  return FindSlot(slots_, name);
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
  std::vector<std::shared_ptr<LanguageModel>> adapters;
  std::shared_ptr<const EngineEmbedder> encoder;
  absl::Status status;
  if (slot.spec.kind == ModelKind::kLanguageModel) {
    engine::EngineOptions options = OptionsOf(options_.engine, slot.spec);
    options.on_progress = [this, &slot](float done) {
      const std::lock_guard lock(mutex_);
      slot.percent = static_cast<int>(done * 100);
    };
    auto engine = engine::Engine::Load(slot.spec.path, options);
    status = engine.status();
    if (engine.ok()) {
      const std::shared_ptr<engine::Engine> shared = *std::move(engine);
      language_model = std::make_shared<LanguageModel>(slot.spec, shared, options_.on_generation);
      for (const AdapterSpec& adapter : slot.spec.adapters) {
        adapters.push_back(
            std::make_shared<LanguageModel>(slot.spec, shared, options_.on_generation, &adapter));
      }
    }
  } else {
    auto loaded = EngineEmbedder::Load(slot.spec.path);
    status = loaded.status();
    if (loaded.ok()) encoder = *std::move(loaded);
  }
  const std::lock_guard lock(mutex_);
  slot.language_model = std::move(language_model);
  slot.adapters = std::move(adapters);
  slot.encoder = std::move(encoder);
  slot.state = status.ok() ? ModelState::kAvailable : ModelState::kFailed;
  slot.percent = status.ok() ? 100 : slot.percent;
  slot.reason = std::string(status.message());
  slot.loaded_at = status.ok() ? std::time(nullptr) : 0;
  slot.load_seconds = std::chrono::duration<double>(steady_clock::now() - begun).count();
  const std::string activate = std::exchange(slot.activate_when_loaded, {});
  if (!activate.empty() && status.ok()) ActiveOf(slot.spec.kind) = activate;
  changed_.notify_all();
}

absl::Status ModelRegistry::Unload(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  Slot& slot = **found;
  if (slot.spec.name != name) {
    return absl::FailedPreconditionError(fmt::format(
        "model: \"{}\" is an adapter: it is unloaded with \"{}\"", name, slot.spec.name));
  }
  if (slot.pinned) return Busy(slot.spec, "is in use by the shop");
  if (slot.state == ModelState::kLoading) return Busy(slot.spec, "is being loaded");
  if (slot.state == ModelState::kUnloading) return absl::OkStatus();
  if (slot.worker.joinable()) slot.worker.join();
  slot.state = ModelState::kUnloading;
  slot.reason.clear();
  slot.encoder = nullptr;
  slot.adapters.clear();  // the model holds the engine until it is drained
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
    if (one.spec.kind == slot.spec.kind) one.activate_when_loaded.clear();
  }
  if (slot.state == ModelState::kAvailable) {
    ActiveOf(slot.spec.kind) = name;
  } else {
    slot.activate_when_loaded = name;
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
  const std::string_view adapter =
      SplitModelReference(name.empty() ? active_language_model_ : name).adapter;
  if (adapter.empty()) return (*slot)->language_model;
  return (*slot)->adapters[*FindAdapter((*slot)->spec, adapter)];
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

ModelStatus ModelRegistry::StatusOf(const Slot& slot, const AdapterSpec* adapter) const {
  ModelStatus status;
  status.spec = slot.spec;
  const LanguageModel* model = slot.language_model.get();
  if (adapter != nullptr) {
    status.parent = slot.spec.name;
    status.spec.name += ':' + adapter->name;
    status.spec.path = adapter->path;
    if (model != nullptr) model = slot.adapters[*FindAdapter(slot.spec, adapter->name)].get();
  }
  status.state = slot.state;
  status.percent = slot.percent;
  status.reason = slot.reason;
  status.active = ActiveOf(slot.spec.kind) == status.spec.name;
  status.loaded_at = slot.loaded_at;
  status.load_seconds = slot.load_seconds;
  if (model != nullptr) status.info = model->info();
  if (slot.encoder != nullptr) status.dimension = slot.encoder->dimension();
  return status;
}

absl::StatusOr<ModelStatus> ModelRegistry::Status(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto slot = Find(name);
  if (!slot.ok()) return slot.status();
  const auto adapter = FindAdapter((*slot)->spec, SplitModelReference(name).adapter);
  return StatusOf(**slot, adapter ? &(*slot)->spec.adapters[*adapter] : nullptr);
}

std::vector<ModelStatus> ModelRegistry::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<ModelStatus> all;
  for (const auto& [name, slot] : slots_) {
    all.push_back(StatusOf(slot, nullptr));
    for (const AdapterSpec& adapter : slot.spec.adapters) {
      all.push_back(StatusOf(slot, &adapter));
    }
  }
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
    slot.adapters.clear();
    last.push_back(std::move(slot.language_model));
  }
}

}  // namespace emptor::services
