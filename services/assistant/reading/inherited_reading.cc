// What a message that goes on with a search keeps of it.
#include <algorithm>

#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/needs.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxWordConditions = 8;

/// "It doesn't have to be that big": no condition on an attribute that is spoken of.
void LiftKeys(const FoldedMessage& lifted, const TypeSchema& schema, retrieval::Filter& filter) {
  std::erase_if(filter.attributes, [&](const retrieval::AttributeCondition& each) {
    const SchemaKey* const key = schema.Find(each.name);
    return key != nullptr && (lifted.HasAny(key->phrases) || lifted.HasAny(key->low) ||
                              lifted.HasAny(key->high) || lifted.HasAny(key->yes));
  });
}

/// The word is of the message that described the need; later messages do not demand it.
bool TellsNeed(const std::vector<ConversationTurn>& turns, const WordCondition& word) {
  const auto& topic = turns.back().type;
  if (!topic || !topic->is_advised) return false;
  const auto before = std::find_if(turns.rbegin(), turns.rend(), [&](const auto& each) {
    return !each.type || each.type->name != topic->name;
  });
  return before != turns.rbegin() &&
         FoldedMessage(std::prev(before)->question).Has(FoldedMessage(word.text).text());
}

}  // namespace

void MessageReader::InheritTopic() {
  const bool is_advised = result_.type && result_.type->is_advised;
  if (!result_.age && is_advised) result_.age = ReadAge(FoldedMessage(last_->search_text));
  result_.said_text = result_.search_text;
  result_.search_text = ContinuedSearch(last_->search_text, result_.search_text);
  result_.said_filter = result_.filter;
  result_.said_words = result_.words;
  const ConversationTurn before = ChangedTopic();
  InheritFilter(before.filter, result_.filter);
  InheritWords(before);
  for (const std::string& key : bound_.lifted) {
    std::erase_if(result_.filter.attributes, [&](const auto& each) { return each.name == key; });
  }
  InheritSaid();
  InheritPreferences();
  const bool is_dearer = result_.comparison && result_.comparison->wants_more &&
                         result_.comparison->aspect == Comparison::Aspect::kPrice;
  const bool is_cheaper = result_.comparison && !result_.comparison->wants_more &&
                          result_.comparison->aspect == Comparison::Aspect::kPrice;
  if (is_cheaper && !constraints_.filter.min_price) result_.filter.min_price.reset();
  // A request for more expensive products drops the bound of the previous turn.
  if (is_dearer && !constraints_.filter.max_price) result_.filter.max_price.reset();
  if (result_.comparison && result_.referenced_products.empty()) {
    AppendNew(last_->cited_products.empty() ? last_->shown_products : last_->cited_products,
              result_.referenced_products);
  }
}

void MessageReader::InheritSaid() {
  if (schema_ == nullptr) return;
  for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
    const bool is_topic = turn->type && result_.type && turn->type->name == result_.type->name;
    if (!is_topic) return;
    const auto is_known = [&](const retrieval::AttributeCondition& each) {
      return std::any_of(result_.said_of.begin(), result_.said_of.end(),
                         [&](const auto& said) { return said.first == each.name; });
    };
    const auto& wanted = result_.filter.attributes;
    if (std::all_of(wanted.begin(), wanted.end(), is_known)) return;
    retrieval::Filter filter = retrieval::ReadConstraints(turn->question, input_.vocabulary).filter;
    const BoundConditions bound =
        BindConditions(FoldedMessage(turn->question), result_.language, *schema_, turn->type->words,
                       filter.ranges, ExactQuantities(turn->question, filter));
    for (const auto& [key, said] : bound.said) {
      if (is_known({key, {}})) continue;
      result_.said_of.emplace_back(key, AsWritten(turn->question, said));
    }
  }
}

bool MessageReader::IsRelativePrice() const {
  if (!last_->filter.max_price) return false;
  return std::none_of(input_.turns.begin(), input_.turns.end(), [&](const ConversationTurn& turn) {
    return retrieval::ReadConstraints(turn.question, input_.vocabulary).filter.max_price ==
           last_->filter.max_price;
  });
}

