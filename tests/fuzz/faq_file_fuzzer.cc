// Any bytes as a FAQ file: the rows do not depend on how the bytes were cut, they stand in order;
// an entry that may be stored is read back from both kinds of export as it was, and its answer has
// the same parts when it is written again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/faq/faq_answer.h"
#include "catalog/faq/faq_export.h"
#include "catalog/faq/faq_json.h"
#include "catalog/faq/faq_reader.h"
#include "catalog/faq/faq_rules.h"

namespace {

using emptor::catalog::FaqEntry;
using emptor::catalog::FaqFormat;
using emptor::catalog::FaqReader;
using emptor::catalog::FaqRow;

void Require(bool holds) {
  if (!holds) std::abort();
}

struct Read {
  std::vector<FaqRow> rows;
  absl::Status status;
};

Read ReadAll(FaqFormat format, std::string_view file, size_t piece) {
  Read read;
  FaqReader reader(format, [&](FaqRow&& row) {
    read.rows.push_back(std::move(row));
    return absl::OkStatus();
  });
  for (size_t at = 0; at < file.size() && read.status.ok(); at += piece) {
    read.status = reader.Push(file.substr(at, piece));
  }
  const absl::Status finished = reader.Finish();
  if (read.status.ok()) read.status = finished;
  return read;
}

std::string Same(FaqEntry entry) {
  entry.version = 0;
  entry.updated_at = 0;
  return FaqEntryJson(entry);
}

void RequireReadsBack(const FaqEntry& entry) {
  const std::string csv = emptor::catalog::FaqCsvHeader() + emptor::catalog::FaqCsvRecord(entry);
  for (const std::string& file : {csv, emptor::catalog::FaqJsonLine(entry)}) {
    const Read read = ReadAll(FaqFormat::kAuto, file, 1 + file.size() / 3);
    Require(read.status.ok() && read.rows.size() == 1 && read.rows[0].status.ok());
    FaqEntry back = read.rows[0].entry;
    Require(MakeFaqSafe(emptor::catalog::ScreenPolicy::kOff, back).ok());
    Require(Same(back) == Same(entry));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view file(reinterpret_cast<const char*>(data) + 1, size - 1);
  const FaqFormat format = static_cast<FaqFormat>(data[0] % 3);
  const Read whole = ReadAll(format, file, file.size() + 1);
  const Read cut = ReadAll(format, file, 1 + data[0] / 3u);
  Require(whole.status.ok() == cut.status.ok() && whole.rows.size() == cut.rows.size());
  uint64_t line = 0;
  for (size_t i = 0; i < whole.rows.size(); ++i) {
    const FaqRow& row = whole.rows[i];
    Require(row.line > line && row.line == cut.rows[i].line);
    line = row.line;
    Require(row.status == cut.rows[i].status);
    if (!row.status.ok()) continue;
    Require(Same(row.entry) == Same(cut.rows[i].entry));
    FaqEntry entry = row.entry;
    if (!MakeFaqSafe(emptor::catalog::ScreenPolicy::kFlag, entry).ok()) continue;
    if (entry.id.empty() && !entry.questions.empty()) {
      entry.id = emptor::catalog::MakeFaqId(entry.questions.front(), entry.locale);
    }
    if (ValidateFaqEntry(entry).ok()) RequireReadsBack(entry);
  }
  return 0;
}
