// Places the nodes of the trie in a double array, depth first, each at the first place that fits.
// Layout: charsmap.cc.
#include "engine/tokenizer/charsmap_builder.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emptor::engine {
namespace {

using Rules = std::map<std::string, std::string>;

constexpr uint32_t kMaxUnits = 1u << 21;     // what an offset of a unit can reach
constexpr uint32_t kLeaf = 1u << 31;         // marks a value; no label has it
constexpr uint32_t kUnused = kLeaf | 0xffu;  // equals the label of no byte
constexpr uint32_t kHasLeaf = 1u << 8;

/// Sorted rules become units; replacements are stored once.
class Builder {
 public:
  explicit Builder(const Rules& rules) { Grow(1), Place(rules.begin(), rules.end(), 0, 0, 0); }

  absl::StatusOr<std::string> Finish() const {
    if (units_.size() > kMaxUnits) return absl::ResourceExhaustedError("trie: too many rules");
    const auto bytes = static_cast<uint32_t>(units_.size() * sizeof(uint32_t));
    std::string out(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    out.append(reinterpret_cast<const char*>(units_.data()), bytes);
    return out + replacements_;
  }

 private:
  /// A child of a node: the rules that continue with its byte.
  struct Child {
    uint8_t byte;
    Rules::const_iterator begin, end;
  };

  /// Writes the unit at `at`, reached by `label`, of the rules [begin, end), which share their
  /// first `depth` bytes.
  void Place(Rules::const_iterator begin, Rules::const_iterator end, size_t depth, uint32_t at,
             uint8_t label) {
    const bool ends_here = begin->first.size() == depth;
    const uint32_t value = ends_here ? Replacement(begin->second) : 0;
    if (ends_here) ++begin;
    std::vector<Child> children;
    for (auto rule = begin; rule != end; ++rule) {
      const auto byte = static_cast<uint8_t>(rule->first[depth]);
      if (children.empty() || children.back().byte != byte) children.push_back({byte, rule, rule});
      children.back().end = std::next(rule);
    }
    const uint32_t base = FindBase(children, ends_here);
    if (units_.size() > kMaxUnits) return;
    is_base_[base] = true;
    units_[at] = (at ^ base) << 10 | (ends_here ? kHasLeaf : 0) | label;
    if (ends_here) Take(base, kLeaf | value);
    for (const Child& child : children) Take(base ^ child.byte, child.byte);
    for (const Child& child : children) {
      Place(child.begin, child.end, depth + 1, base ^ child.byte, child.byte);
    }
  }

  /// The lowest base that no node has yet, where the places of the children and of the value are
  /// free. Nodes of one base would find each other's children.
  uint32_t FindBase(const std::vector<Child>& children, bool ends_here) {
    while (first_free_ < units_.size() && taken_[first_free_]) ++first_free_;
    const uint8_t first = ends_here ? 0 : children.front().byte;
    for (uint32_t place = first_free_; place <= kMaxUnits; ++place) {
      const uint32_t base = place ^ first;
      Grow((base | 0xffu) + 1);
      bool fits = !is_base_[base] && !(ends_here && taken_[base]);
      for (const Child& child : children) fits = fits && !taken_[base ^ child.byte];
      if (fits) return base;
    }
    return 0;
  }

  void Take(uint32_t at, uint32_t unit) {
    units_[at] = unit;
    taken_[at] = true;
  }

  void Grow(size_t units) {
    if (units <= units_.size()) return;
    units_.resize(units, kUnused);
    taken_.resize(units, false);
    is_base_.resize(units, false);
    taken_[0] = true;  // the root
  }

  uint32_t Replacement(const std::string& text) {
    const auto [found, added] =
        offsets_.try_emplace(text, static_cast<uint32_t>(replacements_.size()));
    if (added) replacements_.append(text).push_back('\0');
    return found->second;
  }

  std::vector<uint32_t> units_;
  std::vector<bool> taken_, is_base_;
  uint32_t first_free_ = 1;
  std::string replacements_;
  std::unordered_map<std::string, uint32_t> offsets_;
};

}  // namespace

absl::StatusOr<std::string> BuildCharsmap(const Rules& rules) {
  if (rules.empty()) return absl::InvalidArgumentError("no rules");
  for (const auto& [source, replacement] : rules) {
    const bool zero = (source + replacement).find('\0') != std::string::npos;
    if (source.empty() || zero) return absl::InvalidArgumentError("an empty source or a zero byte");
  }
  return Builder(rules).Finish();
}

}  // namespace emptor::engine
