// What a message demands of titles and values beyond the conditions on attributes.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/condition_changes.h"
#include "services/assistant/reading/count_conditions.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/reading/unheard_words.h"
#include "services/assistant/schema/counted_terms.h"
#include "services/assistant/schema/rank_senses.h"
#include "services/assistant/words/condition_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

/// Without the name of the type but for the values in it: "laser" of "laser printer" stays, "tea"
/// of "tea kettle" does not.
FoldedMessage WithoutName(const FoldedMessage& message, const std::vector<std::string>& names,
                          const std::string& language) {
  const FoldedMessage::Span whole = message.FindLongest(names);
  const FoldedMessage::Span head = HeadOfName(message, names);
  if (!whole.found()) return message;
  const FoldedMessage around = FoldedMessage::FromFolded(
      std::string(message.text().substr(whole.begin, head.begin - whole.begin)) + " " +
      std::string(message.text().substr(head.end, whole.end - head.end)));
  const bool has_value = !FindNamedValues(around, language).empty();
  return message.Without(has_value ? head : whole);
}

/// "Small", where titles alone state the size; "nothing huge" does not.
bool MayStandInTitles(const RankedKey& degree) {
  return degree.key == kTitleKey && degree.said.front().find(' ') == std::string::npos;
}

}  // namespace

bool MessageReader::IsRead(const FoldedMessage& said) const {
  const std::string words(said.text());
  return !retrieval::FindColor(words).empty() ||
         std::any_of(bound_.said.begin(), bound_.said.end(), [&](const auto& each) {
           return FoldedMessage::FromFolded(each.second).Has(words);
         });
}

FoldedMessage MessageReader::WithoutNamesOfKeys(FoldedMessage rest) const {
  const auto is_bound = [&](const SchemaKey& key) {
    const auto has = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& each) { return each.name == key.name; });
    };
    return has(bound_.attributes) || has(bound_.wishes);
  };
  for (const SchemaKey& key : schema_->keys()) {
    for (const auto* phrases : {&key.phrases, &key.low, &key.high, &key.yes}) {
      const FoldedMessage::Span span = rest.FindLongest(*phrases);
      if (!span.found()) continue;
      // "4k", which an attribute is called by and no condition has read: still demanded.
      const FoldedMessage said =
          FoldedMessage::FromFolded(std::string(rest.text().substr(span.begin, span.size())));
      const std::vector<NamedValue> values = FindNamedValues(said, result_.language);
      const bool is_value = values.size() == 1 && values[0].span.size() == said.text().size() &&
                            IsFeature(values[0].canonical);
      if (!is_value || is_bound(key) || IsRead(said)) rest = rest.Without(span);
    }
  }
  return rest;
}

bool MessageReader::CountsThings(const CountedTerm& term) const {
  const std::string counted =
      term.said.substr(std::min(term.said.find_first_of(" -"), term.said.size()));
  const std::vector<std::string> words = TellingWords(FoldedMessage(counted));
  // "Set of 2 blue": a colour is not counted.
  const bool is_value =
      words.size() == 1 &&
      !FindNamedValues(FoldedMessage::FromFolded(words[0]), result_.language).empty();
  return words.size() == 1 && !is_value && !retrieval::FindUnit(words[0]) &&
         !IsTimeWord(words[0]) && !IsTimeWord(words[0] + "s") &&
         schema_->words().Knows(DemandOf(words[0]));
}

bool MessageReader::IsBoundOrRanked(const RankedKey& degree) const {
  // "A cheap kettle" asks for no cheapest.
  const bool is_ranked = rank_ && rank_->key == degree.key && AsksRank() &&
                         (rank_->is_superlative || Says(Cue::kWhich) || has_list());
  return is_ranked || (degree.key == "rating" && result_.filter.min_rating) ||
         (degree.key == "price" && result_.filter.has_price());
}

