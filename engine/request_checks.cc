// Checks of options and sampling parameters.
#include "engine/request_checks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxChoices = 128;
constexpr size_t kMaxNameBytes = 512;
constexpr size_t kMaxStops = 16;
constexpr size_t kMaxStopBytes = 256;
constexpr size_t kMaxReferences = 1024;
constexpr size_t kMaxReferenceBytes = 256;
constexpr size_t kMaxStopTokens = 64;
constexpr size_t kMaxBiases = 4096;

absl::Status Invalid(std::string_view field, const std::string& what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
}

/// NaN is out of every range.
absl::Status CheckRange(std::string_view field, double found, double low, double high) {
  if (found >= low && found <= high) return absl::OkStatus();
  return Invalid(field, fmt::format("expected {} to {}, found {}", low, high, found));
}

absl::Status CheckAbove(std::string_view field, double found, double low, double high) {
  if (found > low && found <= high) return absl::OkStatus();
  return Invalid(field, fmt::format("expected above {}, at most {}, found {}", low, high, found));
}

absl::Status CheckToken(const std::string& field, int32_t found, int vocabulary) {
  if (found >= 0 && found < vocabulary) return absl::OkStatus();
  return Invalid(field, fmt::format("expected a token, 0 to {}, found {}", vocabulary - 1, found));
}

absl::Status CheckBias(const SamplingParams& sampling, int vocabulary) {
  if (sampling.logit_bias.size() > kMaxBiases) {
    return Invalid("logit_bias", fmt::format("expected at most {}, found {}", kMaxBiases,
                                             sampling.logit_bias.size()));
  }
  for (const auto& [token, bias] : sampling.logit_bias) {
    const absl::Status known = CheckToken("logit_bias", token, vocabulary);
    if (!known.ok()) return known;
    const absl::Status range = CheckRange(fmt::format("logit_bias[{}]", token), bias, -100, 100);
    if (!range.ok()) return range;
  }
  return absl::OkStatus();
}

absl::Status CheckStops(const SamplingParams& sampling, int vocabulary) {
  if (sampling.stop.size() > kMaxStops) {
    return Invalid("stop",
                   fmt::format("expected at most {}, found {}", kMaxStops, sampling.stop.size()));
  }
  for (const std::string& stop : sampling.stop) {
    if (stop.empty() || stop.size() > kMaxStopBytes) {
      return Invalid("stop",
                     fmt::format("expected 1 to {} bytes, found {}", kMaxStopBytes, stop.size()));
    }
  }
  if (sampling.stop_tokens.size() > kMaxStopTokens) {
    return Invalid("stop_tokens", fmt::format("expected at most {}, found {}", kMaxStopTokens,
                                              sampling.stop_tokens.size()));
  }
  for (size_t i = 0; i < sampling.stop_tokens.size(); ++i) {
    const absl::Status known =
        CheckToken(fmt::format("stop_tokens[{}]", i), sampling.stop_tokens[i], vocabulary);
    if (!known.ok()) return known;
  }
  return absl::OkStatus();
}

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
      check(options.kv_bits == 8 || options.kv_bits == 16, "kv_bits", options.kv_bits),
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
      check(options.speculation_tokens >= 1 && options.speculation_tokens <= 64,
            "speculation_tokens", options.speculation_tokens),
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
  const int most = std::min(kMaxChoices, MaxSeqs(limits));
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

absl::Status CheckSampling(const SamplingParams& sampling, int vocabulary) {
  const std::vector<absl::Status> checks = {
      CheckRange("temperature", sampling.temperature, 0, 100),
      CheckRange("top_k", sampling.top_k, 0, INT32_MAX),
      CheckAbove("top_p", sampling.top_p, 0, 1),
      CheckRange("min_p", sampling.min_p, 0, 1),
      CheckAbove("repetition_penalty", sampling.repetition_penalty, 0, 100),
      CheckRange("presence_penalty", sampling.presence_penalty, -2, 2),
      CheckRange("frequency_penalty", sampling.frequency_penalty, -2, 2),
      CheckRange("min_tokens", sampling.min_tokens, 0, INT32_MAX),
      CheckRange("logprobs", sampling.logprobs.value_or(0), 0, 20),
      CheckBias(sampling, vocabulary),
      CheckStops(sampling, vocabulary)};
  for (const absl::Status& status : checks) {
    if (!status.ok()) return status;
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
