// Runs of words of the message at the beginning of titles.
#include "services/assistant/search/shop_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/search/name_match.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr int kCandidates = 24;  // hits for each text
constexpr size_t kMaxNamed = 3;  // variants that one name means
constexpr size_t kMinRun = 2;
constexpr size_t kBeginning = 3;  // words of a title among which its name begins
constexpr size_t kMaxWords = 14;  // of a message that names a product
constexpr size_t kNameWords = 4;  // of a title, before what the product is

absl::StatusOr<std::vector<catalog::Product>> Search(const ShopReader& shop,
                                                     const std::string& text,
                                                     const std::string& locale) {
  retrieval::SearchRequest request;
  request.query = text;
  request.filter.locale = locale;
  request.limit = kCandidates;
  request.correct = false;
  request.quotes = false;
  auto found = shop.SearchProducts(request);
  if (!found.ok()) return found.status();
  std::vector<catalog::Product> products;
  for (const retrieval::Hit& each : found->hits) {
    auto product = shop.FindProduct(each.id);
    if (!product.ok()) return product.status();
    if (*product) products.push_back(**std::move(product));
  }
  return products;
}

TypeTable LearnTable(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> learned;
  TypeTable table;
  for (const catalog::Product& each : products) {
    learned.push_back(&each);
    table.members.push_back(each.id);
    table.reviews.push_back(each.rating ? each.rating->count : 0);
  }
  table.schema = TypeSchema::Learn(learned);
  return table;
}

/// "Rockerz 330" of the message, where the title has it as well.
struct Run {
  size_t begin = 0, size = 0;  // into the words of the message
  size_t start = 0;            // into those of the title
};

/// The words tell a product apart: the number of a model, or a line that is no maker and not all
/// that is said of the product: "philips sonicare" is what several products are called.
bool Tells(const std::vector<std::string>& words, const Run& run) {
  for (size_t i = run.begin; i < run.begin + run.size; ++i) {
    const std::string& word = words[i];
    const bool is_number = DigitsOf(word) == word.size();
    const bool is_measure =
        retrieval::ParseMeasure(word).has_value() ||
        (is_number && i + 1 < words.size() && retrieval::FindUnit(words[i + 1]).has_value());
    if (DigitsOf(word) > 0 && !is_measure && (i > run.begin || !is_number)) return true;
    if (i > run.begin && run.size > kMinRun && IsLineName(word)) return true;
  }
  return false;
}

Run LongestRun(const std::vector<std::string>& words, const std::vector<std::string>& title) {
  Run longest;
  for (size_t at = 0; at < words.size(); ++at) {
    for (size_t start = 0; start < std::min(kBeginning, title.size()); ++start) {
      size_t size = 0;
      while (at + size < words.size() && start + size < title.size() &&
             words[at + size] == title[start + size]) {
        ++size;
      }
      if (size > longest.size) longest = {at, size, start};
    }
  }
  return longest;
}

/// All that the message says beyond the name stands in the title as well, or is a question.
bool SaysNothingElse(const std::vector<std::string>& words, const Run& run,
                     const std::string& title, bool asks) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if ((i >= run.begin && i < run.begin + run.size) || word == ",") continue;
    const bool is_model = DigitsOf(word) > 0 && DigitsOf(word) < word.size() &&
                          !retrieval::ParseMeasure(word).has_value();
    const bool tells = !TellingWords(FoldedMessage::FromFolded(word)).empty();
    if ((is_model || (tells && !asks)) && !Meets(title, DemandOf(word))) return false;
  }
  return true;
}

bool MayName(const Understanding& said, const FoldedMessage& message) {
  const bool searches = said.rank || said.comparison || said.counts_all || said.asks_for_type ||
                        said.contradicts || said.asks_policy || !said.fits_product.empty();
  return !searches && message.word_count() <= kMaxWords && !HasCue(message, Cue::kFitting) &&
         !HasCue(message, Cue::kLike) && !HasCue(message, Cue::kOthers) && !said.filter.has_price();
}

}  // namespace

absl::StatusOr<TypeTable> FindNameCandidates(const ShopReader& shop,
                                             const std::vector<std::string>& texts,
                                             const std::string& locale) {
  std::vector<catalog::Product> products;
  std::set<std::string> known;
  for (const std::string& text : texts) {
    auto found = Search(shop, text, locale);
    if (!found.ok()) return found.status();
    for (catalog::Product& each : *found) {
      if (known.insert(each.id).second) products.push_back(std::move(each));
    }
  }
  TypeTable table = LearnTable(products);
  table.locale = locale;
  return table;
}

absl::StatusOr<TypeTable> TableOfProducts(const ShopReader& shop,
                                          const std::vector<std::string>& ids) {
  std::vector<catalog::Product> products;
  for (const std::string& id : ids) {
    auto product = shop.FindProduct(id);
    if (!product.ok()) return product.status();
    if (*product) products.push_back(**std::move(product));
  }
  return LearnTable(products);
}

absl::StatusOr<std::vector<catalog::Product>> FindShopName(const ShopReader& shop,
                                                           const Understanding& understanding) {
  std::vector<catalog::Product> named;
  const FoldedMessage message(understanding.message);
  if (!MayName(understanding, message)) return named;
  const std::vector<std::string> words = WordsAndMarks(understanding.message);
  const bool asks = HasCue(message, Cue::kDetail) || HasCue(message, Cue::kYesNo) ||
                    HasCue(message, Cue::kWh) || HasCue(message, Cue::kPrice) ||
                    HasCue(message, Cue::kStock);
  auto found = Search(shop, understanding.message, understanding.filter.locale);
  if (!found.ok()) return found.status();
  Run best{0, kMinRun, kBeginning};
  for (catalog::Product& each : *found) {
    const std::vector<std::string> title = SplitWords(retrieval::FoldWords(each.title));
    const Run run = LongestRun(words, title);
    // A title that begins with the name is the product, "flip case for redmi note 11" is not.
    const auto rank_of = [](const Run& one) { return std::pair(one.size, kBeginning - one.start); };
    if (rank_of(run) < rank_of(best) || !Tells(words, run)) continue;
    if (!SaysNothingElse(words, run, each.title, asks)) continue;
    if (rank_of(run) > rank_of(best)) named.clear();
    best = run;
    if (named.size() < kMaxNamed) named.push_back(std::move(each));
  }
  return named;
}

std::optional<ProductType> TypeOfNamed(const std::string& title, const ShopProfile& profile) {
  const std::vector<TitleName> names = NamesInTitle(title);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    if (name->begin == 0) continue;  // the maker's: "boAt"
    if (auto type = FindProductType(name->name, "en", profile)) return type;
  }
  const std::vector<std::string> words = SplitWords(retrieval::FoldWords(title));
  std::string rest;
  for (size_t i = std::min(kNameWords, words.size()); i < words.size(); ++i) rest += words[i] + " ";
  return FindProductType(rest, "en", profile);
}

}  // namespace emptor::services
