// The kinds of the lexicon, and the values of each that a text names.
#include "services/assistant/schema/contrasts.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxValueWords = 12, kMaxListWords = 200;  // of values; longer ones are prose

struct Value {
  std::string name, general;       // "bluetooth" is a special case of "wireless"
  std::vector<std::string> given;  // what it has, too
  std::vector<std::string> phrases;
};

struct Kind {
  std::string name;
  std::vector<Value> values;
  std::vector<std::string> context, keys;

  const Value* Find(std::string_view value) const {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const Value& each) { return each.name == value; });
    return found == values.end() ? nullptr : &*found;
  }
};

struct Lexicon {
  std::vector<Kind> kinds;
  std::vector<std::string> soft, empty, acts;

  Kind& Of(const std::string& name) {
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const Kind& each) { return each.name == name; });
    if (found != kinds.end()) return *found;
    kinds.push_back({name, {}, {}, {}});
    return kinds.back();
  }
};

/// "wireless", "bluetooth of wireless", "5g gives 4g 3g".
Value ReadValue(const std::vector<std::string>& head, std::vector<std::string> phrases) {
  Value value{head[2], "", {}, std::move(phrases)};
  bool gives = false;
  for (size_t i = 3; i < head.size(); ++i) {
    if (head[i] == "of" && i + 1 < head.size()) {
      value.general = head[++i];
    } else if (head[i] == "gives") {
      gives = true;
    } else if (gives) {
      value.given.push_back(head[i]);
    }
  }
  return value;
}

const Lexicon& TheLexicon() {
  static const Lexicon* const lexicon = [] {
    auto made = std::make_unique<Lexicon>();
    ForEachLexiconLine(kContrastLexicon, " : ", [&](std::string_view line, std::string_view rest) {
      const std::vector<std::string> head = SplitWords(line);
      std::vector<std::string> phrases = AllPhrases(ParsePhraseGroups(rest));
      if (head[0] == "is") made->Of(head[1]).values.push_back(ReadValue(head, std::move(phrases)));
      if (head[0] == "context") made->Of(head[1]).context = std::move(phrases);
      if (head[0] == "in") made->Of(head[1]).keys = std::move(phrases);
      if (head[0] == "soft") made->soft = std::move(phrases);
      if (head[0] == "says") made->empty = std::move(phrases);
      if (head[0] == "acts") made->acts = std::move(phrases);
    });
    return made.release();
  }();
  return *lexicon;
}

using Values = std::vector<const Value*>;

/// The values of the kind that the text names, the longest of phrases that overlap, and the text
/// without them.
std::pair<Values, FoldedMessage> ValuesIn(const FoldedMessage& text, const Kind& kind) {
  Values found;
  FoldedMessage rest = text;
  while (true) {
    const Value* longest = nullptr;
    FoldedMessage::Span span;
    for (const Value& each : kind.values) {
      const FoldedMessage::Span own = rest.FindLongest(each.phrases);
      if (own.found() && (longest == nullptr || own.size() > span.size())) {
        longest = &each;
        span = own;
      }
    }
    if (longest == nullptr) return {std::move(found), std::move(rest)};
    if (std::find(found.begin(), found.end(), longest) == found.end()) found.push_back(longest);
    rest = rest.Without(span);
  }
}

bool Has(const Kind& kind, const Value& stated, const Value& asked) {
  if (&stated == &asked) return true;
  const bool gives =
      std::find(stated.given.begin(), stated.given.end(), asked.name) != stated.given.end();
  if (gives || stated.general == asked.name) return true;
  const Value* const general = stated.general.empty() ? nullptr : kind.Find(stated.general);
  return general != nullptr && Has(kind, *general, asked);
}

/// What is left of a question that asks for more than the kind: its telling words; of a text
/// without blanks, the text.
std::vector<std::string> WhatElse(FoldedMessage rest, bool is_wide, const Kind& kind,
                                  const FoldedMessage& title) {
  const auto strike = [&](const std::vector<std::string>& phrases) {
    for (auto span = rest.FindLongest(phrases); span.found(); span = rest.FindLongest(phrases)) {
      rest = rest.Without(span);
    }
  };
  strike(kind.context);
  if (is_wide) {
    strike(EmptyPhrases());
    std::string text(rest.text());
    std::erase_if(text, [](char c) { return c == 'x' || c == ' '; });
    return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
  }
  std::vector<std::string> words = TellingWords(rest);
  std::erase_if(words, [&](const std::string& word) {
    return IsStruckOut(word) || title.Has(word) || title.Has(StemOf(word));
  });
  return words;
}

