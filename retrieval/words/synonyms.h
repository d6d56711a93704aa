// The synonyms file: words that a shop wants to be read alike.
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
///   tv, television, telly             each stands for each
///   notebook => laptop, ultrabook     who says the left finds the right as well, not the reverse
/// Phrases are folded (FoldWords), of at most kMaxWords words.
class Synonyms {
 public:
  static constexpr size_t kMaxFileBytes = size_t{4} << 20;
  static constexpr size_t kMaxLineBytes = 4096;
  static constexpr size_t kMaxWords = 6;       // of a phrase
  static constexpr size_t kMaxPhrases = 32;    // of a line
  static constexpr size_t kMaxLines = 100000;  // that say something

  Synonyms() = default;

  /// Errors: kInvalidArgument "`name`:3: ..." for the first line that says nothing clear.
  static absl::StatusOr<Synonyms> Parse(std::string_view name, std::string_view text);

  /// Adds the entries of another list.
  void Add(const Synonyms& other);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }  // phrases that have others

  /// Calls `sink` with each phrase that `words` (folded, in the order of the query) may also be
  /// called by: first and count say which words. Longest match first, each word in one match.
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

/// The list that comes with Emptor: common names of goods, written for it.
const Synonyms& DefaultSynonyms();

}  // namespace emptor::retrieval
