// Front door: checks and tokenizes on the caller's thread, computes on the engine's own.
#include "engine/engine.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include "absl/strings/cord.h"
#include "engine/batch_runner.h"
#include "engine/engine_limits.h"
#include "engine/loading/lora_reader.h"
#include "engine/loading/model_loader.h"
#include "engine/model/tensor_parallel.h"
#include "engine/request_checks.h"
#include "engine/speculator_factory.h"
#include "engine/structure/grammar_compiler.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr const char* kRetryPayload = "emptor.engine/retry-after-seconds";
constexpr double kMaxRetrySeconds = 60;
// Parts of loading, where there is a draft model and where there is none.
constexpr float kModelRead = 0.3f, kDraftModelMade = 0.4f;

ModelInfo Describe(const LoadedModel& model, Isa isa) {
  ModelInfo info;
  info.name = model.title;
  info.capabilities = model.capabilities;
  info.architecture = model.config.architecture;
  info.isa = IsaName(isa);
  info.context_length = model.config.context;
  info.vocabulary = model.config.vocabulary;
  info.layers = model.config.layers;
  info.embedding_length = model.config.hidden_size;
  info.bytes = model.source->size();
  std::unordered_map<DType, size_t> bytes;
  for (const std::string_view name : model.source->TensorNames()) {
    const auto tensor = model.source->Find(name);
    if (!tensor.ok() || !*tensor) continue;
    const TensorView& view = (*tensor)->view;
    info.parameters += static_cast<uint64_t>(view.rows) * static_cast<uint64_t>(view.cols);
    bytes[view.type] += view.bytes();
  }
  const auto most = std::max_element(
      bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != bytes.end()) info.file_type = DTypeName(most->first);
  return info;
}

/// The adapters of a model: one that is merged, and those that requests choose.
struct LoadedAdapters {
  std::optional<LoraAdapter> merged;
  std::vector<LoraAdapter> chosen;

  std::vector<const LoraAdapter*> Pointers() const {
    std::vector<const LoraAdapter*> all;
    for (const LoraAdapter& adapter : chosen) all.push_back(&adapter);
    return all;
  }
};

absl::StatusOr<LoadedAdapters> LoadAdapters(const EngineOptions& options,
                                            const LoadedModel& model) {
  LoadedAdapters loaded;
  if (!options.merged_adapter.empty()) {
    auto merged = LoadLora(options.merged_adapter, model.config);
    if (!merged.ok()) return merged.status();
    loaded.merged = *std::move(merged);
  }
  for (const AdapterFile& file : options.adapters) {
    auto adapter = LoadLora(file.path, model.config);
    if (!adapter.ok()) return adapter.status();
    loaded.chosen.push_back(*std::move(adapter));
  }
  return loaded;
}

/// Adds what ModelInfo says of adapters.
absl::Status Describe(const EngineOptions& options, const LoadedModel& model,
                      const LoadedAdapters& adapters, ModelInfo& info) {
  for (size_t i = 0; i < adapters.chosen.size(); ++i) {
    const LoraAdapter& adapter = adapters.chosen[i];
    info.adapters.push_back({options.adapters[i].name, options.adapters[i].path, adapter.max_rank(),
                             adapter.matrices(), static_cast<uint64_t>(adapter.parameters())});
  }
  if (!adapters.merged) return absl::OkStatus();
  absl::StatusOr<ModelWeights> weights = ModelWeights::Read(*model.source, model.config);
  if (!weights.ok()) return weights.status();
  info.merged =
      fmt::format("{}: {}", options.merged_adapter, DescribeMerge(*adapters.merged, *weights));
  return absl::OkStatus();
}

std::unique_ptr<GrammarCompiler> MakeGrammarCompiler(const Vocabulary& vocabulary) {
  std::vector<std::string> bytes;
  for (TokenId id = 0; id < vocabulary.size(); ++id) bytes.push_back(vocabulary.Bytes(id));
  return std::make_unique<GrammarCompiler>(std::move(bytes));
}

/// The grammar of the format; null for any text.
absl::StatusOr<std::shared_ptr<const OutputGrammar>> CompileFormat(const OutputFormat& format,
                                                                   GrammarCompiler& compiler) {
  switch (format.kind) {
    case OutputFormat::Kind::kText:
      return nullptr;
    case OutputFormat::Kind::kJsonObject:
      return compiler.Compile(GrammarCompiler::Kind::kJsonObject, format.definition);
    case OutputFormat::Kind::kJsonSchema:
      return compiler.Compile(GrammarCompiler::Kind::kJsonSchema, format.definition);
    case OutputFormat::Kind::kRegex:
      return compiler.Compile(GrammarCompiler::Kind::kRegex, format.definition);
  }
  return absl::InvalidArgumentError("format: unknown kind");
}

}  // namespace

