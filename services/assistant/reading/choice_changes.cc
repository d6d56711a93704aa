// Phrases of data/lexicon/parts.txt around the names of goods and their counts.
#include "services/assistant/reading/choice_changes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/assistant/reading/part_words.h"
#include "services/assistant/reading/typed_text.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using View = std::string_view;
using Kind = ChoiceChange::Kind;

constexpr size_t kMaxClauseWords = 16;
constexpr size_t kMaxGoodsWords = 7;  // of "the black one with the wooden handle"

/// "I want that one", "ill buy this".
bool SettlesOnly(View clause) {
  const Chosen chosen = ChosenIn(clause);
  return chosen.chooses && !chosen.text.empty() && NamesNothing(chosen.text) &&
         !NamesPlaces(retrieval::TokenizeQuery(chosen.text));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// "Twice", "zweimal"; 0: it is no such word.
int TimesOf(const std::string& word) {
  static constexpr std::array<std::pair<View, int>, 6> kTimes = {{{"twice", 2},
                                                                  {"thrice", 3},
                                                                  {"zweimal", 2},
                                                                  {"dreimal", 3},
                                                                  {"viermal", 4},
                                                                  {"funfmal", 5}}};
  const auto* const found = std::find_if(kTimes.begin(), kTimes.end(),
                                         [&](const auto& each) { return each.first == word; });
  return found == kTimes.end() ? 0 : found->second;
}

/// "3x", "x3".
bool IsMarked(const std::string& word) {
  return (word.front() == 'x' && IsDigit(word.back())) ||
         (word.back() == 'x' && IsDigit(word.front()));
}

/// "3", "three", "3x", "zweimal"; 0: it is no number of pieces.
int CountOf(const std::string& word) {
  if (const int times = TimesOf(word); times > 0) return times;
  std::string digits = word;
  if (IsMarked(word)) std::erase(digits, 'x');
  const int number = NumberOfWord(digits);
  return number >= 1 && number <= kMaxPieces ? number : 0;
}

bool IsTimes(const std::string& word) {
  return CountOf(word) > 0 && (IsMarked(word) || TimesOf(word) > 0);
}

class ClauseReader {
 public:
  explicit ClauseReader(View clause)
      : text_(clause), words_(text_.words()), folded_(clause), end_(words_.size()) {}

  std::optional<ChoiceChange> Run() {
    const bool is_empty = words_.empty() || words_.size() > kMaxClauseWords;
    if (is_empty) return {};
    SkipLead();
    if (IsList()) return ChoiceChange{Kind::kList};
    if (HasCue(folded_, Cue::kTotal) || HasCue(folded_, Cue::kCompare)) return {};
    if (auto swap = ReadSwap()) return swap;
    if (auto drop = ReadDrop()) return drop;
    return ReadTake();
  }

  /// The goods of a clause that only names them: so many, or one each of several.
  std::optional<ChoiceChange> Named(int count, bool is_several) {
    SkipLead();
    ChoiceChange change;
    change.adds = Skip("also");
    Skip("chooses");
    Skip("adds");
    const bool asks = begin_ >= end_ || AsksSomething() || HasCue(folded_, Cue::kTotal) ||
                      HasCue(folded_, Cue::kIndefinite) || HasCue(folded_, Cue::kNegation);
    if (asks) return {};
    std::vector<std::pair<size_t, size_t>> pieces = {{begin_, end_}};
    if (is_several) pieces = Pieces(begin_, end_);
    if (is_several && pieces.size() < 2) return {};
    for (const auto& [begin, end] : pieces) {
      CountedGoods goods{.text = Goods(begin, end), .count = count};
      if (goods.text.empty()) return {};
      change.goods.push_back(std::move(goods));
    }
    return change;
  }

 private:
  /// "Ok", "hmm actually".
  void SkipLead() {
    for (size_t length = 1; length > 0 && begin_ < end_; begin_ += length) {
      length = LengthAtStart(words_, begin_, "accepts");
      has_choice_ |= length > 0;
      // "No" may drop what follows.
      if (length == 0 && LengthAtStart(words_, begin_, "lacks") == 0) {
        length = LengthAtStart(words_, begin_, "fills");
      }
    }
  }

  /// Steps over a phrase of the head, where one stands there.
  bool Skip(View head) {
    const size_t length = LengthAtStart(words_, begin_, head);
    begin_ += length;
    return length > 0;
  }

  bool IsList() const {
    const size_t length = LengthAtStart(words_, begin_, "lists");
    return length > 0 && TellingWords(FoldedMessage(text_.Between(begin_ + length, end_))).empty();
  }

  std::optional<ChoiceChange> ReadSwap() const {
    if (const size_t length = LengthAtStart(words_, begin_, "swaps")) {
      return SwapAt(begin_ + length, "swapped_for", false);
    }
    if (const size_t length = LengthAtStart(words_, begin_, "in_place_of")) {
      return SwapAt(begin_ + length, "takes", false);
    }
    const size_t chooses = LengthAtStart(words_, begin_, "chooses");
    return SwapAt(begin_ + chooses, "in_place_of", true);
  }

  /// The goods on both sides of a joint; `is_turned`: what comes stands before it.
  std::optional<ChoiceChange> SwapAt(size_t begin, View joint, bool is_turned) const {
    for (size_t at = begin + 1; at < end_; ++at) {
      const size_t length = LengthAtStart(words_, at, joint);
      if (length == 0 || at + length >= end_) continue;
      std::string left = Goods(begin, at), right = Goods(at + length, end_);
      const bool is_one =
          NamedPieces(begin, at).size() == 1 && NamedPieces(at + length, end_).size() == 1;
      if (left.empty() || right.empty() || !is_one) return {};
      if (is_turned) std::swap(left, right);
      return ChoiceChange{Kind::kSwap, {{std::move(left)}, {std::move(right)}}};
    }
    return {};
  }

  std::optional<ChoiceChange> ReadDrop() const {
    size_t begin = begin_, end = end_ - Trail(begin_, end_);
    bool is_sure = false, is_weak = false;
    while (const size_t length = LengthAtEnd(words_, begin, end, "drops_behind")) {
      end -= length;
      is_sure = true;
    }
    if (const size_t length = LengthAtStart(words_, begin, "drops")) {
      begin += length;
      is_sure = true;
    } else if (const size_t weak = LengthAtStart(words_, begin, "lacks")) {
      begin += weak;
      is_weak = !is_sure && !IsPointing(begin, end);
      is_sure = true;
    } else if (is_sure) {
      begin += LengthAtStart(words_, begin, "wants");
    }
    if (!is_sure || begin >= end) return {};
    ChoiceChange change{.kind = Kind::kDrop, .goods = {}, .is_weak = is_weak};
    for (const auto& [from, to] : NamedPieces(begin, end)) {
      // "Drop the mouse and the kettle", not "drop the mouse and make it 2".
      if (from > begin && !IsPointing(from, to)) return {};
      CountedGoods goods = ReadDropped(from, to);
      if (goods.text.empty()) return {};
      change.goods.push_back(std::move(goods));
    }
    return change;
  }

  /// "One of the mice".
  CountedGoods ReadDropped(size_t begin, size_t end) const {
    CountedGoods goods;
    goods.count = 0;
    const size_t of = begin + 1 < end ? LengthAtStart(words_, begin + 1, "of") : 0;
    if (of > 0) {
      goods.count = LengthAtStart(words_, begin, "one") > 0 ? 1 : CountOf(words_[begin]);
    }
    if (goods.count > 0) begin += 1 + of;
    goods.text = Goods(begin, end);
    return goods;
  }

  std::optional<ChoiceChange> ReadTake() {
    if (AsksSomething()) return {};
    ChoiceChange change;
    Skip("but");
    change.adds = Skip("also");
    const bool is_set = Skip("counts");
    has_choice_ |= is_set || Skip("chooses");
    if (Skip("adds")) change.adds = has_choice_ = true;
    while (const size_t length = Trail(begin_, end_)) {
      if (length >= end_ - begin_) break;
      end_ -= length;
      has_choice_ = true;
    }
    bool counts = is_set;
    for (const auto& [begin, end] : Pieces(begin_, end_)) {
      auto piece = ReadPiece(begin, end, is_set, change.adds);
      if (!piece) return {};
      counts |= piece->second;
      change.goods.push_back(std::move(piece->first));
    }
    const bool is_added = change.adds && change.goods.size() == 1;
    if (change.goods.empty() || !(counts || is_added || (has_choice_ && SaysSeveral(change)))) {
      return {};
    }
    return change;
  }

  bool AsksSomething() const {
    constexpr std::array kAsking = {Cue::kPrice, Cue::kStock,   Cue::kRating,
                                    Cue::kLike,  Cue::kHowMany, Cue::kDetail};
    // "Wieviel Umdrehungen", "how loud".
    const bool asks_degree = LengthAtStart(words_, begin_, "degrees") > 0 ||
                             LengthAtStart(words_, begin_ + 1, "degrees") > 0;
    return asks_degree || HasCue(folded_, Cue::kYesNo) || HasCue(folded_, Cue::kWh) ||
           std::any_of(kAsking.begin(), kAsking.end(),
                       [&](const Cue cue) { return HasCue(folded_, cue); });
  }

  bool BeginsPiece(size_t at) const {
    constexpr std::array<View, 4> kHeads = {"one", "counts", "adds", "takes"};
    return CountOf(words_[at]) > 0 || IsPointing(at, at + 1) ||
           std::any_of(kHeads.begin(), kHeads.end(),
                       [&](View head) { return LengthAtStart(words_, at, head) > 0; });
  }

  /// "2 of those", "3 of the second" and "one of the other" of the words from `begin` to `end`.
  std::vector<std::pair<size_t, size_t>> Pieces(size_t begin, size_t end) const {
    std::vector<std::pair<size_t, size_t>> pieces;
    for (size_t at = begin; at < end;) {
      const size_t joint = LengthAtStart(words_, at, "joins");
      // "The dog bed, small" is one name.
      const bool begins = text_.BreaksBefore(at) && BeginsPiece(at);
      if (joint == 0 && !begins) {
        ++at;
        continue;
      }
      if (at > begin) pieces.emplace_back(begin, at);
      begin = at + joint;
      at = std::max(begin, at + 1);
    }
    if (begin < end) pieces.emplace_back(begin, end);
    return pieces;
  }

  /// The same, where "the salt and pepper mill" is one name.
  std::vector<std::pair<size_t, size_t>> NamedPieces(size_t begin, size_t end) const {
    std::vector<std::pair<size_t, size_t>> pieces;
    for (const auto& piece : Pieces(begin, end)) {
      if (!pieces.empty() && !BeginsPiece(piece.first)) {
        pieces.back().second = piece.second;
      } else {
        pieces.push_back(piece);
      }
    }
    return pieces;
  }

  /// A part of the clause that names goods and counts them.
  struct Piece {
    size_t begin = 0, end = 0;  // of the words that name the goods
    int count = 1;
    bool is_counted = false;
    bool is_sure = true;  // see CountedGoods
    bool is_more = false;
  };

  /// "2 of those", "one of the other"; `is_set`: behind "make it".
  void CountInFront(bool is_set, bool adds, Piece& piece) const {
    const std::string& word = words_[piece.begin];
    const bool is_one = LengthAtStart(words_, piece.begin, "one") > 0;
    const int count = is_one ? 1 : CountOf(word);
    if (count == 0) return;
    size_t behind = piece.begin + 1;
    const auto skip = [&](View head) {
      const size_t length = behind < piece.end ? LengthAtStart(words_, behind, head) : 0;
      behind += length;
      return length > 0;
    };
    piece.is_more = skip("more");
    const bool has_of = skip("of");
    // "Une chaise" counts nothing, and "also a 64 gb card" no cards.
    const bool is_article = is_one && word != "one" && word != "1";
    piece.is_sure = has_of || (adds && is_one && !is_article);
    piece.is_counted = piece.is_sure || IsTimes(word) || (!is_article && (is_set || has_choice_));
    if (!piece.is_counted) return;
    piece.count = count;
    piece.begin = behind;
  }

  /// "Gr 777 two pcs", "the kettle x2", "make the kettle 2".
  void CountBehind(bool is_set, Piece& piece) const {
    if (piece.is_counted || piece.end < piece.begin + 2) return;
    const size_t last = piece.end - 1;
    const bool has_unit = piece.end >= piece.begin + 3 && LengthAtStart(words_, last, "units") > 0;
    const int count = CountOf(words_[has_unit ? last - 1 : last]);
    const bool is_times = !has_unit && last > 1 && words_[last - 1] == "x";
    if (count == 0 || !(has_unit || is_set || is_times || IsTimes(words_[last]))) return;
    piece.count = count;
    piece.is_counted = true;
    piece.is_sure = has_unit ? piece.is_sure : IsPointing(piece.begin, piece.begin + 1);
    piece.end -= has_unit || is_times ? 2 : 1;
  }

  /// The goods, and whether they are counted; nothing where it is neither a count nor goods.
  std::optional<std::pair<CountedGoods, bool>> ReadPiece(size_t from, size_t to, bool is_set,
                                                         bool adds) const {
    Piece piece{from, to};
    CountInFront(is_set, adds, piece);
    CountBehind(is_set, piece);
    // "4 of them for my class".
    for (size_t at = piece.begin + 1; piece.is_counted && at < piece.end; ++at) {
      const bool is_for = LengthAtStart(words_, at, "for") > 0;
      if (is_for && NamesNothing(text_.Between(piece.begin, at))) piece.end = at;
    }
    CountedGoods goods;
    goods.count = piece.count;
    goods.is_sure = piece.is_sure;
    goods.is_more = piece.is_more;
    if (piece.begin < piece.end) {
      goods.text = Goods(piece.begin, piece.end);
      if (goods.text.empty()) return {};
    }
    if (!piece.is_counted && !IsPointing(piece.begin, piece.end)) return {};
    goods.is_counted = piece.is_counted || adds;
    return std::pair{std::move(goods), piece.is_counted};
  }

  /// "Both", "the first and the third", not one alone.
  static bool SaysSeveral(const ChoiceChange& change) {
    if (change.goods.size() > 1) return true;
    const FoldedMessage folded(change.goods.front().text);
    return HasCue(folded, Cue::kBoth) || HasCue(folded, Cue::kRefTwo) ||
           HasCue(folded, Cue::kRefSeveral);
  }

  /// Words behind what is said: "please", "then", "tho".
  size_t Trail(size_t begin, size_t end) const {
    return std::max(LengthAtEnd(words_, begin, end, "closes"),
                    LengthAtEnd(words_, begin, end, "trails"));
  }

  /// "The second", "both", "it", not "a case for it".
  bool IsPointing(size_t begin, size_t end) const {
    if (begin >= end) return false;
    const FoldedMessage first = FoldedMessage::FromFolded(words_[begin]);
    const std::string text = text_.Between(begin, end);
    return HasCue(first, Cue::kDefinite) || HasCue(first, Cue::kDemonstrative) ||
           NamesPlaces(retrieval::TokenizeQuery(text)) || HasCue(FoldedMessage(text), Cue::kBoth) ||
           NamesNothing(text);
  }

  /// Empty: too long for the name of goods.
  std::string Goods(size_t begin, size_t end) const {
    while (const size_t length = Trail(begin, end)) {
      if (length >= end - begin) break;
      end -= length;
    }
    return begin < end && end - begin <= kMaxGoodsWords ? text_.Between(begin, end) : "";
  }

  const TypedText text_;
  const std::vector<std::string>& words_;
  const FoldedMessage folded_;
  size_t begin_ = 0, end_;
  bool has_choice_ = false;  // "ok", "i'll take", "please"
};

/// "三个", "4台"; 0: it says something else.
int WidePiecesOf(View text) {
  static constexpr std::array<View, 10> kDigits = {"一", "二", "三", "四", "五",
                                                   "六", "七", "八", "九", "十"};
  int count = 0;
  size_t length = 0;
  for (; length < text.size() && IsDigit(text[length]) && count <= kMaxPieces; ++length) {
    count = count * 10 + (text[length] - '0');
  }
  for (size_t i = 0; i < kDigits.size() && length == 0; ++i) {
    if (!text.starts_with(kDigits[i])) continue;
    count = static_cast<int>(i) + 1;
    length = kDigits[i].size();
  }
  if (constexpr View kPair = "两"; length == 0 && text.starts_with(kPair)) {
    count = 2;
    length = kPair.size();
  }
  const auto& measures = PartPhrases("measures");
  const bool is_counted =
      std::find(measures.begin(), measures.end(), text.substr(length)) != measures.end();
  return is_counted && count <= kMaxPieces ? count : 0;
}

/// "不要鼠标了", "要三个".
std::optional<ChoiceChange> ReadWideChange(View clause) {
  const auto starts = [&](View head) {
    for (const std::string& phrase : PartPhrases(head)) {
      if (IsWideText(phrase) && clause.starts_with(phrase)) return phrase.size();
    }
    return size_t{0};
  };
  if (starts("lists") > 0) return ChoiceChange{Kind::kList};
  const size_t drops = starts("drops");
  for (const std::string& phrase : PartPhrases("drops_behind")) {
    const bool ends = IsWideText(phrase) && clause.ends_with(phrase);
    if (!ends || clause.size() <= drops + phrase.size()) continue;
    const View goods = clause.substr(drops, clause.size() - drops - phrase.size());
    return ChoiceChange{Kind::kDrop, {{std::string(goods), 0}}};
  }
  if (constexpr View kEnd = "了"; drops > 0 && clause.ends_with(kEnd)) {
    clause.remove_suffix(kEnd.size());
  }
  if (drops > 0 && clause.size() > drops) {
    return ChoiceChange{Kind::kDrop, {{std::string(clause.substr(drops)), 0}}};
  }
  const size_t sets = starts("counts");
  const int count = sets > 0 ? WidePiecesOf(clause.substr(sets)) : 0;
  if (count == 0) return {};
  return ChoiceChange{Kind::kTake, {{"", count}}};
}

}  // namespace

