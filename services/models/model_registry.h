// The models of a process: loading, unloading, and the active model of each kind.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "services/embedding/engine_embedder.h"
#include "services/models/language_model.h"
#include "services/models/model_spec.h"

namespace emptor::services {

enum class ModelState { kUnloaded, kLoading, kAvailable, kUnloading, kFailed };
std::string_view ToString(ModelState state);  // "unloaded", "loading", ...
std::string_view ToString(ModelKind kind);    // "llm", "encoder"

/// A snapshot of a model's state.
struct ModelStatus {
  ModelSpec spec;      // of an adapter: "model:adapter" and the adapter's path
  std::string parent;  // of an adapter: its model
  ModelState state = ModelState::kUnloaded;
  int percent = 0;        // of loading
  std::string reason;     // why it failed
  bool active = false;    // answers requests that name no model of its kind
  int64_t loaded_at = 0;  // Unix seconds; 0: not loaded
  double load_seconds = 0;
  engine::ModelInfo info;  // of a loaded language model
  int dimension = 0;       // of a loaded encoder
};

struct ModelRegistryOptions {
  engine::EngineOptions engine = {};
  std::chrono::milliseconds drain{10000};  // what unloading gives running requests
  GenerationObserver on_generation = {};   // may be empty
};

/// Loads and unloads on its own threads. Names are those of models, or "model:adapter": an adapter
/// is loaded and unloaded with its model, and can be active in its place. Look-ups return shared
/// pointers: a generation runs to its end on the model that it was submitted to, whichever model is
/// activated meanwhile. Thread-safety: any thread. The destructor stops.
class ModelRegistry {
 public:
  explicit ModelRegistry(ModelRegistryOptions options);
  ~ModelRegistry();
  ModelRegistry(const ModelRegistry&) = delete;
  ModelRegistry& operator=(const ModelRegistry&) = delete;

  /// Makes a model known, unloaded. The first of a kind becomes the active one. Errors:
  /// kInvalidArgument (name), kAlreadyExists.
  absl::Status Add(ModelSpec spec);
  /// Adds a loaded encoder that is never unloaded: the shop's embedder.
  absl::Status AddPinned(ModelSpec spec, std::shared_ptr<const EngineEmbedder> encoder);

  /// Starts loading; does nothing when the model is available or loading. Errors: kNotFound,
  /// kFailedPrecondition (unloading), kUnavailable (draining).
  absl::Status Load(std::string_view name);
  /// Refuses new requests, waits up to `drain` for running ones, cancels the rest and frees the
  /// model's memory. Errors: kNotFound, kFailedPrecondition (loading, in use by the shop, or the
  /// name is that of an adapter).
  absl::Status Unload(std::string_view name);
  /// From now on requests that name no model go to this one; a model that is not loaded is loaded
  /// first, and the switch happens when it is available. Errors: as Load.
  absl::Status Activate(std::string_view name);
  /// Waits until the model neither loads nor unloads. OK when it is available; else why not.
  absl::Status WaitFor(std::string_view name);

  /// The model of that name; empty: the active one. Errors: kNotFound, kUnavailable (not loaded),
  /// kInvalidArgument (of the other kind). Messages begin with "model: ".
  absl::StatusOr<std::shared_ptr<LanguageModel>> FindLanguageModel(std::string_view name) const;
  absl::StatusOr<std::shared_ptr<const EngineEmbedder>> FindEncoder(std::string_view name) const;

  /// The name of the active model of a kind; empty: there is none.
  std::string ActiveName(ModelKind kind) const;
  absl::StatusOr<ModelStatus> Status(std::string_view name) const;
  std::vector<ModelStatus> List() const;  // in order of name, each model before its adapters
  /// One for each engine: those of adapters are not among them.
  std::vector<std::shared_ptr<LanguageModel>> LanguageModels() const;

  /// Refuses new generations (kUnavailable) and waits for the running ones. True when all ended in
  /// time.
  bool Drain(std::chrono::milliseconds timeout);

  /// Waits for loads, cancels what runs and frees the language models; from then on none is found
  /// (kUnavailable). For owners whose worker threads take the ends of generations and look models
  /// up as well: stop, join the workers, destroy. Idempotent.
  void Stop();

 private:
  struct Slot {
    ModelSpec spec;
    ModelState state = ModelState::kUnloaded;
    int percent = 0;
    std::string reason;
    bool pinned = false;
    std::string activate_when_loaded;  // the model or one of its adapters; empty: neither
    int64_t loaded_at = 0;
    double load_seconds = 0;
    std::shared_ptr<LanguageModel> language_model;
    std::vector<std::shared_ptr<LanguageModel>> adapters;  // as spec.adapters, on the same engine
    std::shared_ptr<const EngineEmbedder> encoder;
    std::thread worker;  // of the last load or unload; done unless kLoading or kUnloading
  };

  absl::Status Insert(Slot slot);
  /// The slot of a model, or that of an adapter's model.
  absl::StatusOr<Slot*> Find(std::string_view name);               // REQUIRES: mutex_ held
  absl::StatusOr<const Slot*> Find(std::string_view name) const;   // REQUIRES: mutex_ held
  absl::StatusOr<const Slot*> FindOrActive(std::string_view name,  // REQUIRES: mutex_ held
                                           ModelKind kind) const;
  absl::Status StartLoading(Slot& slot);  // REQUIRES: mutex_ held
  void LoadInto(Slot& slot);
  void UnloadFrom(Slot& slot, std::shared_ptr<LanguageModel> language_model);
  ModelStatus StatusOf(const Slot& slot,
                       const AdapterSpec* adapter) const;  // REQUIRES: mutex_ held
  std::string& ActiveOf(ModelKind kind);                   // REQUIRES: mutex_ held
  const std::string& ActiveOf(ModelKind kind) const;       // REQUIRES: mutex_ held

  const ModelRegistryOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Slot, std::less<>> slots_;  // guarded by mutex_; none is ever removed
  std::string active_language_model_;               // guarded by mutex_
  std::string active_encoder_;                      // guarded by mutex_
  bool draining_ = false;                           // guarded by mutex_
};

}  // namespace emptor::services
