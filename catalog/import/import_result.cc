// Results as lines of JSON, and their sums.
#include "catalog/import/import_result.h"

#include <array>

#include "catalog/encoding/json.h"

namespace emptor::catalog {

std::string_view ToString(LineStatus status) {
  constexpr std::array<std::string_view, 6> kNames = {"created", "updated", "unchanged",
                                                      "deleted", "error",   "duplicate"};
  return kNames.at(static_cast<size_t>(status));
}

std::string ToJson(const LineResult& result) {
  JsonWriter writer;
  writer.BeginObject().Member("line", result.line);
  if (!result.id.empty()) writer.Member("id", result.id);
  writer.Member("status", ToString(result.status));
  if (!result.message.empty()) writer.Member("message", result.message);
  if (!result.duplicate_of.empty()) writer.Member("duplicate_of", result.duplicate_of);
  if (result.status != LineStatus::kError && !result.problems.empty()) {
    writer.Key("warnings").BeginArray();
    for (const FeedProblem& problem : result.problems) {
      writer.BeginObject().Member("field", problem.field).Member("reason", problem.reason);
      writer.EndObject();
    }
    writer.EndArray();
  }
  return writer.EndObject().Take();
}

void CountResult(const LineResult& result, ImportReport& report) {
  ++report.lines;
  report.created += result.status == LineStatus::kCreated;
  report.updated += result.status == LineStatus::kUpdated;
  report.unchanged += result.status == LineStatus::kUnchanged;
  report.deleted += result.status == LineStatus::kDeleted;
  report.errors += result.status == LineStatus::kError;
  report.duplicates += !result.duplicate_of.empty();
  report.warnings += result.status != LineStatus::kError && !result.problems.empty();
}

void AddReport(const ImportReport& part, ImportReport& total) {
  total.lines += part.lines;
  total.created += part.created;
  total.updated += part.updated;
  total.unchanged += part.unchanged;
  total.deleted += part.deleted;
  total.errors += part.errors;
  total.warnings += part.warnings;
  total.removed += part.removed;
  total.duplicates += part.duplicates;
  total.embeddings_skipped += part.embeddings_skipped;
  total.bytes += part.bytes;
}

}  // namespace emptor::catalog
