// Products by the words of their titles.
#include "services/assistant/search/named_products.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "retrieval/query/query_tokens.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr std::array<const char*, 8> kArticles = {"the", "der", "die", "das",
                                                  "le",  "la",  "el",  "den"};
constexpr double kNamed = 0.5;           // share of a title's words that names the product
constexpr double kNamedInSearch = 0.75;  // in "show me ..."
constexpr size_t kTellingCode = 5;       // bytes of a code that names a product by itself
constexpr size_t kModelDigits = 3;       // of a number that may be a model
constexpr size_t kMaxNamed = 3;          // products that codes name at a time
constexpr size_t kNamingRun = 3;         // first words of a title
constexpr double kClearly = 0.1;         // lead over the next one

/// Words of a text, lower-case, without function words, as often as they occur.
std::vector<std::string> ContentTokens(std::string_view text) {
  static const std::set<std::string> kSmall = {
      "the",  "a",    "an", "of", "and", "with", "for", "in", "is",  "it",   "to", "how",
      "what", "does", "do", "by", "me",  "i",    "on",  "or", "you", "show", "are"};
  std::vector<std::string> words;
  for (const retrieval::QueryToken& token : retrieval::TokenizeQuery(CleanText(text))) {
    if (token.kind == retrieval::QueryToken::Kind::kPunctuation || kSmall.count(token.text) != 0)
      continue;
    words.push_back(token.text);
  }
  return words;
}

/// "The Gridlow R90": its brand and a code of its title.
bool IsNamedByCode(const catalog::Product& product, const std::multiset<std::string>& question) {
  const std::set<std::string> title = ContentWords(product.title);
  const bool has_code = std::any_of(title.begin(), title.end(), [&](const std::string& word) {
    return IsModelCode(word) && question.count(word) != 0;
  });
  if (!has_code) return false;
  // In a shop that names no brands, the maker is the first word of the title.
  std::vector<std::string> maker = ContentTokens(product.brand);
  if (maker.empty()) maker = ContentTokens(product.title.substr(0, product.title.find(' ')));
  const bool names_maker = std::any_of(maker.begin(), maker.end(), [&](const std::string& word) {
    return question.count(word) != 0;
  });
  const bool is_telling = std::any_of(title.begin(), title.end(), [&](const std::string& word) {
    return IsModelCode(word) && word.size() >= kTellingCode && question.count(word) != 0;
  });
  return names_maker || (product.brand.empty() && is_telling);
}

bool Holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Share of the title that the question names; codes count three times.
double Coverage(const catalog::Product& product, const std::multiset<std::string>& question) {
  double named = 0, all = 0;
  for (const std::string& word : ContentWords(product.title)) {
    const bool has_digit =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const double weight = has_digit && std::isalpha(static_cast<unsigned char>(word[0])) ? 3 : 1;
    all += weight;
    if (question.count(word) != 0) named += weight;
  }
  return all == 0 ? 0 : named / all;
}

/// So that a second call finds the next product.
void RemoveTitle(const catalog::Product& product, std::multiset<std::string>& words) {
  for (const std::string& word : ContentWords(product.title)) {
    const auto found = words.find(word);
    if (found != words.end()) words.erase(found);
  }
}

/// The product that the words name best, if it is named and clearly leads the product `wanted`
/// places after it. Removes its words from `words`, so that a second call finds the next one.
std::optional<size_t> TakeNamed(const std::vector<Source>& products, const std::set<size_t>& taken,
                                size_t wanted, double least, std::multiset<std::string>& words) {
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < products.size(); ++i) {
    if (taken.count(i) == 0) ranked.emplace_back(-Coverage(*products[i].product(), words), i);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() < wanted || -ranked[0].first < least) return std::nullopt;
  const double next = ranked.size() > wanted ? -ranked[wanted].first : 0;
  if (-ranked[0].first - next < kClearly) return std::nullopt;
  const size_t at = ranked[0].second;
  RemoveTitle(*products[at].product(), words);
  return at;
}

/// The product that brand and code name, of several the one with most words in common. Removes its
/// words from `words`.
std::optional<size_t> TakeNamedByCode(const std::vector<Source>& products,
                                      const std::set<size_t>& taken,
                                      std::multiset<std::string>& words) {
  std::optional<size_t> best;
  double most = 0;
  for (size_t i = 0; i < products.size(); ++i) {
    const catalog::Product& product = *products[i].product();
    if (taken.count(i) != 0 || !IsNamedByCode(product, words)) continue;
    const double coverage = Coverage(product, words);
    if (coverage > most) best = i;
    most = std::max(most, coverage);
  }
  if (!best) return std::nullopt;
  RemoveTitle(*products[*best].product(), words);
  return best;
}

/// Titles that differ in few words: of a colour or a size.
bool IsVariantOf(const catalog::Product& one, const catalog::Product& other) {
  if (!one.item_group_id.empty() && one.item_group_id == other.item_group_id) return true;
  const std::set<std::string> a = ContentWords(one.title), b = ContentWords(other.title);
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return 4 * both.size() >= 3 * std::max(a.size(), b.size());
}

