// Decompressor, decoder, then one of two splitters.
#include "catalog/faq/faq_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "catalog/faq/faq_json.h"
#include "catalog/faq/faq_rules.h"
#include "catalog/feed/decompressor.h"
#include "catalog/feed/table_parser.h"
#include "catalog/feed/text_decoder.h"
#include "catalog/validation.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kShownBytes = 40;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

/// Ways to ask of one cell: lines, or where there is a single one, what `|` separates.
void AddQuestions(std::string_view cell, std::vector<std::string>& questions) {
  const bool has_lines = cell.find_first_of("\r\n") != std::string_view::npos;
  const std::string_view separators = has_lines ? "\r\n" : "|";
  while (!cell.empty()) {
    const size_t end = std::min(cell.find_first_of(separators), cell.size());
    const std::string_view question = Trimmed(cell.substr(0, end));
    if (!question.empty()) questions.emplace_back(question);
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
}

/// Rows of a CSV by the names of its first line.
class CsvRows {
 public:
  explicit CsvRows(FaqReader::Sink sink) : sink_(std::move(sink)) {}

  absl::Status Take(const TableRecord& record) {
    if (columns_.empty()) return TakeHeader(record);
    FaqRow row;
    row.line = record.line;
    if (!record.fault.empty()) {
      row.status = absl::InvalidArgumentError("row: " + record.fault);
      return sink_(std::move(row));
    }
    row.status = Fill(record, row.entry);
    return sink_(std::move(row));
  }

 private:
  enum class Column {
    kQuestion,
    kAnswer,
    kLocale,
    kCategory,
    kValidFrom,
    kValidUntil,
    kOwner,
    kId
  };

  static bool IsQuestion(std::string_view name) {
    constexpr std::string_view kQuestion = "question";
    if (!name.starts_with(kQuestion)) return false;
    name.remove_prefix(kQuestion.size());
    if (name.starts_with('_')) name.remove_prefix(1);
    return name.find_first_not_of("0123456789") == std::string_view::npos;
  }

  absl::Status TakeHeader(const TableRecord& record) {
    constexpr std::pair<std::string_view, Column> kNames[] = {{"answer", Column::kAnswer},
                                                              {"locale", Column::kLocale},
                                                              {"category", Column::kCategory},
                                                              {"valid_from", Column::kValidFrom},
                                                              {"valid_until", Column::kValidUntil},
                                                              {"owner", Column::kOwner},
                                                              {"id", Column::kId}};
    for (const std::string_view cell : record.cells) {
      const std::string name = LowerAscii(Trimmed(cell));
      const auto* known = std::find_if(std::begin(kNames), std::end(kNames),
                                       [&](const auto& each) { return each.first == name; });
      if (IsQuestion(name)) {
        columns_.push_back(Column::kQuestion);
      } else if (known == std::end(kNames)) {
        return absl::InvalidArgumentError(fmt::format(
            "line {}: no column is named {:?}: expected question, question_2..., answer, locale, "
            "category, valid_from, valid_until, owner or id",
            record.line, name.substr(0, kShownBytes)));
      } else if (std::find(columns_.begin(), columns_.end(), known->second) != columns_.end()) {
        return absl::InvalidArgumentError(
            fmt::format("line {}: column {:?} is there twice", record.line, name));
      } else {
        columns_.push_back(known->second);
      }
    }
    for (const auto& [column, name] :
         {std::pair{Column::kQuestion, "question"}, std::pair{Column::kAnswer, "answer"}}) {
      if (std::find(columns_.begin(), columns_.end(), column) != columns_.end()) continue;
      return absl::InvalidArgumentError(fmt::format(
          "line {}: there is no column {}: the first line of a CSV names question and answer",
          record.line, name));
    }
    return absl::OkStatus();
  }

  absl::Status Fill(const TableRecord& record, FaqEntry& entry) const {
    for (size_t i = 0; i < record.cells.size(); ++i) {
      const std::string_view cell = Trimmed(record.cells[i]);
      if (cell.empty()) continue;
      if (i >= columns_.size()) {
        return absl::InvalidArgumentError(
            fmt::format("row: found {} cells, the first line names {} columns: quote cells that "
                        "hold the separator",
                        record.cells.size(), columns_.size()));
      }
      if (columns_[i] == Column::kQuestion) {
        AddQuestions(record.cells[i], entry.questions);
      } else if (absl::Status status = Set(columns_[i], cell, entry); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  static absl::Status Set(Column column, std::string_view cell, FaqEntry& entry) {
    if (column == Column::kValidFrom || column == Column::kValidUntil) {
      const bool is_end = column == Column::kValidUntil;
      const auto time = ParseFaqTime(cell, is_end);
      if (time) (is_end ? entry.valid_until : entry.valid_from) = *time;
      if (time) return absl::OkStatus();
      return absl::InvalidArgumentError(
          fmt::format("{}: expected a date such as 2026-12-24 or RFC 3339, found {:?}",
                      is_end ? "valid_until" : "valid_from", cell.substr(0, kShownBytes)));
    }
    std::string& text = column == Column::kAnswer     ? entry.answer
                        : column == Column::kLocale   ? entry.locale
                        : column == Column::kCategory ? entry.category
                        : column == Column::kOwner    ? entry.owner
                                                      : entry.id;
    text = std::string(cell);
    return absl::OkStatus();
  }

  const FaqReader::Sink sink_;
  std::vector<Column> columns_;
};

/// Lines, each an object.
class JsonLines {
 public:
  explicit JsonLines(FaqReader::Sink sink) : sink_(std::move(sink)) {}

  absl::Status Push(std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      is_too_long_ = is_too_long_ || line_.size() + piece.size() > kMaxRecordBytes;
      if (!is_too_long_) line_ += piece;
      if (end == std::string_view::npos) break;
      bytes.remove_prefix(end + 1);
      if (absl::Status status = EndLine(); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  absl::Status Finish() { return line_.empty() && !is_too_long_ ? absl::OkStatus() : EndLine(); }

 private:
  absl::Status EndLine() {
    FaqRow row;
    row.line = ++number_;
    const bool is_blank = !is_too_long_ && Trimmed(line_).empty();
    if (is_too_long_) {
      row.status = absl::InvalidArgumentError(
          fmt::format("line: expected at most {} bytes", kMaxRecordBytes));
    } else if (!is_blank) {
      auto json = ParseJson(Trimmed(line_));
      auto entry = json.ok() ? FaqEntryFromJson(*json) : absl::StatusOr<FaqEntry>(json.status());
      row.status = entry.status();
      if (entry.ok()) row.entry = *std::move(entry);
    }
    line_.clear();
    is_too_long_ = false;
    return is_blank ? absl::OkStatus() : sink_(std::move(row));
  }

  const FaqReader::Sink sink_;
  std::string line_;
  bool is_too_long_ = false;
  uint64_t number_ = 0;
};

}  // namespace

struct FaqReader::Impl {
  Impl(FaqFormat format_in, const Sink& sink)
      : format(format_in),
        rows(sink),
        table(0, [this](const TableRecord& record) { return rows.Take(record); }),
        lines(sink),
        decoder([this](std::string_view bytes) { return Split(bytes); }),
        decompressor([this](std::string_view bytes) { return decoder.Push(bytes); }) {}

  absl::Status Split(std::string_view bytes) {
    if (!is_begun) {
      head += bytes;
      std::string_view rest = head;
      if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
      const size_t first = rest.find_first_not_of(" \t\r\n");
      const bool is_open = rest.empty() || kByteOrderMark.starts_with(rest);
      if (is_open || (first == std::string_view::npos && format == FaqFormat::kAuto)) {
        return absl::OkStatus();
      }
      if (format == FaqFormat::kAuto) {
        format = rest[first] == '{' ? FaqFormat::kJsonl : FaqFormat::kCsv;
      }
      is_begun = true;
      return Pass(rest);
    }
    return Pass(bytes);
  }
  absl::Status Pass(std::string_view bytes) {
    return format == FaqFormat::kJsonl ? lines.Push(bytes) : table.Push(bytes);
  }

  FaqFormat format;
  CsvRows rows;
  TableParser table;
  JsonLines lines;
  TextDecoder decoder;
  Decompressor decompressor;
  bool is_begun = false;
  std::string head;  // until the format is known
  absl::Status status;
};

FaqReader::FaqReader(FaqFormat format, Sink sink) : impl_(std::make_unique<Impl>(format, sink)) {}
FaqReader::~FaqReader() = default;

absl::Status FaqReader::Push(std::string_view bytes) {
  if (impl_->status.ok()) impl_->status = impl_->decompressor.Push(bytes);
  return impl_->status;
}

absl::Status FaqReader::Finish() {
  Impl& parts = *impl_;
  if (parts.status.ok()) parts.status = parts.decompressor.Finish();
  if (parts.status.ok()) parts.status = parts.decoder.Finish();
  if (parts.status.ok() && parts.is_begun) {
    parts.status = parts.format == FaqFormat::kJsonl ? parts.lines.Finish() : parts.table.Finish();
  }
  return parts.status;
}

}  // namespace emptor::catalog