std::optional<int> RetryAfterSeconds(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryPayload);
  if (!payload) return std::nullopt;
  return std::stoi(std::string(*payload));
}

struct Engine::Impl {
  EngineOptions options;
  SchedulerLimits limits;
  ModelInfo info;
  std::unique_ptr<const Tokenizer> tokenizer;
  std::unique_ptr<GrammarCompiler> grammars;
  ChatTemplate chat_template;
  std::unique_ptr<Model> model;
  std::unique_ptr<Speculator> speculator;  // until the runner has it
  std::unique_ptr<BatchRunner> runner;     // engine thread only
  int blocks = 0;                          // of KV memory
  int max_sequence_tokens = 0;             // what context and KV memory allow

  mutable std::mutex mutex;
  std::condition_variable work_arrived;
  std::condition_variable work_done;
  std::vector<PreparedRequest> inbox;  // guarded by mutex
  int64_t inbox_tokens = 0;            // guarded by mutex; of its prompts
  std::vector<uint64_t> cancels;       // guarded by mutex
  EngineStats published;               // guarded by mutex; as of the latest plan or step
  uint64_t rejected = 0;               // guarded by mutex
  uint64_t next_handle = 1;            // guarded by mutex
  bool busy = false;                   // guarded by mutex; the runner has requests
  bool draining = false;               // guarded by mutex
  bool stopping = false;               // guarded by mutex
  std::thread thread;

  absl::Status Load(const std::string& path);
  absl::Status MakeModel(const LoadedModel& loaded, const LoadedAdapters& adapters);
  void Report(float done) const {
    if (options.on_progress) options.on_progress(done);
  }
  absl::StatusOr<std::vector<TokenId>> BuildPrompt(const GenerationRequest& request) const;
  /// Index of an adapter; -1: none.
  absl::StatusOr<int> FindAdapter(const std::string& name) const;
  absl::StatusOr<PreparedRequest> Prepare(GenerationRequest request, GenerationCallbacks callbacks,
                                          std::chrono::steady_clock::time_point now) const;
  /// Whether this many more prompt tokens may be queued. REQUIRES: mutex is held.
  absl::Status CheckRoom(size_t prompt_tokens);
  absl::Status Refuse(std::string what, int64_t backlog);  // REQUIRES: mutex is held
  bool TakeWork();
  void Publish();
  void Run();
};

absl::StatusOr<std::vector<TokenId>> Engine::Impl::BuildPrompt(
    const GenerationRequest& request) const {
  if (!request.messages.empty()) {
    std::vector<ChatTurn> turns;
    for (const ChatMessage& message : request.messages) {
      turns.push_back({message.role, message.content});
    }
    return chat_template.Encode(*tokenizer, turns);
  }
  if (!request.prompt.empty()) return tokenizer->EncodePrompt(request.prompt);
  for (size_t i = 0; i < request.prompt_tokens.size(); ++i) {
    if (!tokenizer->vocabulary().Contains(request.prompt_tokens[i])) {
      return absl::InvalidArgumentError(fmt::format("prompt_tokens[{}]: expected 0 to {}, found {}",
                                                    i, info.vocabulary - 1,
                                                    request.prompt_tokens[i]));
    }
  }
  return request.prompt_tokens;
}

absl::StatusOr<int> Engine::Impl::FindAdapter(const std::string& name) const {
  if (name.empty()) return -1;
  const auto found = std::find_if(info.adapters.begin(), info.adapters.end(),
                                  [&](const AdapterInfo& each) { return each.name == name; });
  if (found != info.adapters.end()) return static_cast<int>(found - info.adapters.begin());
  return absl::NotFoundError(
      fmt::format("adapter: the model has no adapter \"{}\"", name.substr(0, 128)));
}

