// Checks of options and sampling parameters.
#include "engine/request_checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxChoices = 128;
constexpr size_t kMaxNameBytes = 256;
constexpr size_t kMaxStops = 16;
constexpr size_t kMaxStopBytes = 256;
constexpr size_t kMaxReferences = 1024;
constexpr size_t kMaxReferenceBytes = 256;

}  // namespace

absl::Status CheckOptions(const EngineOptions& options) {
  const auto check = [](bool holds, const char* field, int64_t found) {
    return holds ? absl::OkStatus()
                 : absl::InvalidArgumentError(
                       fmt::format("engine.{}: out of range: {}", field, found));
  };
  const std::vector<absl::Status> checks = {
      check(options.kv_block_tokens >= 1 && options.kv_block_tokens <= 1024, "kv_block_tokens",
            options.kv_block_tokens),
      check(options.kv_blocks >= 0 && options.kv_blocks <= 1 << 24, "kv_blocks", options.kv_blocks),
      check(options.max_running >= 1 && options.max_running <= 4096, "max_running",
            options.max_running),
      check(options.max_step_tokens >= 1 && options.max_step_tokens <= 1 << 16, "max_step_tokens",
            options.max_step_tokens),
      check(options.max_waiting >= 1, "max_waiting", options.max_waiting),
      check(options.max_waiting_tokens >= 1, "max_waiting_tokens", options.max_waiting_tokens),
      check(options.mixed_prefill_tokens >= 0, "mixed_prefill_tokens",
            options.mixed_prefill_tokens),
      check(options.mixed_step_ms >= 0, "mixed_step_ms", options.mixed_step_ms),
      check(options.long_prefill_tokens >= 0, "long_prefill_tokens", options.long_prefill_tokens),
      check(options.max_overtakes >= 0, "max_overtakes", options.max_overtakes),
      check(options.threads >= 0 && options.threads <= 1024, "threads", options.threads),
      check(options.ranks >= 1 && options.ranks <= 1024, "ranks", options.ranks)};
  for (const absl::Status& status : checks) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckSizes(const GenerationRequest& request, const SchedulerLimits& limits) {
  const auto invalid = [](const char* field, const std::string& expected, auto found) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected {}, found {}", field, expected, found));
  };
  if (request.max_tokens < 1) return invalid("max_tokens", "at least 1", request.max_tokens);
  const int most = std::min(kMaxChoices, SeatLimit(limits));
  if (request.n < 1 || request.n > most) {
    return invalid("n", fmt::format("1 to {}", most), request.n);
  }
  const std::string bytes = fmt::format("at most {} bytes", kMaxNameBytes);
  if (request.tenant.size() > kMaxNameBytes) {
    return invalid("tenant", bytes, request.tenant.size());
  }
  if (request.cache_salt.size() > kMaxNameBytes) {
    return invalid("cache_salt", bytes, request.cache_salt.size());
  }
  return absl::OkStatus();
}

absl::Status CheckSampling(const SamplingParams& sampling) {
  const auto invalid = [](const char* field, const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
  };
  if (!(sampling.temperature >= 0 && sampling.temperature <= 100)) {
    return invalid("temperature", fmt::format("expected 0 to 100, found {}", sampling.temperature));
  }
  if (!(sampling.top_p > 0 && sampling.top_p <= 1)) {
    return invalid("top_p", fmt::format("expected above 0, at most 1, found {}", sampling.top_p));
  }
  if (sampling.top_k < 0) {
    return invalid("top_k", fmt::format("expected at least 0, found {}", sampling.top_k));
  }
  if (sampling.stop.size() > kMaxStops) {
    return invalid("stop", fmt::format("expected at most 16, found {}", sampling.stop.size()));
  }
  for (const std::string& stop : sampling.stop) {
    if (stop.empty() || stop.size() > kMaxStopBytes) {
      return invalid("stop",
                     fmt::format("expected 1 to {} bytes, found {}", kMaxStopBytes, stop.size()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckReferences(const std::vector<std::string>& references) {
  if (references.size() > kMaxReferences) {
    return absl::InvalidArgumentError(fmt::format("references: expected at most {}, found {}",
                                                  kMaxReferences, references.size()));
  }
  for (size_t i = 0; i < references.size(); ++i) {
    const std::string& text = references[i];
    const bool well_formed = text.size() > 2 && text.size() <= kMaxReferenceBytes &&
                             text.find_first_of("[]", 1) == text.size() - 1 && text[0] == '[' &&
                             text.back() == ']';
    if (!well_formed) {
      return absl::InvalidArgumentError(
          fmt::format("references[{}]: expected [...] of at most {} bytes, found {}", i,
                      kMaxReferenceBytes, text.substr(0, kMaxReferenceBytes)));
    }
  }
  return absl::OkStatus();
}

}  // namespace emptor::engine
