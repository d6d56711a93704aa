// Port: a language model that turns messages into a stream of text.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/model/model_capabilities.h"

namespace emptor::services {

struct GeneratorMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

/// Interactive work is admitted before batch work.
enum class GeneratorPriority { kInteractive, kBatch };

struct GeneratorRequest {
  std::string id;
  std::vector<GeneratorMessage> messages;
  int max_tokens = 256;
  float temperature = 0;
  uint64_t seed = 0;
  /// When set, the only references that may be written ("[2]", "[2:price]"); a generator that
  /// cannot restrict its model ignores this; the hydrator checks in any case.
  std::optional<std::vector<std::string>> references;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  GeneratorPriority priority = GeneratorPriority::kInteractive;
  std::string tenant;      // tenants of one priority share the engine evenly; at most 512 bytes
  std::string cache_salt;  // prompts share cached keys and values under one salt only; as above
};

struct GeneratorUsage {
  int prompt_tokens = 0;
  int completion_tokens = 0;
  double queue_seconds = 0;
  double ttft_seconds = 0;
  double total_seconds = 0;
};

/// Text pieces in order (whole UTF-8 characters), then exactly one end, on the generator's thread.
/// The callbacks must not block. finish_reason: "stop", "length", "cancelled",
/// "error".
struct GeneratorCallbacks {
  std::function<void(std::string_view text)> on_text;
  std::function<void(std::string_view finish_reason, const GeneratorUsage& usage,
                     const absl::Status& status)>
      on_end;
};

/// A running generation. Destroying the handle does not cancel it.
class Generation {
 public:
  virtual ~Generation() = default;
  /// Ends it soon; on_end is still called. Idempotent, any thread.
  virtual void Cancel() = 0;
};

/// How a prompt tells a model to write references instead of facts.
enum class PromptStyle {
  kReferences,    // not at all: it was trained on them
  kInstructions,  // by a text
  kExamples,      // by the text and a few answers
};

/// Thread-safety: any thread.
class TextGenerator {
 public:
  virtual ~TextGenerator() = default;
  virtual std::string model_name() const = 0;
  /// Like model_name, may change from one request to the next.
  virtual engine::ModelCapabilities capabilities() const = 0;
  virtual PromptStyle prompt_style() const {
    return capabilities().references ? PromptStyle::kReferences : PromptStyle::kExamples;
  }
  /// Errors: kInvalidArgument, kResourceExhausted (queue full), kUnavailable. After an error no
  /// callback is called.
  virtual absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                               GeneratorCallbacks callbacks) = 0;
};

}  // namespace emptor::services
