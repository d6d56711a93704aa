// The order of the readers; brands, colours, sizes and categories.
#include "retrieval/query/constraints.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "retrieval/filter/filter_terms.h"
#include "retrieval/query/measure_words.h"
#include "retrieval/query/negation_words.h"
#include "retrieval/query/price_words.h"
#include "retrieval/query/stock_words.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/english.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/stop_words.h"

namespace emptor::retrieval {
namespace {

using Kind = QueryToken::Kind;
using Tokens = std::vector<QueryToken>;
using WordSet = std::unordered_set<std::string_view>;

constexpr size_t kMaxBrandWords = 4;
constexpr size_t kMinBrandBytes = 2;

/// Reads what the catalog itself names: brand, colour, size, category.
class CatalogReader {
 public:
  /// `taken` grows by the tokens that became a condition here; they stay in the search text.
  CatalogReader(const Tokens& tokens, std::string_view message, const QueryVocabulary& vocabulary,
                const ConstraintOptions& options, std::vector<bool>& taken, Filter& filter)
      : tokens_(tokens),
        message_(message),
        vocabulary_(vocabulary),
        options_(options),
        taken_(taken),
        filter_(filter) {}

  void ReadBrands() {
    for (size_t at = 0; at < tokens_.size();) {
      size_t length = Free(at, kMaxBrandWords);
      while (length > 0 && !TakeBrand(at, length)) --length;
      at += std::max<size_t>(length, 1);
    }
  }

  void ReadColors() {
    for (size_t at = 0; at < tokens_.size(); ++at) {
      const size_t length = tokens_[at].kind == Kind::kIdeograph ? 2 : 1;
      if (Free(at, length) < length) continue;
      const std::string color(FindColor(Folded(at, length)));
      if (color.empty() || !IsColorOfThing(at, length)) continue;
      if (!vocabulary_.Find(FilterField::kColor, color)) continue;
      Mark(at, length);
      const auto known = std::find(filter_.colors.begin(), filter_.colors.end(), color);
      if (known == filter_.colors.end()) filter_.colors.push_back(color);
    }
  }

  /// "size 10", "size XL", "Größe 42", "taille M".
  void ReadSize() {
    static const WordSet kSizes = {"size", "grösse", "taille", "pointure", "talla"};
    for (size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (kSizes.count(tokens_[at].text) == 0 || Free(at, 2) < 2) continue;
      const std::string value = Folded(at + 1, 1);
      const auto known = vocabulary_.Find(FilterField::kAttribute, AttributeKey("size", value));
      if (!known) continue;
      filter_.attributes.push_back({"size", {std::string(SplitAttributeKey(known->text).value)}});
      Mark(at, 2);
    }
  }

  /// A category if its name is the whole search text ("kettles under 50"), since a word of a
  /// longer text may name what the product is for.
  void ReadCategory() {
    size_t first = tokens_.size(), last = 0;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const bool says = !taken_[i] && tokens_[i].kind != Kind::kPunctuation && !IsFrame(i);
      if (!says) continue;
      first = std::min(first, i);
      last = i;
    }
    if (first > last || last - first > 5 || Free(first, last - first + 1) < last - first + 1)
      return;
    std::string name = Folded(first, last - first + 1);
    auto known = vocabulary_.Find(FilterField::kCategory, name);
    if (!known && name.ends_with('s')) {
      name.pop_back();
      known = vocabulary_.Find(FilterField::kCategory, name);
    } else if (!known) {
      known = vocabulary_.Find(FilterField::kCategory, name + "s");
    }
    if (known) filter_.categories.push_back(known->text);
  }

 private:
  std::string Folded(size_t at, size_t length) const {
    const size_t begin = tokens_[at].begin, end = tokens_[at + length - 1].end;
    return FoldForComparison(message_.substr(begin, end - begin));
  }

  size_t Free(size_t at, size_t most) const {
    size_t count = 0;
    while (count < most && at + count < tokens_.size() && !taken_[at + count]) ++count;
    return count;
  }

  void Mark(size_t at, size_t length) {
    for (size_t i = at; i < at + length; ++i) taken_[i] = true;
  }

  bool IsFrame(size_t at) const {
    const std::string& word = tokens_[at].text;
    return IsStopWord(word) || IsRequestWord(word);
  }

  bool TakeBrand(size_t at, size_t length) {
    std::string name = Folded(at, length);
    for (const std::string_view owner : {"'s", "’s"}) {
      if (name.ends_with(owner)) name.resize(name.size() - owner.size());
    }
    const auto brand = vocabulary_.Find(FilterField::kBrand, name);
    if (!brand) return false;
    const bool called =
        at > 0 && (tokens_[at - 1].text == "by" || tokens_[at - 1].text == "brand" ||
                   tokens_[at - 1].text == "von");
    const bool is_color = length == 1 && !FindColor(name).empty();
    const bool is_other = is_color ? !IsWrittenAsName(at) : IsOtherWord(name, length);
    if (!called && (is_other || !OwnsItsName(*brand, name))) return false;
    Mark(at, length);
    if (IsMeantOtherwise(at, length)) return true;
    const auto known = std::find(filter_.brands.begin(), filter_.brands.end(), brand->text);
    if (known == filter_.brands.end()) filter_.brands.push_back(brand->text);
    return true;
  }

  /// Words that usually mean something other than a brand.
  bool IsOtherWord(const std::string& name, size_t length) const {
    if (length > 1) return false;
    const bool number = name.find_first_not_of("0123456789.,") == std::string::npos;
    return number || name.size() < kMinBrandBytes || IsStopWord(name) || IsRequestWord(name) ||
           !FindColor(name).empty();
  }

