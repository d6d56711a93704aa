// A search for each type that helps.
#include "services/assistant/search/advice_search.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "services/assistant/reading/condition_changes.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/search/found_order.h"
#include "services/assistant/search/need_verdicts.h"
#include "services/assistant/search/relevance.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kFewAbout = 3;    // of what somebody likes: other types are looked through, too
constexpr size_t kMaxTypes = 3;    // of one answer
constexpr int kFound = 60;         // of each type
constexpr size_t kConsidered = 8;  // of these, among which ratings choose
/// A rating counts as if so many more people had given `kUsualRating`.
constexpr double kUsualRating = 3.8, kUsualCount = 40;

constexpr char kTechnicalType[] = "laptop";  // of the department of electronics

double WorthOf(const catalog::Product& product) {
  const bool is_there = product.availability == catalog::Availability::kInStock;
  double sum = kUsualRating * kUsualCount, count = kUsualCount;
  if (product.rating) {
    const auto people = static_cast<double>(product.rating->count);
    sum += product.rating->value * people;
    count += people;
  }
  return sum / count + (is_there ? 1 : 0);
}

/// Whom a gift is for: what is for others alone is none.
struct Recipient {
  WordCondition wanted = {};             // "women's"; empty: nobody is named
  std::vector<std::string> others = {};  // "men's", "boys"
};

/// What of a type's members helps nobody with the need.
struct Misfits {
  std::optional<double> age;
  bool keeps_playthings = false;  // toys are among what helps
  bool keeps_technical = false;   // the type is one of electronics
  bool keeps_asides = false;      // "adhesive tape"
  Recipient recipient = {};
};

/// "Men's", of a gift for a mother; but not what is for both.
bool IsForOthers(const std::string& title, const Recipient& recipient) {
  return !recipient.others.empty() && FoldedMessage(title).HasAny(recipient.others) &&
         !Meets(title, recipient.wanted);
}

Recipient RecipientOf(const Understanding& understanding) {
  const FoldedMessage message(understanding.message), searched(understanding.search_text);
  std::string name(RecipientOf(message));
  if (name.empty()) name = RecipientOf(searched);
  if (name.empty()) return {};
  Recipient recipient{DemandOf(NamedValue{name, {}}, name)};
  recipient.others = AlternativesTo(recipient.wanted, {recipient.wanted});
  return recipient;
}

bool IsMisfit(const catalog::Product& product, const Misfits& misfits) {
  constexpr double kAdult = 16, kPlayAge = 2;
  const TitleHints hints = HintsOf(product.title);
  if (IsForOthers(product.title, misfits.recipient)) return true;
  if ((hints.is_aside && !misfits.keeps_asides) || (hints.is_technical && !misfits.keeps_technical))
    return true;
  const std::optional<double> min_age = MinAgeOf(product);
  // A pushchair for children of three years and more is a toy.
  const bool is_played_with = hints.is_plaything || (min_age && *min_age >= kPlayAge);
  if (!misfits.keeps_playthings && !misfits.keeps_technical && is_played_with) return true;
  if (!misfits.age) return false;
  const bool is_for_adults = *misfits.age < kAdult && FoldedMessage(product.title).Has("adult");
  return is_for_adults || (min_age && *min_age > *misfits.age);
}

/// Nothing that fits: an empty list, never one that meets less.
absl::StatusOr<std::vector<FoundProduct>> FindOfType(const ShopReader& shop,
                                                     const ProductSearchInput& search,
                                                     const Misfits& misfits,
                                                     size_t considered = kConsidered) {
  auto found = SearchProducts(shop, search);
  if (!found.ok()) return found.status();
  if (!found->relaxed.empty()) return std::vector<FoundProduct>();
  std::erase_if(found->items,
                [&](const FoundProduct& each) { return IsMisfit(each.product, misfits); });
  KeepNamed(search.query, found->items);
  if (found->items.size() > considered) found->items.resize(considered);
  std::stable_sort(found->items.begin(), found->items.end(), [](const auto& a, const auto& b) {
    return WorthOf(a.product) > WorthOf(b.product);
  });
  return std::move(found->items);
}

