// Words of the catalog grouped by stem, and German compounds by their head.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "retrieval/words/vocabulary.h"

namespace emptor::retrieval {

/// Immutable. 12 bytes for each word and language of the catalog.
/// Thread-safety: const methods. Lifetime: the vocabulary outlives it.
class WordFamilies {
 public:
  explicit WordFamilies(const Vocabulary& vocabulary);

  /// The catalog's words with the same stem as `word` in `language`, without `word` itself. `word`
  /// need not be in the catalog.
  std::vector<WordId> WithSameStem(Language language, std::string_view word) const;

  /// German compounds that end in `head` and begin with another word of the catalog
  /// ("wasserkocher" for "kocher"), most frequent first, at most `limit`.
  std::vector<WordId> CompoundsOf(std::string_view head, size_t limit) const;

  /// The heads of a German compound, longest first: "edelstahlwasserkocher" gives "wasserkocher",
  /// "kocher".
  std::vector<WordId> HeadsOf(std::string_view compound) const;

 private:
  using Entry = std::pair<uint64_t, WordId>;  // hash of the stem or head, word

  void AddStems(Language language);
  void AddCompounds();
  bool IsModifier(std::string_view begin) const;

  const Vocabulary& vocabulary_;
  std::map<Language, std::vector<Entry>> stems_;  // each sorted
  std::vector<Entry> compounds_;                  // by head, sorted
};

}  // namespace emptor::retrieval
