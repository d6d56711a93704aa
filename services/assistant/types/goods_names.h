// The names that a shop's titles give to goods, learned from where they stand: what sells as
// "... Lens Hood" is a lens hood, though no lexicon lists it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace emptor::services {

struct TitleName;

/// English names, folded, singular. Built by Add, then Finish; immutable after that. Memory: the
/// words of the titles until Finish, then the names.
/// Thread-safety: const methods.
class GoodsNames {
 public:
  void Add(std::string_view title);
  /// `named`: the names that NamesInTitle finds in it.
  void Add(std::string_view title, const std::vector<TitleName>& named);
  void Finish();

  /// A word with which the names of different goods end: "hood", "cleaner".
  bool IsHead(const std::string& word) const { return heads_.contains(word); }

  /// Two or three words that name goods: "lens hood", "floor cleaner". Not what a condition says
  /// better: "wireless mouse", "leather wallet".
  bool Has(const std::string& name) const { return names_.contains(name); }

  /// The name that begins and ends so, the shortest: "vacuum cleaner bag" of "vacuum" and "bag";
  /// empty: none.
  std::string Between(const std::string& first, const std::string& last) const;

  /// The type of which nearly all products are whose titles begin with the word, or have it behind
  /// their maker: "laptop" of "thinkpad"; empty: none, or of several types. A word of the message
  /// may be plural.
  std::string TypeOfLine(const std::string& word) const;

  /// The head that a mistyped word means: "plug" of "plugg"; empty: none, or not a single one.
  std::string Nearest(const std::string& word) const;

 private:
  using WordId = uint32_t;
  struct Title {
    size_t begin = 0, end = 0;  // into ids_
    uint8_t head = 0;           // words of its head, up to one that may end a name
  };
  struct Count {
    uint32_t ends = 0;                  // titles whose head ends so
    uint32_t said = 0;                  // places where titles hold it
    std::array<WordId, 3> before = {};  // different words before it, where it ends a head
  };

  WordId Intern(const std::string& word);
  bool MayEndName(WordId word);
  /// Of up to three words, as one number.
  static uint64_t KeyOf(const WordId* words, size_t count);
  void CountEnds();
  void CountSaid();
  void TakeHeads();
  void TakeNames();
  void CountLine(const std::vector<TitleName>& names, const Title& added);
  void TakeLines();

  // Until Finish.
  std::unordered_map<std::string, WordId> by_raw_, by_word_;
  std::vector<std::string> words_ = {""};  // singular, by id
  std::vector<int8_t> may_end_ = {0};      // by id; below 0: not known yet
  std::vector<uint32_t> first_ = {0};      // by id: titles that begin with it
  std::vector<WordId> ids_;                // of the titles, one behind the other
  std::vector<Title> titles_;
  std::unordered_map<uint64_t, Count> counts_;
  std::unordered_map<WordId, std::map<std::string, uint32_t>> line_types_;  // titles by type

  std::unordered_set<std::string> heads_, names_;
  std::unordered_map<std::string, std::string> lines_;    // of products: their types
  std::unordered_map<std::string, std::string> by_ends_;  // names of three words: "vacuum bag"
};

/// The word of `known` that differs by one letter that is wrong, missing, added or swapped with the
/// next; of longer words by two. The first letter is taken to be right. Empty: none, or several.
/// Pure.
std::string NearestWord(const std::string& word, const std::unordered_set<std::string>& known);

}  // namespace emptor::services