std::vector<FoundProduct> InTurns(std::vector<std::vector<FoundProduct>> types, size_t limit) {
  std::vector<FoundProduct> turns;
  for (size_t round = 0; turns.size() < limit && round < kFound; ++round) {
    for (auto& type : types) {
      if (round < type.size() && turns.size() < limit) turns.push_back(std::move(type[round]));
    }
  }
  return turns;
}

/// What is about it: of the types that help, else of any type. Nothing is about it: those that
/// help.
absl::StatusOr<std::vector<FoundProduct>> AboutLiking(const ShopReader& shop,
                                                      const ProductSearchInput& search,
                                                      const Understanding& understanding,
                                                      std::vector<std::vector<FoundProduct>> types,
                                                      size_t limit) {
  const WordCondition demand = DemandOf(understanding.liking);
  const auto is_about = [&](const FoundProduct& each) {
    return Meets(TextOf(each.product), demand);
  };
  std::vector<std::vector<FoundProduct>> about;
  for (const auto& type : types) {
    std::vector<FoundProduct> own;
    std::copy_if(type.begin(), type.end(), std::back_inserter(own), is_about);
    if (!own.empty()) about.push_back(std::move(own));
  }
  std::vector<FoundProduct> found = InTurns(std::move(about), limit);
  if (found.size() >= kFewAbout) return found;
  ProductSearchInput any = search;
  any.only = nullptr;
  any.every_hit_fits = false;
  any.understood->search_text = understanding.liking;
  any.understood->filter.categories.clear();
  any.limit = kFound;
  auto others = FindOfType(
      shop, any, {understanding.age, true, true, false, RecipientOf(understanding)}, kFound);
  if (!others.ok()) return others.status();
  for (FoundProduct& each : *others) {
    const auto is_same = [&](const FoundProduct& other) {
      return other.product.id == each.product.id;
    };
    const bool is_new = std::none_of(found.begin(), found.end(), is_same);
    if (is_new && is_about(each) && found.size() < limit) found.push_back(std::move(each));
  }
  return found.empty() ? InTurns(std::move(types), limit) : std::move(found);
}

/// What a story says of goods is often said of the situation: "30 degrees in summer". Prices and
/// makers are meant.
retrieval::Filter WithoutStory(const retrieval::Filter& filter) {
  retrieval::Filter kept;
  kept.min_price = filter.min_price;
  kept.max_price = filter.max_price;
  kept.currency = filter.currency;
  kept.brands = filter.brands;
  kept.availability = filter.availability;
  kept.locale = filter.locale;
  kept.region = filter.region;
  kept.min_rating = filter.min_rating;
  return kept;
}

absl::StatusOr<std::vector<FoundProduct>> FindHelp(const ShopReader& shop,
                                                   const ProductSearchInput& search,
                                                   const TypeTable& table,
                                                   const Understanding& understanding,
                                                   size_t limit) {
  const std::vector<retrieval::AttributeCondition>& wishes = understanding.wishes;
  ProductSearchInput of_type = search;
  of_type.limit = kFound;
  ProductSearchInput wished = of_type;
  auto& conditions = wished.understood->filter.attributes;
  conditions.insert(conditions.end(), wishes.begin(), wishes.end());
  std::vector<std::vector<FoundProduct>> types;
  const bool is_described = !understanding.type->advised.empty();
  const std::vector<std::string> helping = HelpOf(*understanding.type);
  const bool has_playthings =
      std::any_of(helping.begin(), helping.end(),
                  [](const std::string& name) { return HintsOf(name).is_plaything; });
  for (size_t i = 0; i < table.advised.size(); ++i) {
    of_type.only = wished.only = &table.advised[i];
    const Misfits misfits = {understanding.age, has_playthings,
                             IsOfDepartment(table.advised_types[i], kTechnicalType),
                             HintsOf(table.advised_types[i]).is_aside, RecipientOf(understanding)};
    const size_t considered = understanding.liking.empty() ? kConsidered : kFound;
    auto found = FindOfType(shop, wished, misfits, considered);
    if (found.ok() && found->empty() && !wishes.empty())
      found = FindOfType(shop, of_type, misfits, considered);
    // "WiFi adapter for PC", "stroller for dogs": all of a type sound like it.
    if (found.ok() && found->empty() && is_described) {
      const Misfits few = {understanding.age, true, true, true, misfits.recipient};
      found = FindOfType(shop, of_type, few, considered);
    }
    if (!found.ok()) return found.status();
    if (!found->empty()) types.push_back(*std::move(found));
    if (types.size() == kMaxTypes) break;
  }
  if (!understanding.liking.empty()) {
    return AboutLiking(shop, search, understanding, std::move(types), limit);
  }
  return InTurns(std::move(types), limit);
}

