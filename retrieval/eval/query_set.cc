// Judgments and query texts from lines, and back.
#include "retrieval/eval/query_set.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <utility>

#include "retrieval/eval/eval_lines.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

constexpr double kMaxGrade = 100;

absl::Status LineError(std::string_view file, size_t line, const std::string& what) {
  return absl::InvalidArgumentError(fmt::format("{}:{}: {}", file, line, what));
}

/// A row of either form.
struct Judgment {
  std::string_view query_text;  // TSV
  std::string_view query_id;    // qrels
  std::string_view record;
  std::string_view grade;
};

absl::StatusOr<Judgment> ReadRow(std::string_view line, size_t number, bool tsv) {
  const auto columns = tsv ? SplitTabs(line) : SplitBlanks(line);
  if (columns.size() != (tsv ? 3u : 4u)) {
    return LineError("judgments", number,
                     fmt::format("expected {}, found {} columns",
                                 tsv ? "query, record id and grade between tabs"
                                     : "query id, 0, record id and grade",
                                 columns.size()));
  }
  Judgment row;
  if (tsv) {
    row = {.query_text = columns[0], .query_id = {}, .record = columns[1], .grade = columns[2]};
  } else {
    row = {.query_text = {}, .query_id = columns[0], .record = columns[2], .grade = columns[3]};
  }
  if (tsv && SplitBlanks(row.query_text).empty()) {
    return LineError("judgments", number, "expected a query, found nothing");
  }
  if (row.record.empty()) {
    return LineError("judgments", number, "expected a record id, found nothing");
  }
  return row;
}

}  // namespace

absl::StatusOr<QuerySet> ParseJudgments(std::string_view text) {
  std::map<std::string, EvalQuery> queries;
  LineWalk lines(text);
  std::optional<bool> tsv;
  while (const auto line = lines.Next()) {
    if (!IsValidUtf8(*line)) {
      return LineError("judgments", lines.number(), "expected UTF-8, found ill-formed bytes");
    }
    const bool first = !tsv.has_value();
    if (first) tsv = SplitTabs(*line).size() == 3;
    const auto row = ReadRow(*line, lines.number(), *tsv);
    if (!row.ok()) return row.status();
    const auto grade = ParseDecimal(row->grade, kMaxGrade);
    if (!grade && first && *tsv) continue;  // the heading
    if (!grade) {
      return LineError(
          "judgments", lines.number(),
          fmt::format("expected a grade within ±100, found \"{}\"", Excerpt(row->grade)));
    }
    if (QueryIdOf(row->record) != row->record) {  // a TREC file could not hold it
      return LineError("judgments", lines.number(),
                       fmt::format("expected a record id without blanks and %, found \"{}\"",
                                   Excerpt(row->record)));
    }
    std::string id = *tsv ? QueryIdOf(row->query_text) : std::string(row->query_id);
    EvalQuery& query = queries[id];
    query.id = std::move(id);
    query.text = row->query_text;
    const auto [at, is_new] = query.grades.emplace(row->record, *grade);
    if (!is_new && at->second != *grade) {
      return LineError("judgments", lines.number(),
                       fmt::format("expected one grade of {} for a query, found {} and {}",
                                   Excerpt(row->record), at->second, *grade));
    }
  }
  QuerySet set;
  for (auto& [id, query] : queries) set.push_back(std::move(query));
  return set;
}

absl::Status SetTexts(std::string_view text, QuerySet& queries) {
  std::map<std::string_view, std::string_view> texts;
  LineWalk lines(text);
  while (const auto line = lines.Next()) {
    const auto columns = SplitTabs(*line);
    if (columns.size() != 2 || columns[0].empty() || SplitBlanks(columns[1]).empty()) {
      return LineError("queries", lines.number(), "expected id and text separated by a tab");
    }
    if (!IsValidUtf8(columns[1])) {
      return LineError("queries", lines.number(), "expected UTF-8, found ill-formed bytes");
    }
    if (!texts.emplace(columns[0], columns[1]).second) {
      return LineError("queries", lines.number(),
                       fmt::format("expected each id once, found {} again", Excerpt(columns[0])));
    }
  }
  for (EvalQuery& query : queries) {
    if (const auto found = texts.find(query.id); found != texts.end()) query.text = found->second;
    if (query.text.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("queries: expected a text for query {}, found none", Excerpt(query.id)));
    }
  }
  return absl::OkStatus();
}

std::string WriteQrels(const QuerySet& queries) {
  std::string out;
  for (const EvalQuery& query : queries) {
    for (const auto& [record, grade] : query.grades) {
      out += fmt::format("{} 0 {} {}\n", query.id, record, grade);
    }
  }
  return out;
}

std::string QueryIdOf(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == '%' || byte == 0x7F) {
      id += fmt::format("%{:02X}", byte);
    } else {
      id += c;
    }
  }
  return id;
}

size_t FoldOf(std::string_view text, size_t folds) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return static_cast<size_t>(hash % folds);
}

}  // namespace emptor::retrieval
