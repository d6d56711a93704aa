// Adds up what the members of a cached answer own. A member that owns memory and is not listed here
// makes the cache larger than its bound: retained_bytes_test counts real allocations.
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "services/assistant/cache/cached_answer.h"

namespace emptor::services {
namespace {

constexpr size_t kAllocation = 16;  // of the allocator, for each block
constexpr size_t kTreeNode = 32;    // pointers and colour
constexpr size_t kInlineText = 15;  // characters that a string holds itself

template <typename T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) size_t Owned(const T&) { return 0; }
size_t Owned(const std::string& text) {
  return text.capacity() <= kInlineText ? 0 : text.capacity() + 1 + kAllocation;
}

// Declared first: they contain each other.
template <typename A, typename B>
size_t Owned(const std::pair<A, B>& pair);
template <typename T>
size_t Owned(const std::optional<T>& value);
template <typename T>
size_t Owned(const std::vector<T>& values);
size_t Owned(const catalog::Product& product);
size_t Owned(const catalog::Document& document);
size_t Owned(const retrieval::AttributeCondition& condition);
size_t Owned(const retrieval::NumericRange& range);
size_t Owned(const retrieval::Filter& filter);
size_t Owned(const catalog::Money& money);
size_t Owned(const StatedQuantity& quantity);
size_t Owned(const WordCondition& word);
size_t Owned(const RankSource& source);
size_t Owned(const RankedKey& rank);
size_t Owned(const ProductType& type);
size_t Owned(const Comparison& comparison);
size_t Owned(const PolicyTopic& topic);
size_t Owned(const ChosenProduct& chosen);
size_t Owned(const ConversationTurn& turn);
size_t Owned(const AskedNeed& need);
size_t Owned(const Source& source);
size_t Owned(const retrieval::RelaxationStep& step);

template <typename... Members>
size_t Sum(const Members&... members) {
  return (size_t{0} + ... + Owned(members));
}

template <typename A, typename B>
size_t Owned(const std::pair<A, B>& pair) {
  return Sum(pair.first, pair.second);
}
template <typename T>
size_t Owned(const std::optional<T>& value) {
  return value ? Owned(*value) : 0;
}
template <typename T>
size_t Owned(const std::vector<T>& values) {
  if (values.capacity() == 0) return 0;
  size_t bytes = values.capacity() * sizeof(T) + kAllocation;
  for (const T& value : values) bytes += Owned(value);
  return bytes;
}
size_t Owned(const catalog::Product& product) { return Sum(product.id); }
size_t Owned(const catalog::Document& document) {
  return Sum(document.id, document.kind, document.title, document.text, document.link,
             document.locale, document.updated_at, document.product_id, document.quarantine,
             document.pages);
}
size_t Owned(const retrieval::AttributeCondition& condition) {
  return Sum(condition.name, condition.values);
}
size_t Owned(const retrieval::NumericRange& range) { return Sum(range.attribute, range.unit); }
size_t Owned(const retrieval::Filter& filter) {
  return Sum(filter.currency, filter.brands, filter.categories, filter.availability, filter.locale,
             filter.region, filter.excluded_brands, filter.excluded_categories, filter.colors,
             filter.excluded_colors, filter.conditions, filter.location, filter.item_group,
             filter.attributes, filter.ranges, filter.excluded_terms);
}
size_t Owned(const catalog::Money& money) { return Sum(money.currency); }
size_t Owned(const StatedQuantity& quantity) { return Sum(quantity.base); }
size_t Owned(const WordCondition& word) { return Sum(word.text, word.any_of, word.quantity); }
size_t Owned(const RankSource& source) { return Sum(source.key); }
size_t Owned(const RankedKey& rank) {
  return Sum(rank.key, rank.sources, rank.base, rank.label, rank.said);
}
size_t Owned(const ProductType& type) {
  return Sum(type.name, type.categories, type.words, type.noun, type.advised, type.alternatives);
}
size_t Owned(const Comparison& comparison) { return Sum(comparison.key); }
size_t Owned(const PolicyTopic& topic) { return Sum(topic.name, topic.words); }
size_t Owned(const ChosenProduct& chosen) { return Sum(chosen.topic, chosen.id); }
size_t Owned(const ConversationTurn& turn) {
  return Sum(turn.question, turn.search_text, turn.filter, turn.shown_products, turn.cited_products,
             turn.listed_products, turn.language, turn.first_list, turn.winner, turn.asked_key,
             turn.type, turn.words, turn.policy_question, turn.compared_products,
             turn.page_product_id, turn.chosen);
}
size_t Owned(const AskedNeed& need) {
  return Sum(need.text, need.condition, need.word, need.preferred);
}
size_t Owned(const Source& source) {
  const size_t record =
      source.product() != nullptr ? Owned(*source.product()) : Owned(*source.document());
  return record + Sum(source.passage_id, source.excerpt);
}
size_t Owned(const retrieval::RelaxationStep&) { return 0; }

size_t Owned(const Understanding& said) {
  return Sum(said.intents, said.language, said.message, said.filter, said.budget, said.search_text,
             said.referenced_products, said.comparison, said.type, said.rank, said.ranked_search,
             said.not_sold, said.unsold_trade, said.list, said.inherited_key, said.same_brand_as,
             said.wishes, said.reduced, said.preferences, said.words, said.missing, said.liking,
             said.list_words, said.fact_question, said.keys_asked, said.said_of, said.policy,
             said.policy_question, said.policy_context, said.policy_part, said.quantities,
             said.excluded_products, said.said_filter) +
         Sum(said.said_words, said.said_text, said.fits_product, said.unsold_side, said.added_goods,
             said.summed_products);
}

size_t Owned(const NeedReport& report) {
  size_t bytes = Owned(report.needs);
  for (const auto& [id, verdicts] : report.verdicts) {
    bytes += kTreeNode + kAllocation + sizeof(id) + sizeof(verdicts) + Sum(id, verdicts);
  }
  return bytes;
}

size_t Owned(const Retrieved& found) {
  return Sum(found.sources, found.why, found.asked, found.filter, found.relaxed, found.lacking,
             found.not_sold) +
         Owned(found.needs);
}

}  // namespace

size_t RetainedBytes(const CachedAnswer& answer) {
  return sizeof(CachedAnswer) + kAllocation + Owned(answer.understanding) +
         Owned(answer.retrieved) + Sum(answer.text, answer.prompt_hash);
}

}  // namespace emptor::services