std::optional<ChoiceChange> ReadChoiceChange(View clause) {
  return IsWideText(clause) ? ReadWideChange(clause) : ClauseReader(clause).Run();
}

std::optional<ChoiceChange> ReadCountedBehind(View goods, View count) {
  if (IsWideText(goods) || goods.ends_with('?')) return {};
  // "Drop the first, make it 2" counts nothing that goes.
  const auto before = ReadChoiceChange(goods);
  if (before && before->kind != Kind::kTake) return {};
  auto change = ReadChoiceChange(count);
  const bool is_one = LengthAtStart(SplitWords(FoldedMessage(count).text()), 0, "one") > 0 &&
                      FoldedMessage(count).word_count() == 1;
  if (is_one) change = ChoiceChange{Kind::kTake, {{}}};
  if (!change && SettlesOnly(count)) change = ChoiceChange{.goods = {{}}, .settles = true};
  if (!change || change->kind != Kind::kTake || change->goods.size() != 1) return {};
  CountedGoods& counted = change->goods.front();
  const FoldedMessage said(counted.text);
  const bool is_both = HasCue(said, Cue::kBoth) || HasCue(said, Cue::kRefTwo);
  if (!is_both && !NamesNothing(counted.text)) return {};
  const bool settles = change->settles;
  auto named = ClauseReader(goods).Named(counted.count, is_both);
  if (named) named->settles = settles;
  return named;
}

}  // namespace emptor::services
