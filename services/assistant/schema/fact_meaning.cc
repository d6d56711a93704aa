// Terms of a question, and the attributes that have all of them.
#include "services/assistant/schema/fact_meaning.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/contrasts.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;
using Stems = std::vector<std::string>;

constexpr size_t kMaxLeftover = 3;  // bytes of a Chinese question: one character
constexpr size_t kShort = 3;        // letters
constexpr double kInValue = 0.5;    // what a value that has what is asked counts for
constexpr double kSameDimension = 0.3;
constexpr size_t kMaxProse = 200;  // bytes of a value that is still a fact

Stems StemsOf(std::string_view text) {
  Stems stems;
  ForEachWord(text, [&](const std::string& word) { stems.push_back(StemOf(word)); });
  return stems;
}

bool Overlaps(const Span& a, const Span& b) { return a.begin < b.end && b.begin < a.end; }

/// A word that asks for something, or a number that has to be the same.
bool Tells(const std::string& word) {
  if (IsStruckOut(word)) return false;
  return !TellingWords(FoldedMessage::FromFolded(word)).empty() ||
         word.find_first_not_of("0123456789") == std::string::npos;
}

bool IsIncluded(const SaidKeyWords& said) {
  return std::find(said.words->begin(), said.words->end(), kIncluded) != said.words->end();
}

void AddAlternatives(const std::vector<std::string>& phrases, std::vector<Stems>& any_of) {
  for (const std::string& each : phrases) any_of.push_back(StemsOf(each));
}

}  // namespace

AskedMeaning::AskedMeaning(const FoldedMessage& question, std::string_view language,
                           std::string_view title) {
  if (IsWideText(question.text())) {
    AddWideTerms(question, language);
  } else {
    AddTerms(question, language, title);
  }
  required_ = static_cast<size_t>(std::count_if(terms_.begin(), terms_.end(),
                                                [](const Term& each) { return !each.is_context; }));
}

void AskedMeaning::AddTerms(const FoldedMessage& question, std::string_view language,
                            std::string_view title) {
  const std::vector<SaidKeyWords> said = FindKeyWords(question);
  const std::vector<NamedValue> values = FindNamedValues(question, language);
  const Stems of_title = StemsOf(retrieval::FoldWords(title));
  bool asks_included = false;
  const bool includes = std::any_of(said.begin(), said.end(), IsIncluded);
  const std::string_view text = question.text();
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find(' ', begin), text.size());
    const std::string word(text.substr(begin, end - begin));
    const Span span{begin, end};
    Term term;
    bool is_included = false;
    for (const SaidKeyWords& each : said) {
      if (!Overlaps(each.span, span)) continue;
      AddAlternatives(*each.words, term.any_of);
      is_included = is_included || IsIncluded(each);
    }
    // "Does it come with batteries" is more than the kind of batteries.
    const bool is_extra = is_included && !asks_included;
    asks_included = asks_included || is_included;
    // "Mic", "lid": short words tell where the lexicon knows them.
    const bool is_short = word.size() == kShort && !term.any_of.empty() && !IsOrdinaryWord(word);
    if (word.empty() || (!Tells(word) && !is_short && !is_extra)) continue;
    term.any_of.push_back({StemOf(word)});
    for (const NamedValue& each : values) {
      if (!Overlaps(each.span, span)) continue;
      AddAlternatives({each.canonical}, term.any_of);
      AddAlternatives(EnglishPhrasesOf(each.canonical), term.any_of);
    }
    // "Is the doll included" asks for the doll, whatever the goods are called.
    term.is_context =
        !includes && (IsSoftWord(SingularOf(word)) ||
                      std::find(of_title.begin(), of_title.end(), StemOf(word)) != of_title.end());
    terms_.push_back(std::move(term));
  }
}

void AskedMeaning::AddWideTerms(const FoldedMessage& question, std::string_view language) {
  std::vector<std::pair<Span, Term>> found;
  const auto add = [&](const Span& span, Term term) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto& each) {
      return each.first.begin == span.begin && each.first.end == span.end;
    });
    if (same == found.end()) {
      found.emplace_back(span, std::move(term));
      return;
    }
    auto& into = same->second;
    into.any_of.insert(into.any_of.end(), term.any_of.begin(), term.any_of.end());
    into.wide.insert(into.wide.end(), term.wide.begin(), term.wide.end());
  };
  for (const SaidKeyWords& each : FindKeyWords(question)) {
    Term term;
    AddAlternatives(*each.words, term.any_of);
    std::copy_if(each.phrases->begin(), each.phrases->end(), std::back_inserter(term.wide),
                 [](const std::string& phrase) { return IsWideText(phrase); });
    add(each.span, std::move(term));
  }
  for (const NamedValue& each : FindNamedValues(question, language)) {
    Term term;
    AddAlternatives({each.canonical}, term.any_of);
    AddAlternatives(EnglishPhrasesOf(each.canonical), term.any_of);
    term.wide = {std::string(question.text().substr(each.span.begin, each.span.size()))};
    add(each.span, std::move(term));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  FoldedMessage rest = question;
  std::vector<Span> taken;
  for (auto& [span, term] : found) {
    const bool is_free =
        std::none_of(taken.begin(), taken.end(),
                     [&, own = span](const Span& each) { return Overlaps(each, own); });
    if (!is_free) continue;
    taken.push_back(span);
    rest = rest.Without(span);
    terms_.push_back(std::move(term));
  }
  for (auto span = rest.FindLongest(EmptyPhrases()); span.found();
       span = rest.FindLongest(EmptyPhrases())) {
    rest = rest.Without(span);
  }
  const std::string_view text = rest.text();
  const auto left =
      std::count_if(text.begin(), text.end(), [](char c) { return c != 'x' && c != ' '; });
  is_unknown_ = static_cast<size_t>(left) > kMaxLeftover;
}

