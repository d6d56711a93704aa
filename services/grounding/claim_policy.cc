// Sentences of a page against the content of a sentence.
#include "services/grounding/claim_policy.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace emptor::services {
namespace {

using Role = ClaimRole;
using Tokens = std::vector<ClaimToken>;

bool Holds(const ClaimText& text, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(text.content.begin(), text.content.end(), name) != text.content.end();
  });
}

bool HoldsQuantity(const ClaimText& text, const ClaimQuantity& wanted) {
  return std::any_of(text.quantities.begin(), text.quantities.end(), [&](const auto& each) {
    // "$49 or more" is no price.
    const bool is_threshold = each.is_least && !wanted.is_least;
    return SameClaimQuantity(each, wanted) && !is_threshold;
  });
}

/// What a clause says, to be found in a page.
struct Wanted {
  ClaimContent content;
  std::vector<ClaimQuantity> quantities;
  std::vector<std::vector<std::string>> rates;  // what an amount is paid for: "per item"
  ClaimOrder order;
  bool denies_not = false, denies_no = false;
};

/// "$3.95 per order": what stands behind the word for each.
std::vector<std::vector<std::string>> FindRates(const Tokens& tokens, std::string_view language) {
  constexpr std::array<std::string_view, 12> kEach = {"per", "each",   "every", "pro",  "je", "par",
                                                      "por", "chaque", "jede",  "cada", "每", "/"};
  std::vector<std::vector<std::string>> rates;
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (std::find(kEach.begin(), kEach.end(), tokens[at].text) == kEach.end()) continue;
    const size_t size = std::max<size_t>(ClaimPhrases(language).Find(tokens, at + 1).size, 1);
    const auto begin = tokens.begin() + static_cast<ptrdiff_t>(at) + 1;
    const Tokens noun(begin,
                      begin + static_cast<ptrdiff_t>(std::min(size, tokens.size() - at - 1)));
    for (auto& names : FindClaimContent(noun, language)) rates.push_back(std::move(names));
  }
  return rates;
}

Wanted ReadWanted(const Tokens& tokens, std::string_view language) {
  Wanted wanted;
  const ClaimPhraseIndex& phrases = ClaimPhrases(language);
  std::vector<size_t> less;
  for (size_t at = 0; at < tokens.size();) {
    const auto match = phrases.Find(tokens, at);
    for (const ClaimMeaning& each : match.meanings) {
      wanted.denies_not = wanted.denies_not || each.role == Role::kNot;
      // "Interest-free".
      const bool is_less = each.role == Role::kHyphenLess && tokens[at].is_glued;
      wanted.denies_no = wanted.denies_no || each.role == Role::kNo || is_less;
      if (is_less) less.push_back(at);
    }
    at += std::max<size_t>(match.size, 1);
  }
  wanted.quantities = FindClaimQuantities(tokens);
  MarkLeastQuantities(tokens, language, wanted.quantities);
  // Units and number words belong to the quantities.
  Tokens rest;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const bool is_inside = std::any_of(wanted.quantities.begin(), wanted.quantities.end(),
                                       [at](const auto& q) { return at >= q.begin && at < q.end; });
    const bool is_less = std::find(less.begin(), less.end(), at) != less.end();
    if (!is_inside && !is_less) rest.push_back(tokens[at]);
  }
  wanted.content = FindClaimContent(rest, language);
  wanted.order = FindClaimOrder(tokens, language);
  const bool has_money = std::any_of(wanted.quantities.begin(), wanted.quantities.end(),
                                     [](const ClaimQuantity& each) { return each.is_money(); });
  if (has_money) wanted.rates = FindRates(tokens, language);
  return wanted;
}

