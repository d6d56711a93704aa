// Writes what faq_reader.cc reads.
#include "catalog/faq/faq_export.h"

#include "catalog/encoding/timestamp.h"
#include "catalog/faq/faq_json.h"

namespace emptor::catalog {
namespace {

std::string Cell(const std::string& text) {
  if (text.find_first_of(",;|\t\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string Time(int64_t unix_seconds) {
  return unix_seconds == 0 ? std::string() : FormatRfc3339(unix_seconds);
}

}  // namespace

std::string FaqCsvHeader() {
  return "question,answer,locale,category,valid_from,valid_until,owner,id\n";
}

std::string FaqCsvRecord(const FaqEntry& entry) {
  std::string questions;
  for (const std::string& question : entry.questions) {
    if (!questions.empty()) questions += '\n';
    questions += question;
  }
  // A line break says that `|` separates nothing.
  if (questions.find('|') != std::string::npos) questions += '\n';
  std::string record = Cell(questions);
  for (const std::string& text :
       {entry.answer, entry.locale, entry.category, Time(entry.valid_from), Time(entry.valid_until),
        entry.owner, entry.id}) {
    record += ',' + Cell(text);
  }
  return record + '\n';
}

std::string FaqJsonLine(const FaqEntry& entry) { return FaqEntryJson(entry) + '\n'; }

}  // namespace emptor::catalog
