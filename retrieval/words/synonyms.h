// The synonyms file: words and phrases that a shop treats as equal.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/text/stemmer.h"

namespace emptor::retrieval {

/// Immutable once parsed. Thread-safety: const methods.
/// The format (docs/search.md), UTF-8, a line each:
///   # a comment, or nothing
///   [de]                              the language of the lines that follow; [*]: any
///   tv, television, telly             each matches the others
///   notebook => laptop, ultrabook     the left matches the right, not the reverse
/// Phrases are folded (FoldWords), of at most kMaxWords words.
class Synonyms {
 public:
  static constexpr size_t kMaxFileBytes = size_t{4} << 20;
  static constexpr size_t kMaxLineBytes = 4096;
  static constexpr size_t kMaxWords = 6;       // of a phrase
  static constexpr size_t kMaxPhrases = 32;    // of a line
  static constexpr size_t kMaxLines = 100000;  // without comments and blank lines

  Synonyms() = default;

  /// Errors: kInvalidArgument "`name`:3: ..." for the first invalid line.
  static absl::StatusOr<Synonyms> Parse(std::string_view name, std::string_view text);

  /// Adds the entries of another list.
  void Add(const Synonyms& other);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }  // phrases with synonyms

  /// Calls `sink` with each synonym of a phrase in `words` (folded, in query order): words[first]
  /// to words[first + count - 1] match `other`. Longest match first; each word is in one match at
  /// most.
  void ForEachMatch(
      std::span<const std::string> words, Language language,
      const std::function<void(size_t first, size_t count, const std::string& other)>& sink) const;

 private:
  struct Alternative {
    Language language;
    bool any_language;
    std::string phrase;  // folded
  };

  void AddEntry(const std::string& from, const Alternative& to);

  std::map<std::string, std::vector<Alternative>, std::less<>> entries_;  // by folded phrase
};

/// The list that is shipped with Emptor: common names of goods.
const Synonyms& DefaultSynonyms();

}  // namespace emptor::retrieval
