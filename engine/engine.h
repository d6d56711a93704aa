// The front door of the LLM engine: prompts in, tokens out, batched continuously.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/model/model_capabilities.h"

namespace emptor::engine {

struct SamplingParams {
  float temperature = 0;  // 0: greedy
  int top_k = 0;          // 0: off
  float top_p = 1;        // 1: off
  float min_p = 0;        // 0: off; keeps tokens of at least min_p times the largest probability
  float repetition_penalty = 1;                       // 1: off; over prompt and answer
  float presence_penalty = 0;                         // over the answer
  float frequency_penalty = 0;                        // over the answer, times the count
  std::vector<std::pair<int32_t, float>> logit_bias;  // token, added to its logit
  uint64_t seed = 0;                 // same seed, same tokens, whatever else is in the batch
  int min_tokens = 0;                // the answer does not end before this many
  bool ignore_end = false;           // the model's end of text does not end the answer
  std::vector<std::string> stop;     // ends before the first of these; at most 16, none empty
  std::vector<int32_t> stop_tokens;  // ends before one of these
  /// Each token has its log-probability under the raw distribution, and those of this many most
  /// likely tokens (0 to 20). Unset: neither is computed.
  std::optional<int> logprobs;
};

/// What the text of the answer must match. It is compiled on the thread that submits, within bounds
/// of size and time; what does not compile is refused.
struct OutputFormat {
  enum class Kind { kText, kJsonObject, kJsonSchema, kRegex };
  Kind kind = Kind::kText;
  std::string definition;  // the JSON schema or the regular expression
};

/// One turn of a chat. Content is plain text: special tokens in it are never parsed.
struct ChatMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

/// Interactive work is admitted before batch work, and preempts it.
enum class Priority { kInteractive, kBatch };

struct GenerationRequest {
  std::string id;                      // for logs
  std::string adapter;                 // of EngineOptions::adapters; empty: the model alone
  std::vector<ChatMessage> messages;   // laid out by the model's chat template; or
  std::string prompt;                  // raw text, when messages is empty; or
  std::vector<int32_t> prompt_tokens;  // tokens as they are, when both are empty
  int max_tokens = 256;
  int n = 1;  // answers to the same prompt, whose keys and values they share
  SamplingParams sampling;
  OutputFormat format;
  /// When set, whatever follows a `[` in the answer is one of these, to its `]`: "[2]",
  /// "[2:attr.capacity]". At most 1024, none over 256 bytes.
  std::optional<std::vector<std::string>> references;
  /// Work that has not started by then never starts; running work ends there.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  Priority priority = Priority::kInteractive;
  std::string tenant;      // among those of one priority, tenants share the engine evenly
  std::string cache_salt;  // prompts share cached keys and values only under the same salt
};

enum class FinishReason { kStop, kLength, kCancelled, kDeadline, kError };

struct Usage {
  int prompt_tokens = 0;
  int cached_tokens = 0;
  int completion_tokens = 0;
  double queue_seconds = 0;
  double ttft_seconds = 0;  // from Submit to the first token
  double total_seconds = 0;
};

struct TokenLogprob {
  int32_t id = 0;
  std::string bytes;
  float logprob = 0;
};

/// A token of an answer.
struct SampledToken {
  int32_t id = 0;
  std::string bytes = {};              // may be a part of a UTF-8 character
  float logprob = 0;                   // with SamplingParams::logprobs
  std::vector<TokenLogprob> top = {};  // likeliest first
};

/// A piece of an answer: whole UTF-8 characters, stop strings held back; the tokens travel with the
/// piece that completes their text.
struct TextPiece {
  int choice = 0;  // 0 to n - 1
  std::string_view text = {};
  std::span<const SampledToken> tokens = {};
};

/// The end of one answer. Exactly one for each choice, whatever happens.
struct GenerationEnd {
  int choice = 0;
  FinishReason reason = FinishReason::kStop;
  Usage usage = {};  // of this choice
  absl::Status status = {};
};

/// Called on the engine thread: must not block and must not call Submit.
struct GenerationCallbacks {
  std::function<void(const TextPiece& piece)> on_text;
  std::function<void(const GenerationEnd& end)> on_end;
};

/// A LoRA adapter over the model (docs/models.md).
struct AdapterFile {
  std::string name;  // by which requests choose it
  std::string path;
};

/// Where the draft tokens of speculative decoding come from: tokens that a step computes ahead and
/// keeps as far as the model would have chosen them. They change no answer, only its speed.
enum class Speculation {
  kNone,
  kPromptLookup,  // what followed the same tokens earlier in prompt or answer
  kDraftModel,    // a smaller model of the same vocabulary
};

struct EngineOptions {
  int kv_block_tokens = 16;
  int kv_blocks = 0;  // 0: from kv_bytes
  size_t kv_bytes = 256u << 20;
  int kv_bits = 16;           // of a key's or value's element; 8: int8 with one scale for each head
  int max_running = 64;       // sequences in one step
  int max_step_tokens = 512;  // token budget of a step: decodes come first, then prefill chunks
  int max_waiting = 256;      // beyond it Submit answers kResourceExhausted;
  int max_waiting_tokens = 1 << 18;  // the same for the tokens of waiting prompts
  bool prefix_cache = true;          // prompts share the keys and values of their beginnings
  /// Maximum prompt tokens of a step that also decodes; bounds the time between the tokens of an
  /// answer. 0: max_step_tokens.
  int mixed_prefill_tokens = 0;
  /// Maximum time of these prompt tokens at the measured speed; 32 tokens are always allowed. 0: no
  /// bound.
  int mixed_step_ms = 200;
  /// Tokens of a step that longer prompts share while shorter ones need the rest. 0: half of it.
  int long_prefill_tokens = 0;
  int max_overtakes = 8;    // smaller requests that may pass one for which there is no room yet
  bool reserve_kv = false;  // admits only what can run to its end without being preempted
  /// Refuses waiting work as soon as its deadline is infeasible: at the measured speed its first
  /// token would be late.
  bool refuse_infeasible = true;
  Speculation speculation = Speculation::kNone;
  int speculation_tokens = 8;       // draft tokens of a sequence in a step at most, 1 to 64
  std::string draft_model = {};     // path of the smaller model
  bool speculation_always = false;  // drafts whether they pay or not, to test that nothing changes
  int threads = 0;                  // 0: one per core
  int ranks = 1;                    // tensor parallel; they share the threads
  bool pin_ranks = false;           // each rank keeps to its own processors
  std::string merged_adapter = {};  // path of one that is added to the weights
  std::vector<AdapterFile> adapters = {};            // of which each request has one or none
  std::function<void(float done)> on_progress = {};  // of loading, 0 to 1, on the thread that loads
};

struct EngineStats {
  int running = 0, waiting = 0;                 // sequences; preempted ones wait
  int kv_blocks_total = 0, kv_blocks_free = 0;  // cached blocks without a reference are free
  int64_t backlog_tokens = 0;                   // of prompts, still to be computed
  double prefill_tokens_per_second = 0;         // of the best recent step; 0: none was measured
  uint64_t steps = 0, prompt_tokens = 0, generated_tokens = 0, preemptions = 0;
  uint64_t finished = 0, cancelled = 0, rejected = 0;  // requests
  uint64_t prefix_queries = 0, prefix_hits = 0;  // prompt tokens: looked up in the cache, found
  /// Drafts that steps verified, one for each sequence and step; their tokens; those of them that
  /// were kept.
  uint64_t verified_drafts = 0, draft_tokens = 0, accepted_draft_tokens = 0;
  uint64_t step_tokens = 0;                     // computed by all steps
  double step_seconds = 0;                      // that they took
  std::array<uint64_t, 17> steps_by_size = {};  // [i]: steps of 2^(i-1) + 1 to 2^i tokens
  /// Sums over all steps: the token slots of the blocks in use, and those of them that held nothing
  /// after the step (internal fragmentation).
  uint64_t kv_slots = 0, kv_fragmented_slots = 0;

