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

/// Equal for entries that differ at most in how their questions are written.
uint64_t ContentOf(FaqEntry entry) {
  for (std::string& question : entry.questions) question = FoldQuestion(question);
  return Fnv1a64(FaqDigest(entry));
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
  return FaqPut{.entry = std::move(entry), .match = {}, .is_id_made = is_id_made};
}

FaqImporter::FaqImporter(FaqImportOptions options,
                         std::function<void(const FaqLineResult&)> on_result)
    : options_(std::move(options)),
      on_result_(std::move(on_result)),
      reader_(options_.format, [this](FaqRow&& row) { return Take(std::move(row)); }) {}

const FaqImporter::Seen* FaqImporter::FindSeen(const std::string& id) const {
  const auto found = seen_.find(Fnv1a64(id));
  return found == seen_.end() ? nullptr : &found->second;
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
  auto put = row.status.ok() ? PrepareFaqPut(options_, std::move(row.entry), result.warnings)
                             : absl::StatusOr<FaqPut>(row.status);
  if (!put.ok() && !absl::IsInvalidArgument(put.status())) return put.status();
  if (!put.ok()) {
    Refuse(std::move(result), put.status());
  } else {
    result.id = put->entry.id;
    const uint64_t content = ContentOf(put->entry);
    const Seen* const seen = FindSeen(result.id);
    if (seen == nullptr) {
      if (seen_.size() < kRememberedLines) seen_[Fnv1a64(result.id)] = {row.line, content};
      puts_.push_back(*std::move(put));
      pending_.push_back({std::move(result), true});
    } else if (seen->content == content) {
      result.message = fmt::format("the same as line {}", seen->line);
      pending_.push_back({std::move(result), false});
    } else {
      Refuse(
          std::move(result),
          absl::InvalidArgumentError(fmt::format(
              "{:?} is entry {}, which line {} of this file gives otherwise: keep one of the two",
              put->entry.questions.front(), put->entry.id, seen->line)));
    }
  }
  return pending_.size() >= options_.batch ? Flush() : absl::OkStatus();
}

absl::Status FaqImporter::Flush() {
  if (pending_.empty()) return absl::OkStatus();
  std::vector<FaqPutResult> results;
  std::vector<std::string> puts_sent;  // ids
  for (const FaqPut& put : puts_) puts_sent.push_back(put.entry.id);
  if (!puts_.empty()) {
    auto written = options_.write(std::exchange(puts_, {}));
    if (!written.ok()) return written.status();
    results = *std::move(written);
  }
  size_t next = 0;
  for (Pending& each : std::exchange(pending_, {})) {
    FaqLineResult& result = each.result;
    if (each.is_put) {
      const FaqPutResult& put = results[next++];
      result.is_refused = !put.status.ok();
      result.action = put.action;
      result.message = put.status.ok() ? put.note : std::string(put.status.message());
      result.id = put.id;
      const Seen* const other = FindSeen(put.other_id.empty() ? put.id : put.other_id);
      if (other != nullptr && other->line < result.line && !result.message.empty()) {
        result.message += fmt::format(" (line {} of this file)", other->line);
      }
      if (result.is_refused) seen_.erase(Fnv1a64(puts_sent[next - 1]));
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