bool MessageReader::ChangesGoods() const {
  const RecordWords* const words = schema_ == nullptr ? nullptr : &schema_->words();
  const bool names_maker =
      words != nullptr && std::any_of(result_.words.begin(), result_.words.end(),
                                      [&](auto& each) { return words->IsMostlyMaker(each.text); });
  const auto& attributes = result_.filter.attributes;
  const bool restates = std::any_of(attributes.begin(), attributes.end(), [&](const auto& said) {
    const auto& before = last_->filter.attributes;
    return std::any_of(before.begin(), before.end(),
                       [&](const auto& each) { return each.name == said.name; });
  });
  // "What about for the Interceptor 650".
  const bool names_model = std::any_of(result_.words.begin(), result_.words.end(),
                                       [](auto& each) { return IsModelWord(each.text); });
  return names_maker || names_model || restates || !result_.filter.brands.empty() || is_new_type();
}

ConversationTurn MessageReader::ChangedTopic() {
  ConversationTurn before = *last_;
  const RecordWords* const words = schema_ == nullptr ? nullptr : &schema_->words();
  // "Cheaper", then "and from Targus": cheaper than what was shown of other makers.
  if (!result_.comparison && ChangesGoods() && IsRelativePrice()) {
    before.filter.max_price.reset();
    if (!before.filter.min_price) before.filter.currency.clear();
  }
  if (!lifted_.empty()) {
    LiftFrom(lifted_, before.filter);
    LiftFrom(lifted_, result_.filter);
    LiftFrom(lifted_, words, before.words);
    LiftFrom(lifted_, words, result_.words);
    LiftKeys(FoldedMessage::FromFolded(lifted_.text), *schema_or_none(), before.filter);
  }
  if (result_.ranks_all && Says(Cue::kWhole)) DropRanked(before);
  if (Says(Cue::kAlso)) {
    JoinAttributes(before);
    AddAlternatives(before.filter, result_.filter);
    JoinAlternatives(words, before.words, result_.words);
  }
  return before;
}

void MessageReader::JoinAttributes(ConversationTurn& before) {
  for (retrieval::AttributeCondition& said : result_.filter.attributes) {
    // "Managed is ok too" after "unmanaged", which was demanded of titles.
    std::erase_if(before.words, [&](const WordCondition& each) {
      const SchemaKey* const key = schema_or_none()->Find(said.name);
      return key != nullptr &&
             std::any_of(key->values.begin(), key->values.end(),
                         [&](const auto& value) { return Meets(value.folded, each); });
    });
    for (const retrieval::AttributeCondition& each : before.filter.attributes) {
      if (each.name == said.name) AppendNew(each.values, said.values);
    }
  }
}

bool MessageReader::IsRestated(const WordCondition& word, const retrieval::Filter& before) const {
  return std::any_of(before.attributes.begin(), before.attributes.end(), [&](const auto& each) {
    const auto& now = result_.filter.attributes;
    const bool is_changed = std::any_of(now.begin(), now.end(), [&](const auto& said) {
      return said.name == each.name && said.values != each.values;
    });
    return is_changed && std::any_of(each.values.begin(), each.values.end(),
                                     [&](const auto& value) { return Meets(value, word); });
  });
}

void MessageReader::InheritWords(const ConversationTurn& before) {
  if (NamesTypeOnly()) return;
  if (schema_ == nullptr || (folded_.Has("instead") && !words_.empty())) return;
  const auto is_model = [](const WordCondition& each) {
    return !each.quantity && IsModelWord(each.text);
  };
  const bool names_model = std::any_of(result_.words.begin(), result_.words.end(), is_model);
  for (const WordCondition& each : before.words) {
    // "My boss has a P1102", after toner for a 1020.
    if ((names_model && is_model(each)) || IsRestated(each, before.filter)) continue;
    if (TellsNeed(input_.turns, each)) continue;
    const bool is_replaced =
        std::any_of(result_.words.begin(), result_.words.end(), [&](const WordCondition& other) {
          return AreAlternatives(each, other, &schema_->words()) ||
                 ExcludeOneAnother(each, other, schema_->words(), schema_->product_count());
        });
    if (is_replaced) continue;
    const bool is_new =
        std::find(result_.words.begin(), result_.words.end(), each) == result_.words.end();
    if (is_new && result_.words.size() < kMaxWordConditions) result_.words.push_back(each);
  }
  if (!result_.min_reviews) result_.min_reviews = before.min_reviews;
}

}  // namespace emptor::services
