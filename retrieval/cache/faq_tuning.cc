// The decision, and a line-based file: "name number".
#include "retrieval/cache/faq_tuning.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

#include "fmt/format.h"
#include "retrieval/cache/faq_texts.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxCandidates = 3;
constexpr std::string_view kVersionLine = "faq_tuning 2";

constexpr std::array<std::string_view, kFaqFeatureCount> kNames = {"similarity",
                                                                   "margin",
                                                                   "neighbour_share",
                                                                   "mean_similarity",
                                                                   "question_covered",
                                                                   "phrasing_covered",
                                                                   "word_margin",
                                                                   "unknown_to_entry",
                                                                   "unknown_to_all",
                                                                   "spelling_odds",
                                                                   "spelling_posterior",
                                                                   "trigrams",
                                                                   "length_difference",
                                                                   "shortness",
                                                                   "word_odds",
                                                                   "word_posterior",
                                                                   "frame",
                                                                   "extra_words",
                                                                   "missing_words",
                                                                   "frame_with_extra",
                                                                   "contradicted",
                                                                   "learned_score",
                                                                   "learned_margin",
                                                                   "learned_probability",
                                                                   "learned_lead"};

absl::Status LineError(size_t line, std::string_view expected, std::string_view found) {
  return absl::InvalidArgumentError(
      fmt::format("line {}: expected {}, found \"{}\"", line, expected, found));
}

bool ReadNumber(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// "full similarity 1.5", "hit_threshold 0.8", "entry returns-1 0.7".
bool SetValue(std::string_view name, double value, FaqTuning& tuning) {
  if (name == "hit_threshold") {
    tuning.hit_threshold = value;
    return true;
  }
  if (name == "learned_hit_threshold") {
    tuning.learned_hit_threshold = value;
    return true;
  }
  if (name == "unsure_threshold") {
    tuning.unsure_threshold = value;
    return true;
  }
  const size_t blank = name.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view head = name.substr(0, blank), rest = name.substr(blank + 1);
  if (head == "entry") {
    tuning.entry_thresholds[std::string(rest)] = value;
    return !rest.empty();
  }
  if (head != "learned" && head != "full" && head != "lexical") return false;
  FaqModel& model = head == "learned" ? tuning.learned
                    : head == "full"  ? tuning.full
                                      : tuning.lexical;
  if (rest == "bias") {
    model.bias = value;
    return true;
  }
  const auto feature = FindFaqFeature(rest);
  if (feature) model.weights[static_cast<size_t>(*feature)] = value;
  return feature.has_value();
}

void WriteModel(std::string_view name, const FaqModel& model, std::string& out) {
  out += fmt::format("{} bias {:.5g}\n", name, model.bias);
  for (size_t i = 0; i < kFaqFeatureCount; ++i) {
    out += fmt::format("{} {} {:.5g}\n", name, kNames[i], model.weights[i]);
  }
}

FaqAnswer ExactAnswer(const FaqMatches& found) {
  FaqAnswer answer;
  answer.exact = true;
  answer.decision = found.matches.size() == 1 ? FaqDecision::kHit : FaqDecision::kUnsure;
  for (const FaqMatch& match : found.matches) {
    if (answer.candidates.size() == kMaxCandidates) break;
    const double confidence = 1.0 / static_cast<double>(found.matches.size());
    answer.candidates.push_back({match.id, match.phrasing, confidence, 1});
  }
  return answer;
}

}  // namespace

std::string_view ToString(FaqFeature feature) { return kNames[static_cast<size_t>(feature)]; }

std::optional<FaqFeature> FindFaqFeature(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<FaqFeature>(found - kNames.begin());
}

const FaqModel& ModelFor(const FaqTuning& tuning, const FaqMatches& matches) {
  if (matches.is_learned) return tuning.learned;
  return matches.has_vector ? tuning.full : tuning.lexical;
}

double FaqConfidence(const FaqTuning& tuning, const FaqMatches& matches, const FaqMatch& match) {
  const FaqModel& model = ModelFor(tuning, matches);
  double sum = model.bias;
  for (size_t i = 0; i < kFaqFeatureCount; ++i) sum += model.weights[i] * match.features[i];
  return 1 / (1 + std::exp(-sum));
}

double HitThreshold(const FaqTuning& tuning, std::string_view id, bool is_learned) {
  const auto found = tuning.entry_thresholds.find(id);
  if (found != tuning.entry_thresholds.end()) return found->second;
  return is_learned ? tuning.learned_hit_threshold : tuning.hit_threshold;
}

FaqAnswer DecideFaq(const FaqMatches& found, const FaqTuning& tuning) {
  if (found.exact) return ExactAnswer(found);
  FaqAnswer answer;
  std::vector<std::pair<double, const FaqMatch*>> ranked;
  ranked.reserve(found.matches.size());
  for (const FaqMatch& match : found.matches) {
    const double confidence = FaqConfidence(tuning, found, match);
    if (confidence >= tuning.unsure_threshold) ranked.emplace_back(confidence, &match);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (ranked.empty()) return answer;
  const auto& [confidence, best] = ranked.front();
  const bool is_hit =
      best->contradiction.empty() && confidence >= HitThreshold(tuning, best->id, found.is_learned);
  answer.decision = is_hit ? FaqDecision::kHit : FaqDecision::kUnsure;
  for (const auto& [probability, match] : ranked) {
    if (answer.candidates.size() == kMaxCandidates) break;
    answer.candidates.push_back({match->id, match->phrasing, probability, match->similarity});
  }
  return answer;
}

absl::StatusOr<FaqTuning> ParseFaqTuning(std::string_view text) {
  FaqTuning tuning;
  bool has_version = false;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (!has_version) {
      if (line != kVersionLine) return LineError(number, kVersionLine, line);
      has_version = true;
      continue;
    }
    const size_t blank = line.rfind(' ');
    double value = 0;
    if (blank == std::string_view::npos || !ReadNumber(line.substr(blank + 1), value) ||
        !SetValue(line.substr(0, blank), value, tuning)) {
      return LineError(number, "a known name and a number", line);
    }
  }
  if (!has_version) return LineError(1, kVersionLine, "");
  return tuning;
}

std::string WriteFaqTuning(const FaqTuning& tuning) {
  std::string text(kVersionLine);
  text += '\n';
  text += fmt::format("hit_threshold {:.4f}\n", tuning.hit_threshold);
  text += fmt::format("learned_hit_threshold {:.4f}\n", tuning.learned_hit_threshold);
  text += fmt::format("unsure_threshold {:.4f}\n", tuning.unsure_threshold);
  WriteModel("learned", tuning.learned, text);
  WriteModel("full", tuning.full, text);
  WriteModel("lexical", tuning.lexical, text);
  for (const auto& [id, threshold] : tuning.entry_thresholds) {
    text += fmt::format("entry {} {:.4f}\n", id, threshold);
  }
  return text;
}

const FaqTuning& DefaultFaqTuning() {
  static const FaqTuning tuning = [] {
    auto parsed = ParseFaqTuning(kDefaultFaqTuning);
    assert(parsed.ok());  // a test parses it
    return parsed.ok() ? *std::move(parsed) : FaqTuning();
  }();
  return tuning;
}

}  // namespace emptor::retrieval