namespace {

/// The words of a text as stems, and the text for phrases without blanks.
struct SaidText {
  explicit SaidText(std::string_view text) : folded(text) {
    ForEachWord(folded.text(), [&](const std::string& word) { stems.insert(StemOf(word)); });
  }
  bool Has(const std::vector<Stems>& any_of, const std::vector<std::string>& wide) const {
    const bool has_stems = std::any_of(any_of.begin(), any_of.end(), [&](const Stems& all) {
      return !all.empty() && std::all_of(all.begin(), all.end(), [&](const std::string& stem) {
        return stems.contains(stem);
      });
    });
    return has_stems || folded.HasAny(wide);
  }

  FoldedMessage folded;
  std::unordered_set<std::string> stems;
};

}  // namespace

bool AskedMeaning::IsSaidBy(std::string_view text) const {
  const SaidText said(text);
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& each) {
    return each.is_context || said.Has(each.any_of, each.wide);
  });
}

bool AskedMeaning::IsTouchedBy(std::string_view text) const {
  const SaidText said(text);
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& each) {
    return !each.is_context && said.Has(each.any_of, each.wide);
  });
}

double AskedMeaning::ShareOfName(std::string_view name) const {
  if (IsWideText(name)) return IsTouchedBy(name) ? 1 : 0;
  // "Power over ethernet (poe)" is named by either.
  const size_t bracket = name.find(" (");
  if (bracket != std::string_view::npos) {
    return std::max(ShareOfName(name.substr(0, bracket)),
                    ShareOfName(name.substr(bracket + 2, name.size() - bracket - 3)));
  }
  size_t all = 0, said = 0;
  for (const std::string& word : SplitWords(FoldedMessage(name).text())) {
    const bool is_telling = !TellingWords(FoldedMessage::FromFolded(word)).empty();
    if (!is_telling && !IsSoftWord(word)) continue;
    const SaidText own(word);
    const bool is_said = std::any_of(terms_.begin(), terms_.end(), [&](const Term& each) {
      return std::any_of(each.any_of.begin(), each.any_of.end(), [&](const Stems& stems) {
        return std::any_of(stems.begin(), stems.end(),
                           [&](const std::string& stem) { return own.stems.contains(stem); });
      });
    });
    if (!is_said && IsSoftWord(word)) continue;
    ++all;
    if (is_said) ++said;
  }
  return all == 0 ? 0 : static_cast<double>(said) / static_cast<double>(all);
}

std::vector<SaidByAttribute> FindSaid(const AskedMeaning& asked, const FoldedMessage& question,
                                      const catalog::Product& product, const TypeSchema& own,
                                      bool asks_yes_no) {
  if (asked.empty()) return {};
  const AskedFor quantity = asks_yes_no ? AskedFor() : ReadAskedFor(question);
  std::vector<std::pair<double, SaidByAttribute>> found;
  for (const catalog::Attribute& each : product.attributes) {
    if (each.value.size() > kMaxProse || !asked.IsSaidBy(each.name + " " + each.value)) continue;
    const SchemaKey* const key = own.Find(each.name);
    if (key == nullptr || CountSideWords(*key, question) > 0 || IsPacking(*key)) continue;
    const DimensionFit fit = FitOf(*key, quantity);
    const bool has_number = each.value.find_first_of("0123456789") != std::string::npos;
    if (quantity.is_number && (fit == DimensionFit::kOther || !has_number)) continue;
    SaidByAttribute said{each.name, asked.IsTouchedBy(each.value), asked.ShareOfName(each.name)};
    const double score = std::max(said.share, said.is_in_value ? kInValue : 0) +
                         (fit == DimensionFit::kSame ? kSameDimension : 0);
    found.emplace_back(score, std::move(said));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<SaidByAttribute> attributes;
  for (auto& each : found) attributes.push_back(std::move(each.second));
  return attributes;
}

}  // namespace emptor::services