/// "$4.95, free from $49" is not "$49, free from $4.95": amounts in one unit keep their order.
bool InOrder(std::span<const ClaimText> texts, const std::vector<ClaimQuantity>& wanted) {
  for (size_t i = 1; i < wanted.size(); ++i) {
    if (wanted[i].base != wanted[i - 1].base) continue;
    const bool holds = std::any_of(texts.begin(), texts.end(), [&](const ClaimText& text) {
      const auto is = [](const ClaimQuantity& quantity) {
        return [&](const auto& each) { return SameClaimQuantity(each, quantity); };
      };
      const auto& own = text.quantities;
      const auto first = std::find_if(own.begin(), own.end(), is(wanted[i - 1]));
      return first != own.end() && std::find_if(first + 1, own.end(), is(wanted[i])) != own.end();
    });
    if (!holds) return false;
  }
  return true;
}

bool Denies(const ClaimText& text, const Wanted& wanted) {
  return std::any_of(wanted.content.begin(), wanted.content.end(), [&](const auto& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(text.denied.begin(), text.denied.end(), name) != text.denied.end();
    });
  });
}

bool Agrees(const ClaimText& text, const Wanted& wanted) {
  if (text.denies_not != wanted.denies_not) return false;
  if (text.denies_no == wanted.denies_no) return true;
  // "Without their seal" says nothing of what else the sentence names.
  return text.denies_no && !Denies(text, wanted);
}

