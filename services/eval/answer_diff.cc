// Two files of JSON lines, by the names of the turns.
#include "services/eval/answer_diff.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

/// A line of AnswerReportJson.
struct ReportedTurn {
  bool right = false;
  bool sealed = false;
  std::string question, said;
  std::vector<std::string> checks;
};

std::string TextOf(const catalog::JsonValue& value, const char* name) {
  const auto* member = value.Find(name);
  return member != nullptr && member->is_string() ? std::string(member->as_string())
                                                  : std::string();
}

absl::StatusOr<std::map<std::string, ReportedTurn>> ReadReport(std::string_view jsonl) {
  std::map<std::string, ReportedTurn> turns;
  for (size_t line = 1; !jsonl.empty(); ++line) {
    const size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const auto value = catalog::ParseJson(jsonl.substr(0, end));
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (!value.ok()) return value.status();
    const std::string id = TextOf(*value, "turn");
    const auto* right = value->Find("right");
    if (id.empty() || right == nullptr || !right->is_bool()) {
      return absl::InvalidArgumentError(
          fmt::format("line {}: expected a line that --json wrote", line));
    }
    ReportedTurn& turn = turns[id];
    turn.right = right->as_bool();
    const auto* sealed = value->Find("sealed");
    turn.sealed = sealed != nullptr && sealed->is_bool() && sealed->as_bool();
    turn.question = TextOf(*value, "question");
    turn.said = TextOf(*value, "said");
    const auto* failed = value->Find("failed");
    if (failed == nullptr || !failed->is_array()) continue;
    for (const auto& each : failed->as_array()) {
      if (each.is_string()) turn.checks.emplace_back(each.as_string());
    }
  }
  return turns;
}

std::string Lines(const std::vector<ChangedAnswer>& changed) {
  std::string text;
  for (const ChangedAnswer& each : changed) {
    text += fmt::format("  {}: {}\n", each.turn, fmt::join(each.checks, " "));
  }
  return text;
}

}  // namespace

absl::StatusOr<AnswerDiff> CompareAnswerReports(std::string_view before, std::string_view after) {
  const auto old_turns = ReadReport(before);
  if (!old_turns.ok()) return old_turns.status();
  const auto new_turns = ReadReport(after);
  if (!new_turns.ok()) return new_turns.status();
  AnswerDiff diff;
  for (const auto& [id, turn] : *new_turns) {
    const auto found = old_turns->find(id);
    if (found == old_turns->end()) continue;
    const ReportedTurn& old = found->second;
    ++diff.shared;
    diff.right_before += old.right;
    diff.right_after += turn.right;
    if (turn.sealed || turn.right == old.right) continue;
    auto& changed = turn.right ? diff.became_right : diff.became_wrong;
    changed.push_back(
        {id, turn.question, old.said, turn.said, turn.right ? old.checks : turn.checks});
  }
  return diff;
}

std::string AnswerDiffText(const AnswerDiff& diff) {
  return fmt::format(
      "right {} before, {} after, of {} turns of both\nbecame right\n{}became wrong\n{}",
      diff.right_before, diff.right_after, diff.shared, Lines(diff.became_right),
      Lines(diff.became_wrong));
}

}  // namespace emptor::services
