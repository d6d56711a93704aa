// Words of a record, without those that it denies.
#include "retrieval/filter/filter_terms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "catalog/encoding/utf8.h"
#include "retrieval/text/english.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxTerms = 300;
constexpr size_t kMaxValueBytes = 300;
constexpr size_t kMaxTermBytes = 32;

using Words = std::vector<std::string>;

bool IsHan(char32_t c) { return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF); }

bool IsOneOf(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool Denies(std::string_view word) {
  constexpr std::array<std::string_view, 11> kWords = {
      "no", "non", "not", "without", "w/o", "ohne", "kein", "keine", "sans", "sin", "zero"};
  return IsOneOf(word, kWords);
}

/// Words in their original form, split at blanks and punctuation; a hyphen or a slash between
/// letters stays. Each run of Han is a word of its own.
Words SplitWords(std::string_view folded) {
  Words words;
  std::string word;
  bool han = false;
  const auto end_word = [&] {
    while (!word.empty() && word.back() == '-') word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (size_t at = 0; at < folded.size();) {
    const auto point = catalog::DecodeUtf8(folded.substr(at));
    const size_t bytes = point.bytes == 0 ? 1 : point.bytes;
    const char32_t c = point.bytes == 0 ? ' ' : point.value;
    const bool letter = c >= 0x80 ? !(c >= 0x2000 && c <= 0x303F) && !(c >= 0xFF00 && c <= 0xFF0F)
                                  : std::isalnum(static_cast<int>(c)) != 0;
    const bool joint = (c == '-' || c == '/') && !word.empty() && !han;
    if (IsHan(c) != han && letter) end_word();
    if (letter || joint) {
      word.append(folded.substr(at, bytes));
    } else {
      end_word();
    }
    if (letter) han = IsHan(c);
    at += bytes;
  }
  end_word();
  return words;
}

bool IsNumber(std::string_view word) {
  return word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string FoldWord(std::string word) {
  const bool plain =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (plain) FoldEnglish(word);
  return word;
}

/// The parts of "noise-cancelling"; one for a word without a joint.
Words Parts(std::string_view word) {
  Words parts;
  while (!word.empty()) {
    const size_t joint = word.find_first_of("-/");
    if (joint != 0) parts.emplace_back(word.substr(0, joint));
    if (joint == std::string_view::npos) break;
    word.remove_prefix(joint + 1);
  }
  return parts;
}

std::string Joined(const Words& parts) {
  std::string word;
  for (const std::string& part : parts) word += part;
  return word;
}

/// The overlapping pairs of a run of Han; the character itself when it stands alone.
Words HanTerms(std::string_view run) {
  Words terms;
  if (run.size() <= 3) return {std::string(run)};
  for (size_t at = 0; at + 6 <= run.size(); at += 3) terms.emplace_back(run.substr(at, 6));
  return terms;
}

bool StartsHan(std::string_view word) { return IsHan(catalog::DecodeUtf8(word).value); }

/// Collects the terms of one record.
class Collector {
 public:
  /// Words of `text` that it does not deny itself.
  void AddText(std::string_view text) {
    const Words words = SplitWords(FoldForComparison(catalog::Utf8Prefix(text, kMaxValueBytes)));
    for (size_t i = 0; i < words.size(); ++i) {
      const bool denied_before = i > 0 && Denies(words[i - 1]);
      const bool denied_behind =
          i + 1 < words.size() && (words[i + 1] == "free" || words[i + 1] == "frei");
      if (denied_before) AddDenied(words[i]);
      if (!denied_before && !denied_behind && !Denies(words[i])) AddWord(words[i]);
    }
  }

  void AddProperties(const std::vector<catalog::Attribute>& properties) {
    for (const catalog::Attribute& property : properties) {
      if (IsDenial(property.value)) continue;
      AddText(property.name);
      AddText(property.value);
    }
  }

  Words Take() { return {terms_.begin(), terms_.end()}; }

 private:
  void AddWord(const std::string& word) {
    if (StartsHan(word) && word.size() % 3 == 0) {
      for (std::string& term : HanTerms(word)) Add(std::move(term));
      return;
    }
    const Words parts = Parts(word);
    if (parts.size() > 1 && Denies(parts.front())) return AddDenied(parts[1]);
    if (parts.size() > 1 && parts.back() == "free") return;
    for (const std::string& part : parts) Add(FoldWord(part));
    if (parts.size() > 1) Add(FoldWord(Joined(parts)));
  }

  /// "No Frost" is a name: "no frost".
  void AddDenied(const std::string& word) { Add("no " + FoldWord(word)); }

  void Add(std::string term) {
    const bool useful = !term.empty() && term.size() <= kMaxTermBytes && !IsNumber(term);
    if (useful && terms_.size() < kMaxTerms) terms_.insert(std::move(term));
  }

  std::set<std::string> terms_;
};

}  // namespace

bool IsDenial(std::string_view value) {
  constexpr std::array<std::string_view, 9> kDenials = {"0",    "false", "n/a", "nein", "no",
                                                        "none", "non",   "无",  "否"};
  return value.size() <= 8 && IsOneOf(FoldForComparison(value), kDenials);
}

Words ClaimedTerms(const catalog::Product& product) {
  Collector collector;
  collector.AddText(product.title);
  collector.AddProperties(product.options);
  collector.AddProperties(product.attributes);
  return collector.Take();
}

Words ExclusionTerms(std::string_view text) {
  Words terms;
  for (const std::string& word : SplitWords(FoldForComparison(text))) {
    if (StartsHan(word) && word.size() % 3 == 0) {
      for (std::string& term : HanTerms(word)) terms.push_back(std::move(term));
      continue;
    }
    const Words parts = Parts(word);
    const bool short_part = std::any_of(parts.begin(), parts.end(),
                                        [](const std::string& part) { return part.size() < 3; });
    if (parts.size() > 1 && short_part) {
      terms.push_back(FoldWord(Joined(parts)));
    } else {
      for (const std::string& part : parts) terms.push_back(FoldWord(part));
    }
  }
  return terms;
}

}  // namespace emptor::retrieval