/// The values that an attribute states: by its value, or by its name where it says that there are.
Values StatedBy(const catalog::Attribute& attribute, const Kind& kind) {
  const FoldedMessage name(attribute.name), value(attribute.value);
  if (!kind.keys.empty() && !name.HasAny(kind.keys)) return {};
  // "4G" is no number.
  const bool has_letter = attribute.value.find_first_not_of("0123456789.,") != std::string::npos;
  const auto number = has_letter ? std::nullopt : retrieval::ParsePlainNumber(attribute.value);
  if (MeansYes(value.text()) || (number && *number > 0)) return ValuesIn(name, kind).first;
  const size_t most = kind.keys.empty() ? kMaxValueWords : kMaxListWords;
  if (number || MeansNo(value.text()) || value.word_count() > most) return {};
  return ValuesIn(value, kind).first;
}

/// "Bluetooth" is a special case of "wireless".
bool IsCaseOf(const Kind& kind, const Value& special, const Value& general) {
  if (special.general.empty()) return false;
  const Value* const next = kind.Find(special.general);
  return next != nullptr && (next == &general || IsCaseOf(kind, *next, general));
}

/// What one text states, against what is asked for.
std::optional<bool> Verdict(const Kind& kind, const Values& stated, const Value& asked) {
  if (stated.empty()) return std::nullopt;
  bool is_open = false;
  for (const Value* each : stated) {
    if (Has(kind, *each, asked)) return true;
    is_open = is_open || IsCaseOf(kind, asked, *each);
  }
  return is_open ? std::nullopt : std::make_optional(false);
}

/// "Handle" of "is the handle wood" is the name of an attribute, which alone tells.
bool IsNamed(const catalog::Attribute& attribute, const std::vector<std::string>& words) {
  const FoldedMessage name(attribute.name);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return name.Has(word) || name.Has(StemOf(word));
  });
}

std::optional<Contrast> Judge(const Kind& kind, const Values& asked,
                              const std::vector<std::string>& of_part,
                              const catalog::Product& product) {
  std::optional<Contrast> denied;
  bool is_open = false;
  const auto judge = [&](const Values& stated, const std::string& key) -> std::optional<Contrast> {
    if (stated.empty()) return std::nullopt;
    if (asked.size() > 1) return Contrast{key};
    const auto verdict = Verdict(kind, stated, *asked.front());
    if (verdict == true) return Contrast{key, true};
    is_open = is_open || !verdict;
    if (verdict == false && !denied) denied = Contrast{key, false};
    return std::nullopt;
  };
  for (const catalog::Attribute& each : product.attributes) {
    const std::string folded = retrieval::FoldWords(each.name);
    const auto& packing = PackingWords();
    const bool is_packing = std::any_of(
        packing.begin(), packing.end(),
        [&](const std::string& word) { return FoldedMessage::FromFolded(folded).Has(word); });
    if (is_packing || !IsNamed(each, of_part)) continue;
    if (auto found = judge(StatedBy(each, kind), each.name)) return found;
  }
  if (!of_part.empty()) return is_open || asked.size() > 1 ? std::nullopt : denied;
  if (auto found = judge(ValuesIn(FoldedMessage(product.title), kind).first, "title")) return found;
  if (is_open || asked.size() > 1) return std::nullopt;
  // What the description says of it is for others to quote.
  const bool is_described = FoldedMessage(product.description).HasAny(asked.front()->phrases);
  return is_described ? std::nullopt : denied;
}

}  // namespace

std::optional<Contrast> FindContrast(const FoldedMessage& beyond, const catalog::Product& product) {
  const FoldedMessage title(product.title);
  const bool is_wide = IsWideText(beyond.text());
  for (const Kind& kind : TheLexicon().kinds) {
    auto [asked, rest] = ValuesIn(beyond, kind);
    if (asked.empty()) continue;
    const std::vector<std::string> else_asked = WhatElse(std::move(rest), is_wide, kind, title);
    if (auto found = Judge(kind, asked, else_asked, product)) return found;
  }
  return std::nullopt;
}

bool IsSoftWord(const std::string& word) {
  const std::vector<std::string>& soft = TheLexicon().soft;
  return std::find(soft.begin(), soft.end(), word) != soft.end();
}

const std::vector<std::string>& ActPhrases() { return TheLexicon().acts; }

const std::vector<std::string>& EmptyPhrases() { return TheLexicon().empty; }

}  // namespace emptor::services
