// Short names, and what sets equal ones apart.
#include "services/grounding/product_names.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/unit_name.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxNameBytes = 80;  // of a title in an answer; cards show it whole
constexpr size_t kMinNameBytes = 30;
constexpr size_t kMaxMarkBytes = 40;  // of what sets a name apart
constexpr int kAllParts = 1000;
constexpr double kMinRawNumber = 1000;
constexpr double kFirstYear = 1900, kLastYear = 2100;  // four digits that are most often a year

/// What shoppers tell variants apart by, the first that does.
constexpr std::array<std::string_view, 14> kDistinguishingAttributes = {
    "color",  "colour",      "size",   "capacity", "storage", "internal storage capacity",
    "model",  "pack size",   "flavor", "scent",    "style",   "material",
    "length", "model number"};

using Marks = std::vector<std::string>;
using Group = std::vector<const catalog::Product*>;

/// Every product has a mark of its own; one of them may have none.
bool AreDistinct(const Marks& marks) {
  std::set<std::string> folded;
  for (const std::string& mark : marks) {
    if (!folded.insert(retrieval::FoldForComparison(mark)).second) return false;
  }
  return true;
}

std::string ValueOf(const catalog::Product& product, const std::string& folded_name) {
  for (const auto* list : {&product.options, &product.attributes}) {
    for (const catalog::Attribute& attribute : *list) {
      if (retrieval::FoldForComparison(attribute.name) == folded_name) return attribute.value;
    }
  }
  return {};
}

Marks ValuesOf(const Group& group, const std::string& folded_name) {
  Marks values;
  for (const catalog::Product* product : group) values.push_back(ValueOf(*product, folded_name));
  return values;
}

/// The values of the options that are not alike in the group: "red, M".
Marks OptionMarks(const Group& group) {
  Marks marks(group.size());
  std::set<std::string> seen;
  for (const catalog::Product* each : group) {
    for (const catalog::Attribute& option : each->options) {
      const std::string name = retrieval::FoldForComparison(option.name);
      if (!seen.insert(name).second) continue;
      const Marks values = ValuesOf(group, name);
      const bool is_alike = std::all_of(values.begin(), values.end(), [&](const auto& value) {
        return retrieval::FoldForComparison(value) == retrieval::FoldForComparison(values.front());
      });
      if (is_alike) continue;
      for (size_t i = 0; i < group.size(); ++i) {
        if (!values[i].empty()) marks[i] += (marks[i].empty() ? "" : ", ") + values[i];
      }
    }
  }
  return marks;
}

/// A word of a title without the marks around it.
struct TitleWord {
  std::string text;
  bool ends_part = false;  // a comma or the like is behind it
};

std::vector<TitleWord> WordsOf(const std::string& title) {
  constexpr std::string_view kMarks = ",;:|()[]";
  std::vector<TitleWord> words;
  for (size_t at = 0; at < title.size();) {
    const size_t end = std::min(title.find(' ', at), title.size());
    const std::string word = title.substr(at, end - at);
    const size_t first = word.find_first_not_of(kMarks);
    if (first != std::string::npos) {
      const size_t last = word.find_last_not_of(kMarks);
      words.push_back({word.substr(first, last - first + 1), last + 1 < word.size()});
    }
    at = end + 1;
  }
  return words;
}

/// "160" of "160 GB".
bool IsNumber(const std::string& word) {
  return word.find_first_not_of("0123456789.,") == std::string::npos;
}

/// In how many titles of the group a folded word is.
std::map<std::string, size_t> CountWords(const Group& group) {
  std::map<std::string, size_t> counts;
  for (const catalog::Product* each : group) {
    std::set<std::string> own;
    for (const TitleWord& word : WordsOf(each->title)) own.insert(retrieval::FoldWords(word.text));
    for (const std::string& word : own) ++counts[word];
  }
  return counts;
}

/// From the first word of a title that not all of the group have to the last one, a number with its
/// unit; of the first `parts` parts that have some.
std::string TitleMark(const std::string& title, const std::map<std::string, size_t>& counts,
                      size_t group_size, int parts) {
  std::string mark, between;  // `between`: words that all have, since the last of its own
  bool ends_with_number = false;
  for (const TitleWord& word : WordsOf(title)) {
    const std::string folded = retrieval::FoldWords(word.text);
    const bool is_own = !folded.empty() && counts.at(folded) < group_size;
    const bool is_unit = !is_own && ends_with_number && between.empty();
    if (is_own || is_unit) {
      const std::string longer = mark + between + (mark.empty() ? "" : " ") + word.text;
      if (longer.size() > kMaxMarkBytes) break;
      mark = longer;
      between.clear();
    } else if (!mark.empty()) {
      between += " " + word.text;
    }
    ends_with_number = is_own && IsNumber(word.text);
    if (word.ends_part && !mark.empty() && --parts == 0) break;
  }
  return mark;
}

