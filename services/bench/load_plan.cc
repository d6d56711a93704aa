// Arrivals and lengths.
#include "services/bench/load_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "fmt/format.h"
#include "services/bench/split_mix.h"

namespace emptor::services {
namespace {

int VariedLength(int length, double vary, SplitMix& random) {
  const double factor = 1 + vary * (2 * random.NextUnit() - 1);
  return std::max(1, static_cast<int>(std::lround(length * factor)));
}

PlannedRequest Draw(double at, const LengthOptions& lengths, SplitMix& random) {
  PlannedRequest request{.at_seconds = at};
  request.input_tokens = VariedLength(lengths.input_tokens, lengths.vary, random);
  request.output_tokens = VariedLength(lengths.output_tokens, lengths.vary, random);
  return request;
}

int ScaledLength(int length, double scale, int most) {
  const double scaled = std::min(std::round(length * scale), static_cast<double>(most));
  return std::max(1, static_cast<int>(scaled));
}

}  // namespace

std::vector<PlannedRequest> PlanPoisson(double rate, double seconds, const LengthOptions& lengths,
                                        uint64_t seed) {
  SplitMix random(seed);
  std::vector<PlannedRequest> plan;
  for (double at = 0;;) {
    at -= std::log(1 - random.NextUnit()) / rate;  // 1 - u: never the logarithm of 0
    if (at >= seconds) return plan;
    plan.push_back(Draw(at, lengths, random));
  }
}

std::vector<PlannedRequest> PlanLengths(int count, const LengthOptions& lengths, uint64_t seed) {
  SplitMix random(seed);
  std::vector<PlannedRequest> plan;
  for (int i = 0; i < count; ++i) plan.push_back(Draw(0, lengths, random));
  return plan;
}

std::vector<PlannedRequest> PlanConversation(int count, const LengthOptions& medians,
                                             uint64_t seed) {
  constexpr double kDeviation = 0.9;  // of the logarithm: p99 about eight times the median
  SplitMix random(seed);
  const auto length = [&random](int median) {
    // Box and Muller 1958.
    const double radius = std::sqrt(-2 * std::log(1 - random.NextUnit()));
    const double normal = radius * std::cos(2 * std::numbers::pi * random.NextUnit());
    const double factor = std::min(8.0, std::exp(kDeviation * normal));
    return std::max(1, static_cast<int>(std::lround(median * factor)));
  };
  std::vector<PlannedRequest> plan(static_cast<size_t>(std::max(0, count)));
  for (PlannedRequest& request : plan) {
    request.input_tokens = length(medians.input_tokens);
    request.output_tokens = length(medians.output_tokens);
  }
  return plan;
}

std::vector<PlannedRequest> PlanReplay(const std::vector<PlannedRequest>& trace,
                                       const ReplayOptions& options) {
  std::vector<PlannedRequest> plan;
  for (const PlannedRequest& traced : trace) {
    PlannedRequest request = traced;
    request.at_seconds = traced.at_seconds / options.speed;
    if (options.seconds > 0 && request.at_seconds >= options.seconds) break;
    request.input_tokens =
        ScaledLength(traced.input_tokens, options.length_scale, options.most_input);
    request.output_tokens =
        ScaledLength(traced.output_tokens, options.length_scale, options.most_output);
    plan.push_back(std::move(request));
  }
  return plan;
}

absl::StatusOr<double> ParseSeconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  double factor = unit.empty() || unit == "s" ? 1 : 0;
  if (unit == "ms") factor = 1e-3;
  if (unit == "m") factor = 60;
  if (unit == "h") factor = 3600;
  if (error == std::errc() && factor > 0 && value >= 0 && std::isfinite(value)) {
    return value * factor;
  }
  return absl::InvalidArgumentError(
      fmt::format("expected a time such as 300ms, 1.5s, 15m or 2h, found \"{}\"", text));
}

Slo::Slo()
    : ttft(std::numeric_limits<double>::infinity()),
      tpot(std::numeric_limits<double>::infinity()),
      e2e(std::numeric_limits<double>::infinity()) {}

bool Slo::given() const { return std::isfinite(ttft) || std::isfinite(tpot) || std::isfinite(e2e); }

absl::StatusOr<Slo> ParseSlo(std::string_view text) {
  Slo slo;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    double* limit = nullptr;
    if (name == "ttft") limit = &slo.ttft;
    if (name == "tpot") limit = &slo.tpot;
    if (name == "e2e") limit = &slo.e2e;
    if (limit == nullptr || equals == std::string_view::npos) {
      return absl::InvalidArgumentError(
          fmt::format("slo: expected ttft=, tpot= or e2e=, found \"{}\"", part));
    }
    const auto seconds = ParseSeconds(part.substr(equals + 1));
    if (!seconds.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("slo: {}: {}", name, std::string(seconds.status().message())));
    }
    *limit = *seconds;
  }
  return slo;
}

}  // namespace emptor::services