/// "The boAt Aavante Bar 1160": every telling word of the question stands in the title, the first
/// word of the title among them. Nothing where two products of different titles have them all:
/// these words search.
std::optional<size_t> FindNamedByAll(const std::vector<Source>& products,
                                     const std::vector<std::string>& telling) {
  if (telling.size() < 2) return std::nullopt;
  std::optional<size_t> named;
  for (size_t i = 0; i < products.size(); ++i) {
    const std::string& title = products[i].product()->title;
    const std::vector<std::string> words = TellingWords(FoldedMessage(title));
    const bool begins = !words.empty() && Holds(telling, words.front());
    const bool has_all = std::all_of(telling.begin(), telling.end(), [&](const std::string& word) {
      return Meets(title, DemandOf(word));
    });
    if (!begins || !has_all) continue;
    if (named && !IsVariantOf(*products[*named].product(), *products[i].product())) {
      return std::nullopt;
    }
    if (!named) named = i;
  }
  return named;
}

/// Words at the beginning of the title that stand in the question in a row.
size_t NamedBeginning(const std::string& title, const std::vector<std::string>& question) {
  const std::vector<std::string> words = ContentTokens(title);
  size_t longest = 0;
  for (size_t at = 0; at < question.size(); ++at) {
    size_t run = 0;
    while (run < words.size() && at + run < question.size() && words[run] == question[at + run]) {
      ++run;
    }
    longest = std::max(longest, run);
  }
  return longest;
}

/// "..., black": a white variant is not the one that is named.
bool StatesOtherValue(const catalog::Product& product, const retrieval::Filter& filter) {
  return std::any_of(filter.attributes.begin(), filter.attributes.end(), [&](const auto& asked) {
    const auto stated =
        std::find_if(product.attributes.begin(), product.attributes.end(), [&](const auto& each) {
          return retrieval::FoldWords(each.name) == retrieval::FoldWords(asked.name);
        });
    return stated != product.attributes.end() &&
           std::none_of(asked.values.begin(), asked.values.end(), [&](const std::string& value) {
             const FoldedMessage own(stated->value);
             return own.Has(retrieval::FoldWords(value));
           });
  });
}

/// Words of the title that stand in the question at all.
size_t NamedWords(const std::string& title, const std::vector<std::string>& question) {
  const std::set<std::string> words = ContentWords(title);
  return static_cast<size_t>(std::count_if(
      words.begin(), words.end(), [&](const auto& word) { return Holds(question, word); }));
}

/// "Monopoly Ultimate Banking Edition, how much": the title begins with these words; of variants,
/// the one of which more is said. Nothing where two products of different titles begin so.
std::optional<size_t> FindNamedByBeginning(const std::vector<Source>& products,
                                           const std::string& question,
                                           const retrieval::Filter& filter) {
  const std::vector<std::string> words = ContentTokens(question);
  std::optional<size_t> named;
  size_t most = kNamingRun - 1, said = 0;
  bool is_clear = false;
  for (size_t i = 0; i < products.size(); ++i) {
    const std::string& title = products[i].product()->title;
    const size_t run = NamedBeginning(title, words);
    if (run < most || run < kNamingRun) continue;
    if (StatesOtherValue(*products[i].product(), filter)) continue;
    const bool is_same =
        run == most && named && IsVariantOf(*products[*named].product(), *products[i].product());
    const size_t now = NamedWords(title, words);
    if (run > most || (is_same && now > said)) {
      named = i;
      said = now;
    }
    is_clear = run > most || (is_clear && is_same);
    most = run;
  }
  return is_clear ? named : std::nullopt;
}

/// The question asks for a fact of one product.
bool AsksFact(const Understanding& understanding, const std::string& question) {
  const FoldedMessage asked(question);
  return understanding.Has(Intent::kProductDetails) || HasCue(asked, Cue::kPrice) ||
         HasCue(asked, Cue::kStock) || HasCue(asked, Cue::kRating);
}

/// The words of the question that may name a product: not those of its type.
std::vector<std::string> NamingWords(const Understanding& understanding,
                                     const std::string& question) {
  FoldedMessage rest(question);
  if (understanding.type) rest = rest.Without(rest.FindLongest(understanding.type->words));
  std::vector<std::string> words;
  ForEachWord(rest.text(), [&](const std::string& word) {
    const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
    const bool is_model = is_number && word.size() >= kModelDigits && !words.empty();
    if (is_model || !TellingWords(FoldedMessage::FromFolded(word)).empty()) words.push_back(word);
  });
  return words;
}