bool HoldsAny(const ClaimContent& content, const std::vector<std::string>& names) {
  return std::any_of(content.begin(), content.end(), [&](const auto& own) {
    return std::any_of(own.begin(), own.end(), [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
  });
}

/// "We begin before we quote a price" turns round what the page says.
bool TurnsOrder(const ClaimText& text, const ClaimOrder& wanted) {
  if (!wanted.is_stated || !text.order.is_stated) return false;
  const auto is_wrong = [&](const ClaimContent& part, const ClaimContent& right,
                            const ClaimContent& wrong) {
    return std::any_of(part.begin(), part.end(), [&](const auto& names) {
      return HoldsAny(wrong, names) && !HoldsAny(right, names);
    });
  };
  return is_wrong(wanted.first, text.order.first, text.order.then) ||
         is_wrong(wanted.then, text.order.then, text.order.first);
}

/// The sentence holds all of it, with the title for its topic.
bool Entails(const ClaimText& title, const ClaimText& text, const Wanted& wanted) {
  const bool has_content =
      std::all_of(wanted.content.begin(), wanted.content.end(),
                  [&](const auto& names) { return Holds(text, names) || Holds(title, names); });
  // The title asks about an order; it does not say what is paid for.
  const bool has_rates = std::all_of(wanted.rates.begin(), wanted.rates.end(),
                                     [&](const auto& names) { return Holds(text, names); });
  const bool has_quantities =
      std::all_of(wanted.quantities.begin(), wanted.quantities.end(), [&](const auto& quantity) {
        return HoldsQuantity(text, quantity) || HoldsQuantity(title, quantity);
      });
  return has_content && has_rates && has_quantities &&
         (InOrder({&text, 1}, wanted.quantities) || InOrder({&title, 1}, wanted.quantities)) &&
         !TurnsOrder(text, wanted.order) && Agrees(text, wanted);
}

/// One sentence of the page holds all of it: two sentences of one page may speak of different
/// things.
bool PageEntails(const ClaimPage& page, const Wanted& wanted) {
  return std::any_of(page.texts.begin() + 1, page.texts.end(),
                     [&](const ClaimText& text) { return Entails(page.texts[0], text, wanted); });
}

bool AnyEntails(const std::vector<ClaimPage>& pages, const Wanted& wanted) {
  return std::any_of(pages.begin(), pages.end(),
                     [&](const ClaimPage& page) { return PageEntails(page, wanted); });
}

/// The clauses between marks and conjunctions.
std::vector<Tokens> SplitClauses(const Tokens& tokens, std::string_view language) {
  std::vector<Tokens> clauses(1);
  for (size_t at = 0; at < tokens.size(); ++at) {
    const auto match = ClaimPhrases(language).Find(tokens, at);
    const bool is_joint = std::any_of(match.meanings.begin(), match.meanings.end(), [](auto& each) {
      return each.role == Role::kAnd || each.role == Role::kBut;
    });
    const bool is_mark = tokens[at].kind == ClaimToken::Kind::kMark && tokens[at].text != "$" &&
                         tokens[at].text != "-" && tokens[at].text != "€";
    if (is_mark || is_joint) {
      clauses.emplace_back();
    } else {
      clauses.back().push_back(tokens[at]);
    }
  }
  std::erase_if(clauses, [](const Tokens& clause) { return clause.empty(); });
  return clauses;
}

}  // namespace

ClaimPage ReadClaimPage(const catalog::Document& document) {
  const std::string_view language = document.locale.starts_with("zh") ? "zh" : "en";
  ClaimPage page;
  page.texts.push_back(ReadClaimText(document.title, language));
  for (const std::string_view sentence : SplitClaimSentences(document.text)) {
    page.texts.push_back(ReadClaimText(sentence, language));
    // "One code for each order, and it does not apply to gift cards": each part stands alone.
    for (const std::string_view joint : {", and ", ", but "}) {
      const size_t at = sentence.find(joint);
      if (at == std::string_view::npos) continue;
      page.texts.push_back(ReadClaimText(sentence.substr(0, at), language));
      page.texts.push_back(ReadClaimText(sentence.substr(at + joint.size()), language));
    }
  }
  return page;
}

bool PagesEntailClause(const Tokens& tokens, std::string_view language,
                       const std::vector<ClaimPage>& pages) {
  const Wanted wanted = ReadWanted(tokens, language);
  return !wanted.content.empty() && AnyEntails(pages, wanted);
}

bool PagesEntail(std::string_view sentence, std::string_view language,
                 const std::vector<ClaimPage>& pages) {
  Tokens tokens = TokenizeClaims(sentence, language);
  std::erase_if(tokens,
                [](const ClaimToken& token) { return token.kind == ClaimToken::Kind::kSource; });
  SpellClaimNumbers(tokens, language);
  if (PagesEntailClause(tokens, language, pages)) return true;
  const auto clauses = SplitClauses(tokens, language);
  if (clauses.size() < 2) return false;
  // Clauses of one sentence speak of the same page: "With express, shipping costs $12.95".
  const auto amounts = FindClaimQuantities(tokens);
  return std::any_of(pages.begin(), pages.end(), [&](const ClaimPage& page) {
    return InOrder(page.texts, amounts) &&
           std::all_of(clauses.begin(), clauses.end(), [&](const Tokens& each) {
             const Wanted wanted = ReadWanted(each, language);
             return (wanted.content.empty() && wanted.quantities.empty()) ||
                    PageEntails(page, wanted);
           });
  });
}

std::string MissingFromPages(std::string_view sentence, std::string_view language,
                             const std::vector<ClaimPage>& pages) {
  const auto any_text = [&](const auto& holds) {
    return std::any_of(pages.begin(), pages.end(), [&](const ClaimPage& page) {
      return std::any_of(page.texts.begin(), page.texts.end(), holds);
    });
  };
  Tokens tokens = TokenizeClaims(sentence, language);
  SpellClaimNumbers(tokens, language);
  const auto quantities = FindClaimQuantities(tokens);
  for (size_t at = 0; at < tokens.size();) {
    const auto quantity = std::find_if(quantities.begin(), quantities.end(),
                                       [at](const auto& each) { return each.begin == at; });
    const bool is_number = quantity != quantities.end();
    const size_t size = is_number
                            ? quantity->end - at
                            : std::max<size_t>(ClaimPhrases(language).Find(tokens, at).size, 1);
    const Tokens part(tokens.begin() + static_cast<ptrdiff_t>(at),
                      tokens.begin() + static_cast<ptrdiff_t>(at + size));
    const ClaimContent content = is_number ? ClaimContent() : FindClaimContent(part, language);
    const bool holds =
        is_number ? any_text([&](const ClaimText& text) { return HoldsQuantity(text, *quantity); })
                  : std::all_of(content.begin(), content.end(), [&](const auto& names) {
                      return any_text([&](const ClaimText& text) { return Holds(text, names); });
                    });
    std::vector<std::string> words;
    for (const ClaimToken& token : part) words.push_back(token.text);
    if (!holds) return JoinClaimWords(words);
    at += size;
  }
  return "";
}

}  // namespace emptor::services