  /// Share of the KV memory in use that held nothing; 0 before the first step.
  double KvFragmentation() const {
    return kv_slots > 0 ? static_cast<double>(kv_fragmented_slots) / static_cast<double>(kv_slots)
                        : 0;
  }
};

struct AdapterInfo {
  std::string name, path;
  int rank = 0;      // the largest
  int matrices = 0;  // that it changes
  uint64_t parameters = 0;
};

struct ModelInfo {
  std::string name, architecture, file_type, isa;
  int context_length = 0, vocabulary = 0, layers = 0, embedding_length = 0;
  uint64_t parameters = 0, bytes = 0;
  ModelCapabilities capabilities;
  /// What became of the merged adapter: "phrasing: 210 matrices of Q4_1, stored as Q8_0".
  std::string merged;
  std::vector<AdapterInfo> adapters;
};

/// After how many seconds a retry may succeed, estimated from the waiting prompts and the measured
/// speed. Nothing for errors that a retry does not cure.
std::optional<int> RetryAfterSeconds(const absl::Status& status);

/// Thread-safety: every method from any thread. One engine thread owns model, KV and sequences.
class Engine {
 public:
  /// Loads a GGUF file or a directory of Hugging Face's layout (see model_loader.h) and starts the
  /// engine thread. Errors: kNotFound, kDataLoss or kInvalidArgument (damaged or hostile file, or
  /// an adapter of another model; names the field), kUnimplemented (architecture).
  static absl::StatusOr<std::unique_ptr<Engine>> Load(const std::string& path,
                                                      const EngineOptions& options);
  ~Engine();  // cancels what runs; every on_end is called before it returns
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Queues the request; it joins the running batch at the next step. Gives the handle for Cancel,
  /// which ends all its answers.
  /// Errors: kInvalidArgument (empty or over-long prompt, bad sampling), kNotFound (adapter),
  /// kResourceExhausted (queue full; see RetryAfterSeconds), kUnavailable (draining). After an
  /// error no callback comes.
  absl::StatusOr<uint64_t> Submit(GenerationRequest request, GenerationCallbacks callbacks);

  /// Ends the request within one step and frees its blocks. Idempotent; unknown handles are
  /// ignored.
  void Cancel(uint64_t handle);

  /// Refuses new work and waits until the running work ends or the time is up. True when it ended.
  bool Drain(std::chrono::milliseconds timeout);

  absl::StatusOr<std::vector<int32_t>> Tokenize(std::string_view text) const;
  std::string Detokenize(const std::vector<int32_t>& tokens) const;

  const ModelInfo& model() const;
  EngineStats stats() const;

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::engine