/// "43 inch smart tv under 300" has the words of a title and names no product: a search names its
/// maker, too.
bool MayBeNamed(const Understanding& understanding, const std::string& question,
                const catalog::Product& product) {
  if (understanding.Has(Intent::kProductDetails) || understanding.filter.empty()) return true;
  const FoldedMessage asked(question);
  if (!product.brand.empty()) return asked.Has(retrieval::FoldWords(product.brand));
  const std::vector<std::string> words = TellingWords(FoldedMessage(product.title));
  return !words.empty() && asked.Has(words.front()) &&
         words.front().find_first_of("0123456789") == std::string::npos;
}

/// "Pedestal fan 400mm": what the question says of the title, other titles say, too.
bool SaysOnlyWhatOthersSay(const std::vector<Source>& products, size_t named,
                           const std::string& question) {
  const std::vector<std::string> asked = ContentTokens(question);
  const catalog::Product& product = *products[named].product();
  std::set<std::string> said = ContentWords(product.title);
  std::erase_if(said, [&](const std::string& word) { return !Holds(asked, word); });
  return std::any_of(products.begin(), products.end(), [&](const Source& each) {
    const std::set<std::string> other = ContentWords(each.product()->title);
    return !IsVariantOf(*each.product(), product) &&
           std::includes(other.begin(), other.end(), said.begin(), said.end());
  });
}

}  // namespace

bool IsModelCode(const std::string& word) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  // "400mm" is a quantity.
  return std::any_of(word.begin(), word.end(), is_digit) &&
         std::any_of(word.begin(), word.end(), is_letter) && !retrieval::ParseMeasure(word);
}

bool NamesOneOf(const FoldedMessage& message, const std::string& brand) {
  const std::string name = retrieval::FoldWords(brand);
  return message.Has(name + " one") ||
         std::any_of(kArticles.begin(), kArticles.end(), [&](const char* article) {
           return message.Has(std::string(article) + " " + name);
         });
}

std::set<std::string> ContentWords(std::string_view text) {
  const std::vector<std::string> words = ContentTokens(text);
  return {words.begin(), words.end()};
}

bool FocusOnNamed(const Understanding& understanding, const std::string& question,
                  std::vector<Source>& products) {
  const bool refers =
      !understanding.referenced_products.empty() && !understanding.is_subject_guessed;
  if (products.empty() || refers) return false;
  // "Philips headphones" names no pair of another brand.
  const std::vector<std::string>& brands = understanding.filter.brands;
  const auto is_other = [&](const Source& each) {
    return std::find(brands.begin(), brands.end(), each.product()->brand) == brands.end();
  };
  const bool compares = understanding.Has(Intent::kProductComparison);
  if (!compares && !brands.empty() && std::any_of(products.begin(), products.end(), is_other)) {
    std::vector<Source> of_brand;
    std::copy_if(products.begin(), products.end(), std::back_inserter(of_brand),
                 [&](const Source& each) { return !is_other(each); });
    if (!of_brand.empty() && FocusOnNamed(understanding, question, of_brand)) {
      products = std::move(of_brand);
      return true;
    }
    return false;
  }
  std::multiset<std::string> words;
  for (const std::string& word : ContentTokens(question)) words.insert(word);
  std::set<size_t> taken;
  while (taken.size() < kMaxNamed) {
    const auto named = TakeNamedByCode(products, taken, words);
    if (!named) break;
    taken.insert(*named);
  }
  const size_t wanted = understanding.Has(Intent::kProductComparison) ? 2 : 1;
  while (taken.size() < wanted) {
    const double least = understanding.asks_for_goods ? kNamedInSearch : kNamed;
    auto named = TakeNamed(products, taken, wanted - taken.size(), least, words);
    const bool is_search = named && wanted == 1 && !AsksFact(understanding, question) &&
                           SaysOnlyWhatOthersSay(products, *named, question);
    if (named && wanted == 1 &&
        (is_search || !MayBeNamed(understanding, question, *products[*named].product()))) {
      named.reset();
    }
    const bool may_be_all = !named && wanted == 1 && !understanding.asks_for_goods;
    if (may_be_all) named = FindNamedByAll(products, NamingWords(understanding, question));
    if (may_be_all && !named && AsksFact(understanding, question)) {
      named = FindNamedByBeginning(products, question, understanding.filter);
    }
    if (!named) return false;
    taken.insert(*named);
  }
  std::vector<Source> focused;
  for (const size_t i : taken) focused.push_back(std::move(products[i]));
  products = std::move(focused);
  return true;
}

bool AsksOfFocus(const Understanding& understanding, const TypeTable* table) {
  if (table == nullptr || !understanding.is_subject_guessed) return false;
  const FoldedMessage question(understanding.message);
  const bool asks = HasCue(question, Cue::kDetail) || HasCue(question, Cue::kWh);
  const std::vector<std::string> words = SplitWords(question.text());
  if (!asks || std::any_of(words.begin(), words.end(), IsModelWord)) return false;
  const std::vector<KeyMatch> keys = RankKeys(question, table->schema);
  return !keys.empty() && keys.front().is_named;
}

}  // namespace emptor::services