/// What helps, of prices and makers alone where all that was said leaves nothing.
absl::StatusOr<std::vector<FoundProduct>> FindAdvised(const ShopReader& shop,
                                                      const ProductSearchInput& search,
                                                      const TypeTable& table,
                                                      const Understanding& understanding,
                                                      size_t limit) {
  auto found = FindHelp(shop, search, table, understanding, limit);
  if (!found.ok() || !found->empty()) return found;
  ProductSearchInput plain = search;
  plain.understood->filter = WithoutStory(search.understood->filter);
  return FindHelp(shop, plain, table, understanding, limit);
}

/// The types that help most with the need of `understanding.type`, to be named in its language,
/// where the shop sells none of them: `sold` are those that it sells, the best first. Empty: it
/// sells one.
std::string NamesOfMissingHelp(const Understanding& understanding,
                               const std::vector<std::string>& sold) {
  constexpr size_t kMain = 3;  // types that help most
  const std::vector<std::string> help = TypesOfNeed(understanding.type->name);
  std::string names;
  for (size_t i = 0; i < std::min(help.size(), kMain); ++i) {
    if (!sold.empty() && sold.front() == help[i]) return "";
    names += (i == 0                           ? ""
              : understanding.language == "zh" ? "、"
                                               : ", ") +
             TypeNameIn(help[i], understanding.language);
  }
  return names;
}

/// Whether products that are advised are about what somebody is said to like; those that are come
/// first, and alone. Empty where nothing is said.
NeedReport ReportLiking(const Understanding& understanding, int64_t now_unix,
                        const catalog::Market& market, std::vector<FoundProduct>& advised) {
  NeedReport report;
  if (understanding.liking.empty()) return report;
  AskedNeed need;
  need.text = AsWritten(understanding.message, understanding.liking);
  need.word = DemandOf(understanding.liking);
  report.needs = {std::move(need)};
  report.verdicts = ChooseByNeeds({report.needs, nullptr, now_unix, market}, advised);
  return report;
}

}  // namespace

absl::StatusOr<Advice> FindAdvice(const AdviceInput& input, const ProductSearchInput& search,
                                  size_t limit) {
  const Understanding& understanding = input.understanding;
  Advice advice;
  std::string missing = NamesOfMissingHelp(understanding, input.table.advised_types);
  if (input.table.advised.empty()) {
    advice.not_sold = std::move(missing);
    advice.is_final = true;
    return advice;
  }
  auto found = FindAdvised(input.shop, search, input.table, understanding, limit);
  if (!found.ok()) return found.status();
  advice.is_final =
      !found->empty() || (!search.understood->filter.max_price && understanding.liking.empty());
  if (found->empty()) return advice;
  advice.not_sold = std::move(missing);
  advice.needs = ReportLiking(understanding, input.now_unix, input.market, *found);
  advice.products = *std::move(found);
  return advice;
}

}  // namespace emptor::services
