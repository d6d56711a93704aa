// Rows to puts, puts to results.
#include "catalog/faq/faq_import.h"

#include <fmt/format.h>

#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/json.h"
#include "catalog/faq/faq_rules.h"

namespace emptor::catalog {
namespace {

constexpr size_t kRememberedLines = 1u << 20;

absl::Status CheckReferences(const FaqImportOptions& options, const FaqEntry& entry) {
  if (!options.missing) return absl::OkStatus();
  const auto parts = ParseFaqAnswer(entry.answer);
  if (!parts.ok()) return parts.status();
  for (const FaqAnswerPart& part : *parts) {
    if (!part.reference) continue;
    const auto why = options.missing(*part.reference);
    if (!why.ok()) return why.status();
    if (why->empty()) continue;
    return absl::InvalidArgumentError(
        fmt::format("answer: {}: {}", ToString(*part.reference), *why));
  }
  return absl::OkStatus();
}

}  // namespace

std::string ToString(const FaqLineResult& result) {
  if (result.is_refused) return fmt::format("refused: line {}: {}", result.line, result.message);
  std::string text = fmt::format("line {}: {} {}", result.line, ToString(result.action), result.id);
  if (!result.message.empty()) text += fmt::format(" ({})", result.message);
  for (const TextWarning& each : result.warnings) {
    text += fmt::format("\nline {}: warning: {}: {}", result.line, each.field, each.reason);
  }
  return text;
}

std::string ToJson(const FaqLineResult& result) {
  JsonWriter writer;
  writer.BeginObject().Member("line", result.line);
  writer.Member("status", result.is_refused ? "refused" : ToString(result.action));
  if (!result.id.empty()) writer.Member("id", result.id);
  if (!result.message.empty()) writer.Member("message", result.message);
  if (!result.warnings.empty()) {
    writer.Key("warnings").BeginArray();
    for (const TextWarning& each : result.warnings) {
      writer.BeginObject().Member("field", each.field).Member("reason", each.reason).EndObject();
    }
    writer.EndArray();
  }
  return writer.EndObject().Take();
}

absl::StatusOr<FaqPut> PrepareFaqPut(const FaqImportOptions& options, FaqEntry entry,
                                     std::vector<TextWarning>& warnings) {
  auto found = MakeFaqSafe(options.screen, entry);
  if (!found.ok()) return found.status();
  warnings = *std::move(found);
  if (entry.locale.empty()) entry.locale = options.locale;
  const bool is_id_made = entry.id.empty();
  if (is_id_made && !entry.questions.empty()) {
    entry.id = MakeFaqId(entry.questions.front(), entry.locale);
  }
  if (is_id_made && entry.questions.empty()) {
    return absl::InvalidArgumentError("question: expected at least one, found none");
  }
  if (absl::Status status = ValidateFaqEntry(entry); !status.ok()) return status;
  if (absl::Status status = CheckReferences(options, entry); !status.ok()) return status;
  return FaqPut{
      .entry = std::move(entry), .match = {}, .is_id_made = is_id_made, .is_repeated = false};
}

FaqImporter::FaqImporter(FaqImportOptions options,
                         std::function<void(const FaqLineResult&)> on_result)
    : options_(std::move(options)),
      on_result_(std::move(on_result)),
      reader_(options_.format, [this](FaqRow&& row) { return Take(std::move(row)); }) {}

uint64_t FaqImporter::LineOf(const std::string& id) const {
  const auto found = lines_.find(Fnv1a64(id));
  return found == lines_.end() ? 0 : found->second;
}

void FaqImporter::Refuse(FaqLineResult result, const absl::Status& status) {
  result.is_refused = true;
  result.message = std::string(status.message());
  pending_.push_back({std::move(result), false});
}

absl::Status FaqImporter::Take(FaqRow&& row) {
  FaqLineResult result;
  result.line = row.line;
  result.id = row.entry.id;
  if (!row.status.ok()) {
    Refuse(std::move(result), row.status);
  } else {
    auto put = PrepareFaqPut(options_, std::move(row.entry), result.warnings);
    if (!put.ok() && !absl::IsInvalidArgument(put.status())) return put.status();
    const uint64_t earlier = put.ok() ? LineOf(put->entry.id) : 0;
    if (!put.ok()) {
      Refuse(std::move(result), put.status());
    } else {
      put->is_repeated = earlier != 0;
      result.id = put->entry.id;
      if (lines_.size() < kRememberedLines) {
        lines_.emplace(Fnv1a64(result.id), static_cast<uint32_t>(row.line));
      }
      puts_.push_back(*std::move(put));
      pending_.push_back({std::move(result), true});
    }
  }
  return pending_.size() >= options_.batch ? Flush() : absl::OkStatus();
}

absl::Status FaqImporter::Flush() {
  if (pending_.empty()) return absl::OkStatus();
  std::vector<FaqPutResult> results;
  if (!puts_.empty()) {
    auto written = options_.write(std::exchange(puts_, {}));
    if (!written.ok()) return written.status();
    results = *std::move(written);
  }
  size_t next = 0;
  for (Pending& each : std::exchange(pending_, {})) {
    FaqLineResult& result = each.result;
    if (each.is_put) {
      FaqPutResult& put = results[next++];
      result.is_refused = !put.status.ok();
      result.action = put.action;
      result.message = put.status.ok() ? put.note : std::string(put.status.message());
      result.id = put.id;
      const std::string& other = put.other_id.empty() ? put.id : put.other_id;
      const uint64_t line = LineOf(other);
      const bool is_earlier = line != 0 && line < result.line;
      if (is_earlier && !result.message.empty()) {
        result.message += fmt::format(" ({} is line {} of this file)", other, line);
      }
    }
    Count(result);
    on_result_(result);
  }
  return absl::OkStatus();
}

void FaqImporter::Count(const FaqLineResult& result) {
  if (result.is_refused) {
    ++counts_.refused;
  } else if (result.action == FaqAction::kCreated) {
    ++counts_.created;
  } else if (result.action == FaqAction::kUpdated) {
    ++counts_.updated;
  } else {
    ++counts_.unchanged;
  }
}

absl::Status FaqImporter::Push(std::string_view bytes) { return reader_.Push(bytes); }

absl::Status FaqImporter::Finish() {
  absl::Status status = reader_.Finish();
  // What was read before the error is stored and reported.
  const absl::Status flushed = Flush();
  return status.ok() ? flushed : status;
}

}  // namespace emptor::catalog
