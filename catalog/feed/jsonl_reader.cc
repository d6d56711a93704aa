// Splits lines; product_json reads them.
#include "catalog/feed/jsonl_reader.h"

#include <algorithm>
#include <utility>

#include "catalog/feed/product_patch.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Bytes that a line may have beyond its limit: the byte order mark and the CR.
constexpr size_t kLineSlack = 4;
constexpr size_t kMaxProblems = 64;  // of one row

/// The id of a refused line, if it has a valid one.
std::string IdOf(const JsonValue& value) {
  const JsonValue* id = value.Find("id");
  const bool usable = id != nullptr && id->is_string() && IsValidId(id->as_string());
  return usable ? id->as_string() : std::string();
}

/// Messages of product_json begin with the field; those of text that is no JSON with "byte 17".
FeedProblem ProblemOf(const absl::Status& status) {
  const std::string message(status.message());
  const size_t colon = message.find(": ");
  if (colon == std::string::npos || message.starts_with("byte ")) return {"", message};
  return {message.substr(0, colon), message.substr(colon + 2)};
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class JsonlReader final : public FeedReader {
 public:
  JsonlReader(const FeedOptions& options, RowSink sink)
      : options_(options), sink_(std::move(sink)) {}

  absl::Status Push(std::string_view bytes) override {
    while (status_.ok() && !bytes.empty()) {
      const size_t end = bytes.find('\n');
      AddToLine(bytes.substr(0, end));
      if (end == std::string_view::npos) break;
      ++offset_;
      bytes.remove_prefix(end + 1);
      status_ = EndLine();
    }
    return status_;
  }

  absl::Status Finish() override {
    if (status_.ok() && (!line_.empty() || line_too_long_)) status_ = EndLine();
    return status_;
  }

  FeedFormat format() const override { return FeedFormat::kJsonl; }

 private:
  void AddToLine(std::string_view bytes) {
    const size_t most = kMaxRecordBytes + kLineSlack;
    const size_t room = most - std::min(line_.size(), most);
    line_too_long_ = line_too_long_ || bytes.size() > room;
    line_ += bytes.substr(0, room);
    offset_ += bytes.size();
  }

  absl::Status EndLine() {
    ++line_number_;
    std::string_view line = line_;
    if (line_number_ == 1 && line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    absl::Status status;
    if (line_too_long_ || line.size() > kMaxRecordBytes) {
      const std::string what = fmt::format("line: longer than {} bytes", kMaxRecordBytes);
      status = sink_(Unusable(line, "", absl::InvalidArgumentError(what)));
    } else if (!IsBlank(line)) {
      status = sink_(ReadLine(line));
    }
    line_.clear();
    line_too_long_ = false;
    return status;
  }

  FeedRow MakeRow(std::string_view line, std::string id) const {
    FeedRow row;
    row.raw = std::string(line.substr(0, FeedRow::kMaxRawBytes));
    row.line = row.end_line = line_number_;
    row.end_offset = offset_;
    row.id = std::move(id);
    return row;
  }

  FeedRow Unusable(std::string_view line, std::string id, const absl::Status& status) const {
    FeedRow row = MakeRow(line, std::move(id));
    row.problems.push_back(ProblemOf(status));
    return row;
  }

  /// `id` is copied before the record that holds it is moved.
  template <typename T>
  FeedRow Usable(std::string_view line, const std::string& id, T&& record) const {
    FeedRow row = MakeRow(line, id);
    row.record = std::forward<T>(record);
    return row;
  }

  FeedRow ReadLine(std::string_view line) const {
    const absl::StatusOr<JsonValue> value = ParseRecordJson(line);
    if (!value.ok()) return Unusable(line, "", value.status());
    const auto unusable = [&](const absl::Status& why) {
      return Unusable(line, IdOf(*value), why);
    };
    if (value->Find("deleted") != nullptr) {
      auto deletion = DeletionFromJson(*value);
      if (!deletion.ok()) return unusable(deletion.status());
      return Usable(line, deletion->id, *std::move(deletion));
    }
    const JsonValue* kind = value->Find("kind");
    const bool is_product = kind == nullptr || !kind->is_string() || kind->as_string() == "product";
    LenientReading reading;
    LenientReading* lenient = options_.strict ? nullptr : &reading;
    if (options_.patches && is_product) {
      auto patch = PatchFromJson(*value, lenient);
      if (!patch.ok()) return unusable(patch.status());
      return WithProblems(Usable(line, patch->values.id, *std::move(patch)), reading);
    }
    auto record = options_.strict ? RecordFromJson(*value) : ReadRecordLeniently(*value, reading);
    if (!record.ok()) return unusable(record.status());
    if (auto* product = std::get_if<Product>(&*record)) {
      return WithProblems(Usable(line, product->id, std::move(*product)), reading);
    }
    Document& document = std::get<Document>(*record);
    return WithProblems(Usable(line, document.id, std::move(document)), reading);
  }

  static FeedRow WithProblems(FeedRow row, LenientReading& reading) {
    if (reading.problems.size() > kMaxProblems) {
      reading.problems.resize(kMaxProblems);
      reading.problems.back().reason = "and more, which are not listed";
    }
    row.problems = std::move(reading.problems);
    return row;
  }

  const FeedOptions options_;
  const RowSink sink_;
  std::string line_;  // the line that is not complete yet
  bool line_too_long_ = false;
  uint64_t line_number_ = 0;  // of the last complete line
  uint64_t offset_ = 0;       // bytes read
  absl::Status status_;
};

}  // namespace

std::unique_ptr<FeedReader> MakeJsonlReader(const FeedOptions& options, RowSink sink) {
  return std::make_unique<JsonlReader>(options, std::move(sink));
}

}  // namespace emptor::catalog