absl::StatusOr<PreparedRequest> Engine::Impl::Prepare(
    GenerationRequest request, GenerationCallbacks callbacks,
    std::chrono::steady_clock::time_point now) const {
  const absl::Status sampling = CheckSampling(request.sampling, info.vocabulary);
  if (!sampling.ok()) return sampling;
  if (request.references) {
    const absl::Status references = CheckReferences(*request.references);
    if (!references.ok()) return references;
  }
  const absl::Status sizes = CheckSizes(request, limits);
  if (!sizes.ok()) return sizes;
  const absl::StatusOr<int> adapter = FindAdapter(request.adapter);
  if (!adapter.ok()) return adapter.status();
  absl::StatusOr<std::vector<TokenId>> prompt = BuildPrompt(request);
  if (!prompt.ok()) return prompt.status();
  if (prompt->empty()) return absl::InvalidArgumentError("prompt: empty");
  if (prompt->size() >= static_cast<size_t>(max_sequence_tokens)) {
    return absl::InvalidArgumentError(fmt::format(
        "prompt: expected fewer than {} tokens ({}), found {}", max_sequence_tokens,
        max_sequence_tokens < info.context_length ? "what the KV memory holds: engine.kv_bytes"
                                                  : "the context of the model",
        prompt->size()));
  }
  absl::StatusOr<std::shared_ptr<const OutputGrammar>> grammar =
      CompileFormat(request.format, *grammars);
  if (!grammar.ok()) return grammar.status();
  PreparedRequest prepared;
  prepared.grammar = std::move(*grammar);
  prepared.prompt = std::move(*prompt);
  prepared.adapter = *adapter;
  prepared.max_tokens = request.max_tokens;
  prepared.n = request.n;
  prepared.sampling = std::move(request.sampling);
  prepared.references = std::move(request.references);
  prepared.submitted = now;
  prepared.deadline = request.deadline;
  prepared.priority = request.priority;
  prepared.tenant = std::move(request.tenant);
  prepared.cache_salt = std::move(request.cache_salt);
  prepared.callbacks = std::move(callbacks);
  return prepared;
}

absl::Status Engine::Impl::Refuse(std::string what, int64_t backlog) {
  ++rejected;
  const double rate = published.prefill_tokens_per_second;
  const double seconds = rate > 0 ? std::ceil(static_cast<double>(backlog) / rate) : 1;
  const int retry = static_cast<int>(std::clamp(seconds, 1.0, kMaxRetrySeconds));
  absl::Status status =
      absl::ResourceExhaustedError(fmt::format("engine: {}; try again in {} s", what, retry));
  status.SetPayload(kRetryPayload, absl::Cord(std::to_string(retry)));
  return status;
}

absl::Status Engine::Impl::CheckRoom(size_t prompt_tokens) {
  if (draining) return absl::UnavailableError("engine: draining");
  const int waiting = static_cast<int>(inbox.size()) + published.waiting;
  const int64_t backlog = published.backlog_tokens + inbox_tokens;
  if (waiting >= options.max_waiting) {
    return Refuse(fmt::format("{} requests wait already", waiting), backlog);
  }
  // A prompt longer than the bound is accepted when no other request waits.
  if (backlog > 0 && backlog + static_cast<int64_t>(prompt_tokens) > options.max_waiting_tokens) {
    return Refuse(fmt::format("{} prompt tokens wait already", backlog), backlog);
  }
  return absl::OkStatus();
}

/// Waits for work and passes it to the runner; false when the engine stops.
bool Engine::Impl::TakeWork() {
  std::vector<PreparedRequest> arrived;
  std::vector<uint64_t> cancelled;
  {
    std::unique_lock lock(mutex);
    work_arrived.wait(lock, [&] { return stopping || busy || !inbox.empty() || !cancels.empty(); });
    if (stopping) return false;
    arrived.swap(inbox);
    cancelled.swap(cancels);
    published.waiting += static_cast<int>(arrived.size());
    published.backlog_tokens += std::exchange(inbox_tokens, 0);
    busy = busy || !arrived.empty();
  }
  for (PreparedRequest& request : arrived) runner->Add(std::move(request));
  for (const uint64_t handle : cancelled) runner->Cancel(handle);
  return true;
}

void Engine::Impl::Publish() {
  const EngineStats stats = runner->stats();
  const std::lock_guard lock(mutex);
  published = stats;
  busy = !runner->idle();
  if (!busy && inbox.empty()) work_done.notify_all();
}

void Engine::Impl::Run() {
  while (TakeWork()) {
    runner->Step();
    Publish();
  }
  std::vector<PreparedRequest> left;
  {
    const std::lock_guard lock(mutex);
    left.swap(inbox);
  }
  for (PreparedRequest& request : left) runner->Add(std::move(request));
  runner->CancelAll();
  Publish();
}

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

/// A draft model that cannot be used is refused before the time that the model itself takes, and
/// adapters before the weights of either model are prepared.
absl::Status Engine::Impl::Load(const std::string& path) {
  absl::StatusOr<std::optional<LoadedModel>> draft = ReadDraftModel(options);
  if (!draft.ok()) return draft.status();
  absl::StatusOr<LoadedModel> loaded = LoadModel(path);
  if (!loaded.ok()) return loaded.status();
  Report(kModelRead);
  tokenizer = std::move(loaded->tokenizer);
  chat_template = loaded->chat_template;
  blocks = BlockCount(options, loaded->config);
  const int64_t capacity = int64_t{blocks} * options.kv_block_tokens;
  if (capacity < 2) {
    return absl::InvalidArgumentError("engine.kv_bytes: no room for a block of this model");
  }
  max_sequence_tokens = static_cast<int>(std::min<int64_t>(loaded->config.context, capacity));
  const absl::StatusOr<LoadedAdapters> adapters = LoadAdapters(options, *loaded);
  if (!adapters.ok()) return adapters.status();
  auto made = MakeSpeculator(options, *std::move(draft), tokenizer->vocabulary(), blocks);
  if (!made.ok()) return made.status();
  speculator = *std::move(made);
  if (options.speculation == Speculation::kDraftModel) Report(kDraftModelMade);
  grammars = MakeGrammarCompiler(tokenizer->vocabulary());
  info = Describe(*loaded, DetectIsa());
  return MakeModel(*loaded, *adapters);
}