void MessageReader::ReadReduced() {
  const FoldedMessage::Span sale = FindCue(folded_, Cue::kSale);
  const bool is_of_shown = has_list() && (Says(Cue::kThese) || Says(Cue::kWhich));
  const bool asks_for_goods = named_type_ || !has_topic() || Says(Cue::kMore);
  if (!sale.found() || is_of_shown || !asks_for_goods || result_.asks_policy) return;
  result_.reduced =
      AsWritten(input_.message, std::string(folded_.text().substr(sale.begin, sale.size())));
  result_.keys_asked.emplace_back("was_price");
}

bool MessageReader::AsksForReduced() {
  if (result_.reduced.empty()) return false;
  result_.referenced_products.clear();
  result_.comparison.reset();
  result_.follows_up = !named_type_ && has_topic();
  BindAll();
  return true;
}

void MessageReader::ReadPreferences() {
  if (!result_.type || result_.type->is_advised) return;
  for (SenseRank& each : FindDegrees(folded_, *schema_or_none(), TypesRanked())) {
    // Better than any of the better half.
    std::erase_if(bound_.wishes, [&](const auto& wish) { return wish.name == each.rank.key; });
    if (!IsBoundOrRanked(each.rank)) result_.preferences.push_back(std::move(each.rank));
  }
  for (const RankedKey& each : result_.preferences) {
    if (!each.is_live() && each.key != kTitleKey) result_.keys_asked.push_back(each.key);
  }
}

bool MessageReader::IsPreferred(const WordCondition& word, bool for_titles) const {
  const auto& all = result_.preferences;
  return std::any_of(all.begin(), all.end(), [&](const RankedKey& each) {
    return FoldedMessage::FromFolded(each.said.front()).Has(word.text) &&
           !(for_titles && MayStandInTitles(each));
  });
}

void MessageReader::InheritPreferences() {
  if (!result_.type || result_.type->is_advised || result_.comparison) return;
  for (SenseRank& each :
       FindDegrees(FoldedMessage(last_->search_text), *schema_or_none(), TypesRanked())) {
    const auto is_same = [&](const RankedKey& own) { return own.key == each.rank.key; };
    const auto& own = result_.preferences;
    if (std::none_of(own.begin(), own.end(), is_same)) {
      result_.preferences.push_back(std::move(each.rank));
    }
  }
}

void MessageReader::ReadWords() {
  if (schema_ == nullptr) return;
  FoldedMessage rest(constraints_.search_text);
  rest = WithoutTradeName(rest);
  for (const std::string& read : bound_.read) rest = rest.Without(rest.Find(read));
  if (result_.type) rest = WithoutName(rest, result_.type->words, result_.language);
  if (result_.type && !named_type_ && has_topic()) {
    for (const std::string& word : SplitWords(result_.type->name)) {
      rest = rest.Without(rest.FindLongest({word, word + "es"}));  // "boxes", of lunch boxes
    }
  }
  if (result_.type && !result_.type->noun.empty())
    rest = rest.Without(rest.Find(result_.type->noun));
  rest = WithoutNamesOfKeys(rest);
  if (!result_.reduced.empty()) rest = rest.Without(FindCue(rest, Cue::kSale));
  for (const RankedKey& each : result_.preferences) {
    if (!MayStandInTitles(each)) rest = rest.Without(rest.Find(each.said.front()));
  }
  std::vector<WordCondition> counted, lacking;
  for (const CountedTerm& each : FindCountedTerms(constraints_.search_text)) {
    const FoldedMessage::Span said = rest.Find(each.said);
    // Sides that no record has are named as missing.
    const bool is_sides = each.term.find('x') != std::string::npos &&
                          each.term.find_first_not_of("0123456789x") == std::string::npos;
    if (!said.found()) continue;
    if (!is_sides && !schema_->words().Knows(DemandOf(each))) {
      // "4 bays", of records that speak of bays: said where it is not met.
      if (!CountsThings(each)) continue;
      lacking.push_back(DemandOf(each));
      rest = rest.Without(said);
      continue;
    }
    counted.push_back(DemandOf(each));
    rest = rest.Without(said);
  }
  rest = ReadSize(std::move(rest), lacking);
  words_ = ReadWordConditions(rest, result_.language, schema_->words());
  std::erase_if(words_, [&](const WordCondition& each) { return IsPreferred(each, true); });
  words_.insert(words_.begin(), counted.begin(), counted.end());
  for (const WordCondition& each : bound_.demanded) {
    const auto same = [&](const WordCondition& other) { return other.any_of == each.any_of; };
    if (std::none_of(words_.begin(), words_.end(), same)) words_.push_back(each);
  }
  if (result_.type && !result_.type->is_advised && !IsWideText(folded_.text())) {
    result_.missing =
        FindUnheard(input_.message, rest, result_.type->words, *schema_, result_.language == "en");
    std::erase_if(result_.missing,
                  [&](const WordCondition& each) { return IsPreferred(each, false); });
  }
  result_.missing.insert(result_.missing.end(), lacking.begin(), lacking.end());
  if (named_type_) AddValuesOfName();
  for (const std::string& each : bound_.absent) result_.missing.push_back(DemandOf(each));
  for (const retrieval::NumericRange& range : bound_.unstated) AddQuantity(range, false);
  for (const retrieval::NumericRange& range : bound_.missing) AddQuantity(range, true);
  AddPet();
  DemandTradeName();
  AddRecipient();
}

