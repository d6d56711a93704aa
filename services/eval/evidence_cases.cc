// Parser and measures.
#include "services/eval/evidence_cases.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using Kind = Evidence::Kind;

constexpr int64_t kMaxLabel = 100;

absl::Status Mistake(size_t line, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", line, what));
}

std::string TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* const found = object.Find(name);
  return found != nullptr && found->is_string() ? found->as_string() : "";
}

/// A whole number, or a string of one.
std::optional<int> LabelOf(const JsonValue& object) {
  const JsonValue* const found = object.Find("label");
  if (found == nullptr) return std::nullopt;
  if (!found->is_string()) {
    const bool is_label = found->is_int() && found->as_int() >= 0 && found->as_int() <= kMaxLabel;
    return is_label ? std::optional(static_cast<int>(found->as_int())) : std::nullopt;
  }
  const std::string& text = found->as_string();
  int label = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), label);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole && label >= 0 && label <= kMaxLabel ? std::optional(label) : std::nullopt;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// "item_weight:  { unit:pounds, value:1.17 }".
Evidence AttributeFrom(const std::string& candidate) {
  Evidence attribute{.kind = Kind::kAttribute};
  const size_t colon = candidate.find(':');
  attribute.name = candidate.substr(0, colon);
  attribute.text = colon == std::string::npos ? "" : candidate.substr(colon + 1);
  for (const std::string_view mark : {"value:", "unit:", "{", "}", "\"", "[", "]", "_"}) {
    ReplaceAll(attribute.text, mark, " ");
  }
  ReplaceAll(attribute.name, "_", " ");
  return attribute;
}

Evidence EvidenceFrom(const std::string& source, const std::string& candidate) {
  if (source == "attribute") return AttributeFrom(candidate);
  if (source == "cqa") {
    static constexpr std::string_view kQuestion = "Question:";
    const size_t at = candidate.find(kQuestion);
    if (at == std::string::npos) return {.kind = Kind::kAnswer, .text = candidate};
    return {.kind = Kind::kAnswer,
            .text = candidate.substr(0, at),
            .question = candidate.substr(at + kQuestion.size())};
  }
  return {.kind = source == "review" ? Kind::kReview : Kind::kDescription, .text = candidate};
}

}  // namespace

absl::StatusOr<std::vector<EvidenceCase>> ParseEvidenceCases(std::string_view text) {
  std::vector<EvidenceCase> cases;
  std::unordered_map<std::string, size_t> case_of;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto object = catalog::ParseJson(line);
    if (!object.ok()) return Mistake(number, std::string(object.status().message()));
    if (!object->is_object()) return Mistake(number, "expected an object");
    const std::string id = TextOf(*object, "qid"), question = TextOf(*object, "question"),
                      candidate = TextOf(*object, "candidate");
    if (id.empty()) return Mistake(number, "qid: expected a string");
    if (question.empty()) return Mistake(number, "question: expected a string");
    const std::optional<int> label = LabelOf(*object);
    if (!label) return Mistake(number, "label: expected a whole number from 0");
    const auto [found, is_new] = case_of.emplace(id, cases.size());
    if (is_new) {
      cases.push_back({id, TextOf(*object, "ASIN"), TextOf(*object, "title"), question, {}});
    }
    cases[found->second].candidates.push_back(
        {EvidenceFrom(TextOf(*object, "source"), candidate), candidate, *label});
  }
  if (cases.empty()) return absl::InvalidArgumentError("no case");
  return cases;
}

EvidenceQuality MeasureEvidence(const std::vector<EvidenceCase>& cases, int relevant_from,
                                const EvidenceScorer& scorer) {
  EvidenceQuality quality;
  for (const EvidenceCase& each : cases) {
    const auto is_relevant = [&](size_t at) { return each.candidates[at].label >= relevant_from; };
    std::vector<size_t> order(each.candidates.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (std::none_of(order.begin(), order.end(), is_relevant)) continue;
    const std::vector<float> scores = scorer(each);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    const auto end_of_best = std::find_if(
        order.begin(), order.end(), [&](size_t at) { return scores[at] < scores[order.front()]; });
    const auto best = static_cast<double>(end_of_best - order.begin());
    ++quality.cases;
    quality.right_first +=
        static_cast<double>(std::count_if(order.begin(), end_of_best, is_relevant)) / best;
    const auto first = std::find_if(order.begin(), order.end(), is_relevant);
    quality.reciprocal_rank += 1.0 / static_cast<double>(first - order.begin() + 1);
  }
  if (quality.cases == 0) return quality;
  quality.right_first /= static_cast<double>(quality.cases);
  quality.reciprocal_rank /= static_cast<double>(quality.cases);
  return quality;
}

std::string EvidenceFeatureLines(const std::vector<EvidenceCase>& cases,
                                 const TermWeights& weights) {
  std::string lines;
  for (const EvidenceCase& each : cases) {
    for (const JudgedEvidence& judged : each.candidates) {
      const EvidenceFeatures features =
          FeaturesOf(each.question, each.title, judged.evidence, weights);
      lines += fmt::format("{}\t{}\t{}\t{}\n", each.id, each.product, judged.label,
                           fmt::join(features, "\t"));
    }
  }
  return lines;
}

}  // namespace emptor::services