Marks TitleMarks(const Group& group, int parts) {
  const auto counts = CountWords(group);
  Marks marks;
  for (const catalog::Product* each : group) {
    marks.push_back(TitleMark(each->title, counts, group.size(), parts));
  }
  return marks;
}

bool AllHaveShort(const Marks& values) {
  return std::all_of(values.begin(), values.end(), [](const std::string& value) {
    return !value.empty() && value.size() <= kMaxMarkBytes;
  });
}

std::optional<Marks> AttributeMarks(const Group& group) {
  for (const std::string_view name : kDistinguishingAttributes) {
    Marks values = ValuesOf(group, std::string(name));
    if (AllHaveShort(values) && AreDistinct(values)) return values;
  }
  for (const catalog::Attribute& attribute : group.front()->attributes) {
    const std::string name = retrieval::FoldForComparison(attribute.name);
    Marks values = ValuesOf(group, name);
    const bool is_raw = std::any_of(values.begin(), values.end(), IsNumber);
    if (is_raw || !AllHaveShort(values) || !AreDistinct(values)) continue;
    return values;
  }
  return std::nullopt;
}

Marks MarksOf(const Group& group) {
  if (Marks marks = OptionMarks(group); AreDistinct(marks)) return marks;
  for (const int parts : {1, 2, kAllParts}) {
    if (Marks marks = TitleMarks(group, parts); AreDistinct(marks)) return marks;
  }
  if (auto marks = AttributeMarks(group)) return *std::move(marks);
  Marks numbers;
  for (const catalog::Product* each : group) numbers.push_back(each->mpn);
  return AreDistinct(numbers) ? numbers : Marks(group.size());
}

}  // namespace

std::string ShortName(const std::string& title) {
  if (title.size() <= kMaxNameBytes) return title;
  for (const std::string_view mark : {" | ", " (", ", ", " - ", " with ", " for "}) {
    const size_t at = title.find(mark, kMinNameBytes);
    if (at != std::string::npos && at <= kMaxNameBytes) return title.substr(0, at);
  }
  return std::string(CutAtWord(title, kMaxNameBytes)) + "…";
}

std::vector<std::string> SetApart(std::span<const catalog::Product* const> products,
                                  size_t shown_bytes) {
  std::map<std::string, Group> groups;
  for (const catalog::Product* each : products) {
    if (each == nullptr) continue;
    const std::string name = retrieval::FoldForComparison(ShortName(each->title));
    Group& group = groups[std::string(CutAtCharacter(name, shown_bytes))];
    const bool is_there = std::any_of(group.begin(), group.end(),
                                      [&](const auto* other) { return other->id == each->id; });
    if (!is_there) group.push_back(each);
  }
  std::map<std::string, std::string> marks;  // by id
  for (const auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    const Marks found = MarksOf(group);
    for (size_t i = 0; i < group.size(); ++i) marks[group[i]->id] = found[i];
  }
  std::vector<std::string> apart;
  for (const catalog::Product* each : products) {
    const auto mark = each == nullptr ? marks.end() : marks.find(each->id);
    apart.push_back(mark == marks.end() ? "" : PlainText(mark->second));
  }
  return apart;
}

bool IsRawNumber(const catalog::Attribute& attribute) {
  const std::string& value = attribute.value;
  const bool is_number = !value.empty() && IsNumber(value) && value.find(',') == std::string::npos;
  if (!is_number) return false;
  const double number = std::strtod(value.c_str(), nullptr);
  const bool is_year = value.size() == 4 && number >= kFirstYear && number <= kLastYear;
  if (number < kMinRawNumber || is_year) return false;
  if (retrieval::UnitOfName(retrieval::FoldForComparison(attribute.name))) return false;
  const std::string name = " " + retrieval::FoldWords(attribute.name) + " ";
  for (const std::string_view counted :
       {" number ", " count ", " quantity ", " year ", " pages ", " pieces ", " rating ", " code ",
        " model ", " version ", " score ", " date "}) {
    if (name.find(counted) != std::string::npos) return false;
  }
  return true;
}

}  // namespace emptor::services