absl::Status Engine::Impl::MakeModel(const LoadedModel& loaded, const LoadedAdapters& adapters) {
  if (absl::Status status = Describe(options, loaded, adapters, info); !status.ok()) {
    return status;
  }
  absl::StatusOr<std::unique_ptr<Model>> created =
      CreateModel(loaded.source, {.blocks = blocks,
                                  .block_tokens = options.kv_block_tokens,
                                  .max_step_tokens = options.max_step_tokens,
                                  .threads = options.threads,
                                  .ranks = options.ranks,
                                  .pin = options.pin_ranks,
                                  .kv_type = KvTypeOf(options.kv_bits),
                                  .release_file = true,
                                  .merged = adapters.merged ? &*adapters.merged : nullptr,
                                  .adapters = adapters.Pointers()});
  if (!created.ok()) return created.status();
  model = std::move(*created);
  Report(1.0f);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::Load(const std::string& path,
                                                     const EngineOptions& options) {
  const absl::Status checked = CheckOptions(options);
  if (!checked.ok()) return checked;
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  const absl::Status loaded = impl->Load(path);
  if (!loaded.ok()) return loaded;
  impl->limits = LimitsOf(options);
  const KvOptions kv{.blocks = impl->blocks, .prefix_cache = options.prefix_cache};
  impl->runner = std::make_unique<BatchRunner>(
      *impl->model, *impl->tokenizer, impl->limits, kv,
      [] { return std::chrono::steady_clock::now(); }, std::move(impl->speculator));
  impl->published = impl->runner->stats();
  impl->runner->set_after_schedule([raw = impl.get()] { raw->Publish(); });
  impl->thread = std::thread([raw = impl.get()] { raw->Run(); });
  return std::unique_ptr<Engine>(new Engine(std::move(impl)));
}

Engine::~Engine() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->draining = true;
  }
  impl_->work_arrived.notify_all();
  impl_->thread.join();
}

absl::StatusOr<uint64_t> Engine::Submit(GenerationRequest request, GenerationCallbacks callbacks) {
  const auto now = std::chrono::steady_clock::now();
  {
    // Before tokenizing: refusing a request must be cheap when the queue is full.
    const std::lock_guard lock(impl_->mutex);
    const absl::Status full = impl_->CheckRoom(1);
    if (!full.ok()) return full;
  }
  absl::StatusOr<PreparedRequest> prepared =
      impl_->Prepare(std::move(request), std::move(callbacks), now);
  if (!prepared.ok()) return prepared.status();
  uint64_t handle = 0;
  {
    const std::lock_guard lock(impl_->mutex);
    const absl::Status full = impl_->CheckRoom(prepared->prompt.size());
    if (!full.ok()) return full;
    impl_->inbox_tokens += std::ssize(prepared->prompt);
    handle = impl_->next_handle++;
    prepared->handle = handle;
    impl_->inbox.push_back(std::move(*prepared));
  }
  impl_->work_arrived.notify_one();
  return handle;
}

void Engine::Cancel(uint64_t handle) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->cancels.push_back(handle);
  }
  impl_->work_arrived.notify_one();
}

bool Engine::Drain(std::chrono::milliseconds timeout) {
  std::unique_lock lock(impl_->mutex);
  impl_->draining = true;
  return impl_->work_done.wait_for(lock, timeout,
                                   [this] { return !impl_->busy && impl_->inbox.empty(); });
}

absl::StatusOr<std::vector<int32_t>> Engine::Tokenize(std::string_view text) const {
  std::vector<TokenId> tokens;
  impl_->tokenizer->EncodeInto(text, tokens);
  return tokens;
}

std::string Engine::Detokenize(const std::vector<int32_t>& tokens) const {
  return impl_->tokenizer->Decode(tokens);
}

const ModelInfo& Engine::model() const { return impl_->info; }

EngineStats Engine::stats() const {
  const std::lock_guard lock(impl_->mutex);
  EngineStats stats = impl_->published;
  stats.waiting += static_cast<int>(impl_->inbox.size());
  stats.backlog_tokens += impl_->inbox_tokens;
  stats.rejected = impl_->rejected;
  return stats;
}

}  // namespace emptor::engine
