// Readers of the sets, and how each is split.
#include "services/eval/faq_sets.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "fmt/format.h"
#include "services/eval/minimal_pairs.h"

namespace emptor::services {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::string_view kHint3Outside = "NO_NODES_DETECTED";
constexpr std::string_view kClincOutside = "oos";
constexpr double kRealTraffic = 20;  // what shoppers typed counts more than written utterances
constexpr size_t kFewPhrasings = 3;  // as many as a shop's staff write

bool IsInFitHalf(std::string_view text) { return catalog::Fnv1a64(text) % 2 == 0; }

absl::StatusOr<Rows> ReadRows(const ReadDataFile& read, const std::string& path, size_t columns) {
  const auto text = read(path);
  if (!text.ok()) return text.status();
  Rows rows = ParseCsv(*text);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() == columns) continue;
    return absl::InvalidArgumentError(fmt::format("{}: row {}: expected {} columns, found {}", path,
                                                  i + 1, columns, rows[i].size()));
  }
  if (!rows.empty()) rows.erase(rows.begin());  // the head
  return rows;
}

/// Entries by label, each with at most `limit` phrasings.
class EntryCollector {
 public:
  explicit EntryCollector(size_t limit = SIZE_MAX) : limit_(limit) {}

  void Add(const std::string& label, const std::string& phrasing) {
    const auto [found, is_new] = place_.try_emplace(label, entries_.size());
    if (is_new) entries_.push_back({label, "", {}});
    auto& phrasings = entries_[found->second].phrasings;
    if (phrasings.size() < limit_) phrasings.push_back(phrasing);
  }
  std::vector<retrieval::FaqPhrasings> Take() { return std::move(entries_); }

 private:
  size_t limit_;
  std::map<std::string, size_t> place_;
  std::vector<retrieval::FaqPhrasings> entries_;
};

absl::StatusOr<FaqCollection> ReadHint3(const ReadDataFile& read, const std::string& bot) {
  const auto train = ReadRows(read, "faq_hint3/" + bot + "_train.csv", 2);
  if (!train.ok()) return train.status();
  const auto test = ReadRows(read, "faq_hint3/" + bot + "_test.csv", 2);
  if (!test.ok()) return test.status();
  FaqCollection collection;
  EntryCollector entries;
  for (const auto& row : *train) entries.Add(row[1], row[0]);
  collection.entries = entries.Take();
  for (const auto& row : *test) {
    const bool answerable = row[1] != kHint3Outside;
    collection.questions.push_back({row[0], answerable ? row[1] : "", answerable, ""});
  }
  return collection;
}

/// Thresholds come from the third bot, whose shop and questions are others.
absl::StatusOr<std::vector<FaqTask>> ReadHint3Tasks(const ReadDataFile& read) {
  std::vector<FaqTask> tasks;
  const auto fit = ReadHint3(read, "powerplay11");
  if (!fit.ok()) return fit.status();
  for (const char* bot : {"curekart", "sofmattress"}) {
    auto report = ReadHint3(read, bot);
    if (!report.ok()) return report.status();
    tasks.push_back({.name = fmt::format("hint3 {}", bot),
                     .fit = *fit,
                     .report = *report,
                     .fit_weight = kRealTraffic,
                     .fit_is_own = tasks.empty()});
  }
  return tasks;
}

/// Columns split, text, label; `is_entry` tells the splits that make the FAQ.
FaqTask SplitTask(std::string name, const Rows& rows, size_t limit,
                  bool (*is_entry)(std::string_view split), std::string_view outside) {
  FaqTask task{.name = std::move(name), .fit = {}, .report = {}};
  EntryCollector entries(limit);
  for (const auto& row : rows) {
    const bool answerable = row[2] != outside;
    if (is_entry(row[0])) {
      if (answerable) entries.Add(row[2], row[1]);
      continue;
    }
    FaqCollection& side = IsInFitHalf(row[1]) ? task.fit : task.report;
    side.questions.push_back({row[1], answerable ? row[2] : "", answerable, ""});
  }
  task.fit.entries = entries.Take();
  task.report.entries = task.fit.entries;
  return task;
}

