// Converts text to hashed features. catalog/training/classifier_features.py does the same; a test
// compares both.
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <unordered_map>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/text_safety/injection_classifier.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kWindow = 24, kStep = 12;
constexpr size_t kShortestStem = 4;

// Letters of Cyrillic and Greek that look like Latin ones.
constexpr std::array<std::pair<char16_t, char16_t>, 30> kLookAlikes = {
    {{u'а', u'a'}, {u'в', u'b'}, {u'с', u'c'}, {u'ԁ', u'd'}, {u'е', u'e'}, {u'һ', u'h'},
     {u'і', u'i'}, {u'ј', u'j'}, {u'к', u'k'}, {u'ӏ', u'l'}, {u'м', u'm'}, {u'н', u'h'},
     {u'о', u'o'}, {u'р', u'p'}, {u'ԛ', u'q'}, {u'ѕ', u's'}, {u'т', u't'}, {u'у', u'y'},
     {u'х', u'x'}, {u'ԝ', u'w'}, {u'α', u'a'}, {u'ε', u'e'}, {u'ι', u'i'}, {u'κ', u'k'},
     {u'ν', u'v'}, {u'ο', u'o'}, {u'ρ', u'p'}, {u'τ', u't'}, {u'υ', u'u'}, {u'χ', u'x'}}};

bool IsLatin(UChar32 c) { return c >= 'a' && c <= 'z'; }

// Replaces look-alike letters in a word that also has Latin ones.
void UnmaskWord(icu::UnicodeString& text, int32_t begin, int32_t end) {
  bool latin = false, other = false;
  for (int32_t i = begin; i < end; ++i) {
    latin = latin || IsLatin(text[i]);
    other = other || (text[i] >= 0x0370 && text[i] <= 0x052F);
  }
  if (!latin || !other) return;
  for (int32_t i = begin; i < end; ++i) {
    const auto* found = std::find_if(kLookAlikes.begin(), kLookAlikes.end(),
                                     [&](const auto& pair) { return pair.first == text[i]; });
    if (found != kLookAlikes.end()) text.setCharAt(i, found->second);
  }
}

void UnmaskWords(icu::UnicodeString& text) {
  int32_t begin = 0;
  for (int32_t i = 0; i <= text.length(); ++i) {
    if (i < text.length() && u_isalnum(text.char32At(i)) != 0) continue;
    UnmaskWord(text, begin, i);
    begin = i + 1;
  }
}

// Hash of the concatenated parts of a feature.
uint16_t Bucket(std::initializer_list<View> parts) {
  uint32_t hash = kFnv32Basis;
  for (const View part : parts) hash = Fnv1a32(part, hash);
  return static_cast<uint16_t>((hash ^ (hash >> 15)) % kClassifierBuckets);
}

using ClassSet = uint32_t;  // a bit per class

class Lexicon {
 public:
  Lexicon() {
    for (const WordClass& each : WordClasses()) {
      const ClassSet bit = 1u << names_.size();
      names_.push_back(each.name);
      for (View rest = each.words; !rest.empty();) {
        const View word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        whole_[std::string(word)] |= bit;
        if (!each.stems) whole_[std::string(word) + "s"] |= bit;
        if (each.stems && word.size() >= kShortestStem) stems_[std::string(word)] |= bit;
      }
    }
  }
  ClassSet Find(const std::string& word) const {
    ClassSet found = 0;
    if (const auto whole = whole_.find(word); whole != whole_.end()) found |= whole->second;
    for (size_t size = kShortestStem; size <= word.size(); ++size) {
      const auto stem = stems_.find(word.substr(0, size));
      if (stem != stems_.end()) found |= stem->second;
    }
    return found;
  }
  const std::vector<View>& names() const { return names_; }

 private:
  std::vector<View> names_;
  std::unordered_map<std::string, ClassSet> whole_, stems_;
};

const Lexicon& TheLexicon() {
  static const Lexicon lexicon;
  return lexicon;
}

// The first five characters of a word that has more, else nothing.
View Beginning(View word) {
  size_t characters = 0, five = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    if ((static_cast<unsigned char>(word[i]) & 0xC0) == 0x80) continue;
    if (++characters == 6) five = i;
  }
  return characters > 5 ? word.substr(0, five) : View();
}

// How the piece begins: with a question word, with an order, or otherwise.
std::string LeadOf(const Words& words, const std::string& mark) {
  const std::vector<View>& names = TheLexicon().names();
  for (size_t i = 0; i < std::min<size_t>(2, words.size()); ++i) {
    const ClassSet classes = TheLexicon().Find(words[i]);
    for (const View lead : {"ask", "order"}) {
      for (size_t k = 0; k < names.size(); ++k) {
        const bool has = names[k] == lead && (classes & (1u << k)) != 0;
        if (has) return std::string(lead) + (lead == "ask" ? mark : "");
      }
    }
  }
  return "other";
}

