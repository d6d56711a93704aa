// Groups sentences into passages.
#include "catalog/documents/passages.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "catalog/documents/text_units.h"
#include "catalog/encoding/fnv.h"
#include "catalog/encoding/utf8.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using Path = std::vector<std::string>;

constexpr size_t kMaxIdBytes = 64;
constexpr size_t kKeptIdBytes = 40;
constexpr size_t kKeptTitleBytes = 200;
constexpr std::string_view kJoint = ": ";

std::string PassageId(const std::string& document, size_t number) {
  std::string id = fmt::format("{}.p{}", document, number);
  if (id.size() <= kMaxIdBytes) return id;
  return fmt::format("{}-{:016x}.p{}", document.substr(0, kKeptIdBytes), Fnv1a64(document), number);
}

/// The title of the document and the headings; if that is too long, without the outer headings.
std::string TitleOf(const std::string& document_title, std::span<const std::string> path) {
  while (!path.empty() && path.front() == document_title) path = path.subspan(1);
  if (path.empty()) return document_title;
  std::string headings;
  for (const std::string& heading : path) headings += std::string(kJoint) + heading;
  if (document_title.size() + headings.size() <= RecordLimits::kTitle) {
    return document_title + headings;
  }
  return std::string(Utf8Prefix(document_title, kKeptTitleBytes)) + std::string(kJoint) +
         path.back();
}

/// One document, unit by unit.
class Splitter {
 public:
  Splitter(const Document& document, const PassageLimits& limits)
      : document_(document),
        min_cost_(2 * limits.min_words),
        max_cost_(2 * limits.max_words),
        units_(SplitIntoUnits(document.text, max_cost_)) {
    FindPaths();
    FindSectionEnds();
  }

  std::vector<Passage> Run() {
    for (size_t i = 0; i < units_.size(); ++i) {
      if (BreaksBefore(i)) Flush(i);
      if (units_[i].level > 0) {
        NewTarget(i + 1);
      } else {
        if (cost_ == 0) NewTarget(i);
        cost_ += units_[i].cost;
      }
    }
    const bool any_left = first_ < units_.size();
    if (any_left && (cost_ == 0 || cost_ < min_cost_) && JoinsPrevious()) {
      groups_.back().end = units_.size();
    } else if (any_left) {
      groups_.push_back({first_, units_.size()});
    }
    std::vector<Passage> passages;
    for (const Group& group : groups_) passages.push_back(Render(group, passages.size() + 1));
    if (passages.empty()) {
      passages.push_back(
          {PassageId(document_.id, 1), document_.title, document_.text, 0, document_.text.size()});
    }
    for (Passage& passage : passages) passage.page = PageOf(document_, passage.begin);
    return passages;
  }

 private:
  struct Group {
    size_t begin = 0, end = 0;  // units
  };

  /// The headings above each unit; of a heading also itself.
  void FindPaths() {
    paths_.emplace_back();
    std::vector<std::pair<int, std::string>> open;
    for (const TextUnit& unit : units_) {
      if (unit.level > 0) {
        while (!open.empty() && open.back().first >= unit.level) open.pop_back();
        open.emplace_back(unit.level, HeadingText(Slice(unit.begin, unit.end)));
        Path path;
        for (const auto& [level, heading] : open) path.push_back(heading);
        paths_.push_back(std::move(path));
      }
      path_of_.push_back(paths_.size() - 1);
    }
  }

  /// Cost of each unit and the following ones, up to the next heading.
  void FindSectionEnds() {
    rest_.assign(units_.size() + 1, 0);
    for (size_t i = units_.size(); i-- > 0;) {
      rest_[i] = units_[i].level > 0 ? 0 : rest_[i + 1] + units_[i].cost;
    }
  }

  /// A section of more than one passage is cut into passages of about this length.
  void NewTarget(size_t unit) {
    const HalfWords all = cost_ + rest_[unit];
    target_ = all / std::max<HalfWords>(1, (all + max_cost_ - 1) / max_cost_);
  }

  bool BreaksBefore(size_t i) const {
    const TextUnit& unit = units_[i];
    if (cost_ == 0) return false;
    if (unit.level > 0) return cost_ >= min_cost_;
    if (cost_ + rest_[i] <= max_cost_) return false;
    const HalfWords early = std::max(min_cost_, target_ * 2 / 3);
    return cost_ + unit.cost > max_cost_ || (cost_ >= target_ && cost_ >= min_cost_) ||
           (unit.starts_paragraph && cost_ >= early);
  }

  /// Ends the passage before unit `end`; headings at its end lead the next one.
  void Flush(size_t end) {
    size_t last = end;
    while (units_[last - 1].level > 0) --last;
    groups_.push_back({first_, last});
    first_ = last;
    cost_ = 0;
  }

  bool JoinsPrevious() const {
    if (groups_.empty()) return false;
    HalfWords cost = cost_;
    for (size_t i = groups_.back().begin; i < groups_.back().end; ++i) cost += units_[i].cost;
    return cost <= max_cost_;
  }

  /// The headings above every sentence of the group.
  Path CommonPath(const Group& group) const {
    const Path* first = nullptr;
    size_t common = 0;
    for (size_t i = group.begin; i < group.end; ++i) {
      if (units_[i].level > 0) continue;
      const Path& path = paths_[path_of_[i]];
      if (first == nullptr) {
        first = &path;
        common = path.size();
      }
      const auto ends = std::mismatch(first->begin(), first->end(), path.begin(), path.end());
      common = std::min(common, static_cast<size_t>(ends.first - first->begin()));
    }
    return first == nullptr
               ? Path()
               : Path(first->begin(), first->begin() + static_cast<std::ptrdiff_t>(common));
  }

  Passage Render(const Group& group, size_t number) const {
    const Path common = CommonPath(group);
    Passage passage{.id = PassageId(document_.id, number),
                    .title = TitleOf(document_.title, common)};
    const TextUnit* previous = nullptr;
    for (size_t i = group.begin; i < group.end; ++i) {
      const TextUnit& unit = units_[i];
      const Path& path = paths_[path_of_[i]];
      const bool is_above =
          path.size() <= common.size() && std::equal(path.begin(), path.end(), common.begin());
      if (unit.level > 0 && is_above) continue;
      if (previous == nullptr) {
        passage.begin = unit.begin;
      } else if (previous->level > 0 || unit.level > 0) {
        passage.text += "\n\n";
      } else {
        passage.text += Slice(previous->end, unit.begin);
      }
      passage.text += unit.level > 0 ? path.back() : std::string(Slice(unit.begin, unit.end));
      passage.end = unit.end;
      previous = &unit;
    }
    return passage;
  }

  std::string_view Slice(size_t begin, size_t end) const {
    return std::string_view(document_.text).substr(begin, end - begin);
  }

  const Document& document_;
  const HalfWords min_cost_, max_cost_;
  const std::vector<TextUnit> units_;
  std::vector<Path> paths_;
  std::vector<size_t> path_of_;  // by unit, into paths_
  std::vector<HalfWords> rest_;  // by unit
  std::vector<Group> groups_;
  size_t first_ = 0;  // first unit of the current passage
  HalfWords cost_ = 0, target_ = 0;
};

}  // namespace

std::vector<Passage> SplitIntoPassages(const Document& document, const PassageLimits& limits) {
  return Splitter(document, limits).Run();
}

Document DocumentOf(const Document& document, const Passage& passage) {
  Document part = document;
  part.title = passage.title;
  part.text = passage.text;
  part.pages.clear();
  return part;
}

}  // namespace emptor::catalog
