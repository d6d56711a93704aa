// Autocomplete: brands, categories, phrases, titles and frequent queries that begin with the typed
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emptor::retrieval {

enum class CompletionKind : uint8_t { kBrand, kCategory, kQuery, kPhrase, kProduct };

/// "brand", "category", "query", "phrase", "product".
std::string_view ToString(CompletionKind kind);

/// One completion. `text` is shown; FoldWords(text) is compared with the typed text.
struct Completion {
  std::string text = {};
  CompletionKind kind = CompletionKind::kPhrase;
  uint32_t count = 0;    // matching records; for a query, how often it was asked
  float popularity = 0;  // orders completions, higher first
  std::string id = {};   // of a product

  friend bool operator==(const Completion&, const Completion&) = default;
};

/// Immutable. Sorted keys with a segment tree over popularity: each result costs O(log n)
/// comparisons, however many keys share the prefix.
/// Thread-safety: const methods.
class Completions {
 public:
  Completions() = default;
  explicit Completions(std::vector<Completion> entries);

  /// From this many typed characters on, one edit (substitution, insertion, deletion or
  /// transposition) is tolerated.
  static constexpr size_t kTolerantFrom = 4;
  static constexpr size_t kMaxTypedBytes = 128;

  /// At most `limit` completions of `typed`: exact prefix matches first, then matches with one
  /// edit, each group by popularity, then by text. No two fold to the same text. Text without
  /// letters or digits has none, nor has text whose folded form exceeds kMaxTypedBytes.
  std::vector<Completion> Complete(std::string_view typed, size_t limit) const;

  size_t size() const { return entries_.size(); }

 private:
  using Range = std::pair<size_t, size_t>;  // [first, last) in entries_

  struct Entry {
    std::string key;
    Completion completion;
  };

  Range Narrow(Range range, size_t depth, std::string_view letters) const;
  std::vector<Range> RangesByDepth(std::string_view key) const;
  std::vector<Range> NearRanges(std::string_view key) const;
  size_t MostPopular(Range range) const;
  bool IsBefore(size_t a, size_t b) const;
  void Collect(std::span<const Range> ranges, size_t limit, std::vector<size_t>& found) const;

  std::vector<Entry> entries_;     // ascending by key, then as IsBefore
  std::vector<uint32_t> winners_;  // segment tree: [size, 2 size) leaves, [i] of [2i], [2i + 1]
};

}  // namespace emptor::retrieval
