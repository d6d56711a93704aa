// One pass over the table, then over the queries.
#include "retrieval/eval/translations.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "fmt/format.h"
#include "retrieval/eval/eval_lines.h"

namespace emptor::retrieval {
namespace {

absl::Status RowError(const LineWalk& lines, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("translations:{}: {}", lines.number(), what));
}

}  // namespace

absl::Status TranslateQueries(std::string_view table, std::string_view language,
                              QuerySet& queries) {
  LineWalk lines(table);
  const std::optional<std::string_view> heading = lines.Next();
  if (!heading) return absl::InvalidArgumentError("translations: expected a table, found nothing");
  const std::vector<std::string_view> languages = SplitTabs(*heading);
  const auto column = std::ranges::find(languages, language) - languages.begin();
  if (column == std::ssize(languages)) {
    return RowError(lines, fmt::format("expected a column {:?}", std::string(language)));
  }
  std::unordered_map<std::string, std::string> translated;
  while (const std::optional<std::string_view> line = lines.Next()) {
    const std::vector<std::string_view> row = SplitTabs(*line);
    if (row.size() != languages.size()) {
      return RowError(lines,
                      fmt::format("expected {} columns, found {}", languages.size(), row.size()));
    }
    const std::string_view text = row[static_cast<size_t>(column)];
    if (text.empty()) return RowError(lines, "expected a text");
    translated[std::string(row.front())] = text;
  }
  std::erase_if(queries, [&](const EvalQuery& query) { return !translated.contains(query.text); });
  if (queries.empty()) return absl::InvalidArgumentError("translations: none of a judged query");
  for (EvalQuery& query : queries) query.text = translated[query.text];
  return absl::OkStatus();
}

}  // namespace emptor::retrieval