absl::StatusOr<std::vector<FaqTask>> ReadSplitTasks(const ReadDataFile& read,
                                                    const std::string& name,
                                                    std::string_view outside) {
  const auto rows = ReadRows(read, "faq_" + name + "/utterances.csv.zst", 3);
  if (!rows.ok()) return rows.status();
  const auto is_entry = [](std::string_view split) {
    return split == "train" || split == "oos_train";
  };
  std::vector<FaqTask> tasks;
  tasks.push_back(SplitTask(name, *rows, SIZE_MAX, is_entry, outside));
  tasks.push_back(SplitTask(name + ", 3 phrasings", *rows, kFewPhrasings, is_entry, outside));
  return tasks;
}

/// Tab-separated label, text_a, text_b. Every text_a is an entry.
absl::StatusOr<std::vector<FaqTask>> ReadPairTasks(const ReadDataFile& read,
                                                   const std::string& name,
                                                   const std::string& path) {
  const auto text = read(path);
  if (!text.ok()) return text.status();
  FaqTask task{.name = name, .fit = {}, .report = {}, .is_pairs = true, .is_licensed = false};
  EntryCollector entries[2];
  std::string_view rest = *text;
  rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size()));  // the head
  for (size_t number = 2; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
      return absl::InvalidArgumentError(
          fmt::format("{}:{}: expected label, text_a and text_b between tabs", path, number));
    }
    const std::string a(line.substr(first + 1, second - first - 1));
    const bool is_fit = IsInFitHalf(a);
    entries[is_fit ? 0 : 1].Add(a, a);
    FaqCollection& side = is_fit ? task.fit : task.report;
    side.questions.push_back({std::string(line.substr(second + 1)), a, line[0] == '1', ""});
  }
  // Phrasings of one text are one.
  task.fit.entries = entries[0].Take();
  task.report.entries = entries[1].Take();
  for (auto* side : {&task.fit, &task.report}) {
    for (auto& entry : side->entries) entry.phrasings.resize(1);
  }
  return std::vector<FaqTask>{std::move(task)};
}

}  // namespace

std::vector<std::string> FaqSetNames() {
  return {"minimal", "hint3", "banking77", "clinc150", "qqp", "afqmc", "lcqmc"};
}

absl::StatusOr<std::vector<FaqTask>> ReadFaqTasks(std::string_view set, const ReadDataFile& read) {
  if (set == "hint3") return ReadHint3Tasks(read);
  if (set == "banking77") return ReadSplitTasks(read, "banking77", "");
  if (set == "clinc150") return ReadSplitTasks(read, "clinc150", kClincOutside);
  if (set == "qqp") return ReadPairTasks(read, "qqp", "pairs_qqp/pairs.tsv.zst");
  if (set == "afqmc") return ReadPairTasks(read, "afqmc", "pairs_zh/afqmc.tsv.zst");
  if (set == "lcqmc") return ReadPairTasks(read, "lcqmc", "pairs_zh/lcqmc.tsv.zst");
  if (set == "minimal") {
    const auto text = read("minimal_pairs.jsonl");
    if (!text.ok()) return text.status();
    return ReadMinimalPairTasks(*text);
  }
  return absl::InvalidArgumentError(
      fmt::format("--sets: expected {}, found {}", fmt::join(FaqSetNames(), ", "), set));
}

std::vector<std::vector<std::string>> ParseCsv(std::string_view text) {
  Rows rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  const auto end_row = [&] {
    if (row.empty() && field.empty()) return;
    row.push_back(std::exchange(field, {}));
    rows.push_back(std::exchange(row, {}));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += c;
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.push_back(std::exchange(field, {}));
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field += c;
    }
  }
  end_row();
  return rows;
}

}  // namespace emptor::services