  /// "Any Braun ones", "by Braun": a name that is a colour as well, written as a name or behind a
  /// word that names a maker; not "in Braun".
  bool IsWrittenAsName(size_t at) const {
    static const WordSet kMakers = {"by",   "brand", "von",  "from", "any",
                                    "some", "de",    "chez", "marca"};
    static const WordSet kColors = {"in", "en", "color", "colour", "farbe", "couleur"};
    const std::string_view before = at > 0 ? std::string_view(tokens_[at - 1].text) : "";
    if (at == 0 || kColors.count(before) != 0) return false;
    const auto first = static_cast<unsigned char>(message_[tokens_[at].begin]);
    return kMakers.count(before) != 0 || std::isupper(first) != 0;
  }

  /// Whether enough of the records that contain the word are of that brand.
  bool OwnsItsName(const CatalogValue& brand, const std::string& name) const {
    if (!vocabulary_.mentions) return true;
    size_t mentions = SIZE_MAX;
    for (const std::string& term : ExclusionTerms(name)) {
      mentions = std::min(mentions, vocabulary_.mentions(term));
    }
    if (mentions == SIZE_MAX || mentions <= brand.records) return true;
    return static_cast<double>(brand.records) >=
           options_.min_brand_share * static_cast<double>(mentions);
  }

  /// "ink for HP printers", "compatible with Sony", "like Bose": the brand of another thing.
  bool IsMeantOtherwise(size_t at, size_t length) const {
    static const WordSet kBefore = {"for", "with",     "to",          "than",    "like", "not",
                                    "no",  "without",  "except",      "besides", "on",   "my",
                                    "für", "fur",      "pour",        "para",    "avec", "mit",
                                    "com", "replaces", "replacement", "fits"};
    static const WordSet kBehind = {"compatible", "style",       "type",
                                    "kompatibel", "alternative", "alternatives"};
    const size_t behind = at + length;
    return (at > 0 && kBefore.count(tokens_[at - 1].text) != 0) ||
           (behind < tokens_.size() && kBehind.count(tokens_[behind].text) != 0);
  }

  /// The colours in "orange juice", "black and white", "color: red light" are not conditions.
  bool IsColorOfThing(size_t at, size_t length) const {
    static const WordSet kBehind = {"friday",     "juice", "tea",    "wine",  "rice",   "pepper",
                                    "noise",      "light", "lights", "ray",   "plated", "screen",
                                    "tooth",      "board", "box",    "house", "oak",    "walnut",
                                    "cherry",     "pine",  "tone",   "ink",   "toner",  "cartridge",
                                    "cartridges", "led",   "leds"};
    const size_t behind = at + length;
    const auto is_color = [&](size_t i) {
      return i < tokens_.size() && !FindColor(tokens_[i].text).empty();
    };
    const auto joins = [&](size_t i) {
      return i < tokens_.size() && (tokens_[i].text == "and" || tokens_[i].text == "&" ||
                                    tokens_[i].text == "/" || tokens_[i].text == "n");
    };
    if (joins(behind) && is_color(behind + 1)) return false;
    if (at > 1 && joins(at - 1) && is_color(at - 2)) return false;
    const std::string_view before = at > 0 ? std::string_view(tokens_[at - 1].text) : "";
    if (before == "for" || before == "no") return false;
    return behind >= tokens_.size() || kBehind.count(tokens_[behind].text) == 0;
  }

  const Tokens& tokens_;
  const std::string_view message_;
  const QueryVocabulary& vocabulary_;
  const ConstraintOptions& options_;
  std::vector<bool>& taken_;
  Filter& filter_;
};

/// The message without the tokens that are used up, blanks in single runs.
std::string Unused(std::string_view message, const Tokens& tokens, const std::vector<bool>& used) {
  std::string text;
  const auto append = [&text](std::string_view part) {
    for (const char c : part) {
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (blank && (text.empty() || text.back() == ' ')) continue;
      text += blank ? ' ' : c;
    }
  };
  size_t from = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!used[i]) continue;
    append(message.substr(from, tokens[i].begin - from));
    append(" ");
    from = tokens[i].end;
  }
  append(message.substr(from));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  // Punctuation left over between two conditions.
  const bool only_joints = std::all_of(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x80 && std::isalnum(c) == 0; });
  return only_joints ? std::string() : text;
}

}  // namespace

QueryConstraints ReadConstraints(const Tokens& tokens, std::string_view message,
                                 const QueryVocabulary& vocabulary,
                                 const ConstraintOptions& options) {
  QueryConstraints result;
  Filter& filter = result.filter;
  std::vector<bool> used(tokens.size());
  filter.min_rating = ReadMinRating(tokens, used);
  PriceWords price = ReadPriceWords(tokens, vocabulary.currency, std::move(used));
  used = std::move(price.used);
  filter.min_price = price.min_price;
  filter.max_price = price.max_price;
  filter.currency = price.currency;
  result.budget = price.budget;
  filter.ranges = ReadRanges(tokens, vocabulary, used);
  ReadStock(tokens, message, vocabulary, used, filter);
  ReadNegations(tokens, message, vocabulary, used, filter);
  std::vector<bool> taken = used;
  ReadCondition(tokens, taken, filter);
  CatalogReader reader(tokens, message, vocabulary, options, taken, filter);
  reader.ReadBrands();
  reader.ReadColors();
  reader.ReadSize();
  reader.ReadCategory();
  result.search_text = Unused(message, tokens, used);
  return result;
}

QueryConstraints ReadConstraints(std::string_view text, const QueryVocabulary& vocabulary,
                                 const ConstraintOptions& options) {
  std::string clean(text);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return ReadConstraints(TokenizeQuery(clean), clean, vocabulary, options);
}

}  // namespace emptor::retrieval
