// One JSON object a line.
#include "services/eval/minimal_pairs.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr uint64_t kSides = 5;

absl::Status LineError(size_t number, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("line {}: {}", number, what));
}

const std::string* FindString(const catalog::JsonValue& line, std::string_view name) {
  const catalog::JsonValue* const found = line.Find(name);
  return found != nullptr && found->is_string() ? &found->as_string() : nullptr;
}

/// The questions of the three sides, and the entries.
struct Pairs {
  std::vector<retrieval::FaqPhrasings> entries;
  std::vector<FaqQuestion> sealed, fit, report;

  std::vector<FaqQuestion>& of(MinimalPairSide side) {
    if (side == MinimalPairSide::kSealed) return sealed;
    return side == MinimalPairSide::kFit ? fit : report;
  }
};

absl::Status AddLine(std::string_view text, size_t number, Pairs& pairs) {
  const auto line = catalog::ParseJson(text);
  if (!line.ok()) return LineError(number, std::string(line.status().message()));
  const std::string *id = FindString(*line, "id"), *kind = FindString(*line, "kind"),
                    *said = FindString(*line, "text"), *why = FindString(*line, "why");
  if (id == nullptr || kind == nullptr || said == nullptr) {
    return LineError(number, "expected the strings id, kind and text");
  }
  if (*kind == "entry") {
    pairs.entries.push_back({*id, "", {*said}});
  } else if (*kind == "paraphrase") {
    pairs.of(SideOfEntry(*id)).push_back({*said, *id, true, "paraphrase"});
  } else if (*kind == "near") {
    pairs.of(SideOfEntry(*id)).push_back({*said, "", false, why == nullptr ? "" : *why});
  } else {
    return LineError(number, "kind: expected entry, paraphrase or near, found " + *kind);
  }
  return absl::OkStatus();
}

}  // namespace

MinimalPairSide SideOfEntry(std::string_view id) {
  const uint64_t side = catalog::Fnv1a64(id) % kSides;
  if (side == 0) return MinimalPairSide::kSealed;
  return side <= 2 ? MinimalPairSide::kFit : MinimalPairSide::kReport;
}

absl::StatusOr<std::vector<FaqTask>> ReadMinimalPairTasks(std::string_view text) {
  Pairs pairs;
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    if (const absl::Status added = AddLine(line, number, pairs); !added.ok()) return added;
  }
  std::set<std::string_view> ids;
  for (const auto& entry : pairs.entries) {
    if (!ids.insert(entry.id).second) {
      return absl::InvalidArgumentError("two entries of id " + entry.id);
    }
  }
  for (const auto* side : {&pairs.sealed, &pairs.fit, &pairs.report}) {
    for (const FaqQuestion& question : *side) {
      if (question.answerable && ids.count(question.entry) == 0) {
        return absl::InvalidArgumentError("a paraphrase of no entry: " + question.entry);
      }
    }
  }
  FaqTask open{.name = "minimal pairs", .fit = {}, .report = {}};
  open.fit = {pairs.entries, std::move(pairs.fit)};
  open.report = {pairs.entries, std::move(pairs.report)};
  FaqTask sealed = open;
  sealed.name = "minimal pairs, sealed";
  sealed.report.questions = std::move(pairs.sealed);
  sealed.is_sealed = true;
  sealed.fit_is_own = false;
  std::vector<FaqTask> tasks;
  tasks.push_back(std::move(open));
  tasks.push_back(std::move(sealed));
  return tasks;
}

}  // namespace emptor::services