FoldedMessage MessageReader::ReadSize(FoldedMessage rest, std::vector<WordCondition>& lacking) {
  auto size = FindSizeDemand(rest);
  if (!size) return rest;
  rest = rest.Without(size->span);
  const bool is_known = schema_->words().Knows(size->condition);
  (is_known ? bound_.demanded : lacking).push_back(std::move(size->condition));
  return rest;
}

void MessageReader::AddRecipient() {
  constexpr size_t kMinRecipients = 5;  // one of so many records says for whom it is
  const std::string_view recipient = RecipientOf(folded_);
  if (recipient.empty() || !result_.type || result_.type->is_advised) return;
  const RecordWords& records = schema_->words();
  WordCondition demand = DemandOf(NamedValue{std::string(recipient), {}}, recipient);
  const std::string own = TranslateValue(std::string(recipient), result_.language);
  if (!own.empty()) demand.text = own;
  size_t said = 0;
  for (const std::string_view each : {"men's", "women's"}) {
    said += records.Find(DemandOf(NamedValue{std::string(each), {}}, each)).size();
  }
  if (said * kMinRecipients < schema_->product_count()) return;
  const bool is_said = std::any_of(words_.begin(), words_.end(), [&](const WordCondition& each) {
    return AreAlternatives(each, demand, &records);
  });
  if (!is_said) words_.push_back(demand);
}

void MessageReader::AddPet() {
  const std::string pet(FindPet());
  if (pet.empty() || !named_type_ || named_type_->is_advised) return;
  const WordCondition demand = DemandOf(pet);
  const bool is_named = FoldedMessage(named_type_->name).Has(pet) ||
                        std::find(words_.begin(), words_.end(), demand) != words_.end();
  if (!is_named && schema_->words().Knows(demand)) words_.push_back(demand);
}

void MessageReader::AddQuantity(const retrieval::NumericRange& range, bool is_missing) {
  auto demand = DemandOf(range, input_.message);
  if (!demand) return;
  // A quantity that no record has is named as missing, where records state such quantities.
  const RecordWords& records = schema_->words();
  if (is_missing || !records.Knows(*demand)) {
    const bool counts = is_missing || records.StatesDimension(demand->quantity->base);
    if (counts) result_.missing.push_back(*std::move(demand));
    return;
  }
  // "1200mm" as a word: records may write "1200 mm", or "48 inch".
  std::erase_if(words_, [&](const WordCondition& each) {
    const auto measure = retrieval::ParseMeasure(each.text);
    return measure && measure->base == demand->quantity->base;
  });
  words_.push_back(*std::move(demand));
}

}  // namespace emptor::services