// Classes of the piece alone, in pairs, and with how it begins.
void AddClassFeatures(const Words& words, const std::string& lead, std::vector<uint16_t>& out) {
  const std::vector<View>& names = TheLexicon().names();
  std::map<std::string, int> counts;  // in alphabetical order
  for (const std::string& word : words) {
    const ClassSet classes = TheLexicon().Find(word);
    for (size_t k = 0; k < names.size(); ++k) {
      const bool counted = (classes & (1u << k)) != 0 && names[k] != "ask" && names[k] != "order";
      if (counted) ++counts[std::string(names[k])];
    }
  }
  for (auto first = counts.begin(); first != counts.end(); ++first) {
    out.push_back(Bucket({"c", first->first}));
    out.push_back(Bucket({"x", lead, first->first}));
    if (first->second > 1) out.push_back(Bucket({"d", first->first}));
    for (auto second = std::next(first); second != counts.end(); ++second) {
      out.push_back(Bucket({"y", first->first, second->first}));
      out.push_back(Bucket({"z", lead, first->first, second->first}));
    }
  }
}

bool IsSentenceEnd(UChar32 c) { return c == '.' || c == '!' || c == '?' || c == ';' || c == ':'; }

// Cuts a sentence into windows.
void AddWindows(const Words& words, std::vector<Words>& pieces) {
  for (size_t begin = 0;; begin += kStep) {
    const size_t end = std::min(words.size(), begin + kWindow);
    if (end >= begin + 2) {
      pieces.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(begin),
                          words.begin() + static_cast<std::ptrdiff_t>(end));
    }
    if (begin + kWindow >= words.size()) return;
  }
}

// Collects words from code points.
class WordSplitter {
 public:
  void Take(UChar32 c, UChar32 next) {
    const bool is_word = u_isalnum(c) != 0;
    const bool joins = c == '\'' && !word_.isEmpty() && u_isalnum(next) != 0 && !has_apostrophe_;
    if (is_word || joins) {
      word_.append(u_isdigit(c) != 0 ? UChar32{'0'} : c);
      has_apostrophe_ = has_apostrophe_ || joins;
      return;
    }
    EndWord();
    if (c == '?') words_.emplace_back("?");
    if (c == '\n' || (IsSentenceEnd(c) && (u_isUWhiteSpace(next) != 0))) EndPiece();
  }
  std::vector<Words> Finish() {
    EndWord();
    EndPiece();
    return std::move(pieces_);
  }

 private:
  void EndWord() {
    if (word_.isEmpty()) return;
    word_.toUTF8String(words_.emplace_back());
    word_.remove();
    has_apostrophe_ = false;
  }
  void EndPiece() {
    AddWindows(words_, pieces_);
    words_.clear();
  }

  icu::UnicodeString word_;
  bool has_apostrophe_ = false;
  Words words_;
  std::vector<Words> pieces_;
};

}  // namespace

std::string FoldForClassifier(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* folding = icu::Normalizer2::getNFKCCasefoldInstance(error);
  const auto source = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  icu::UnicodeString folded = source;
  if (U_SUCCESS(error)) folding->normalize(source, folded, error);
  folded.findAndReplace(icu::UnicodeString(u'\u2019'), icu::UnicodeString(u'\''));
  UnmaskWords(folded);
  std::string result;
  return folded.toUTF8String(result);
}

std::vector<Words> SplitForClassifier(std::string_view folded) {
  const auto text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(folded.data(), static_cast<int32_t>(folded.size())));
  WordSplitter splitter;
  for (int32_t i = 0; i < text.length();) {
    const UChar32 c = text.char32At(i);
    i += U16_LENGTH(c);
    splitter.Take(c, i < text.length() ? text.char32At(i) : UChar32{0});
  }
  return splitter.Finish();
}

std::vector<uint16_t> ClassifierFeatures(const Words& words) {
  std::vector<uint16_t> features;
  const std::string mark = !words.empty() && words.back() == "?" ? "?" : "";
  const std::string lead = LeadOf(words, mark);
  features.push_back(Bucket({"l", lead}));
  std::string head;
  constexpr std::array<View, 3> kSizes = {"s1", "s2", "s3"};
  for (size_t i = 0; i < 3; ++i) {
    if (i > 0 && i < words.size()) head += ' ';
    if (i < words.size()) head += words[i];
    features.push_back(Bucket({kSizes[i], mark, head}));
  }
  View previous = "^";
  for (const std::string& word : words) {
    features.push_back(Bucket({"u", word}));
    features.push_back(Bucket({"b", previous, " ", word}));
    const View beginning = Beginning(word);
    if (!beginning.empty()) features.push_back(Bucket({"p", beginning}));
    previous = word;
  }
  AddClassFeatures(words, lead, features);
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

}  // namespace emptor::catalog
