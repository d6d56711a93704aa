// Products that a message names or points at by more than a pronoun.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_meaning.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/property_names.h"

namespace emptor::services {
namespace {

using retrieval::QueryToken;

constexpr size_t kMinCodeOfBrand = 3;  // next to its brand
constexpr size_t kSureCode = 5;        // that names a product by itself
constexpr size_t kMinNameWords = 2;    // of a product that is named before a question
constexpr size_t kMinCode = 4;         // bytes of a model number

/// Bytes of the longest word of letters and digits that is no measure; 0: there is none.
size_t LongestCode(const std::vector<QueryToken>& tokens) {
  size_t longest = 0;
  for (const QueryToken& token : tokens) {
    const bool has_digit = token.text.find_first_of("0123456789") != std::string::npos;
    const bool is_code = has_digit && !retrieval::ParsePlainNumber(token.text) &&
                         !retrieval::ParseMeasure(token.text);
    if (is_code) longest = std::max(longest, token.text.size());
  }
  return longest;
}

}  // namespace

bool MessageReader::NamesByCode(const std::string& text) const {
  const auto tokens = retrieval::TokenizeQuery(text);
  const size_t code = LongestCode(tokens);
  if (code >= kSureCode) return true;
  if (code < kMinCodeOfBrand) return false;
  const std::vector<std::string> words = SplitWords(retrieval::FoldWords(text));
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return input_.vocabulary.Find(retrieval::FilterField::kBrand, word).has_value();
  });
}

bool MessageReader::NamesSubjectFirst() const {
  const std::string question = QuestionAfterSelection(input_.message);
  if (question.empty()) return false;
  const std::string head = input_.message.substr(0, input_.message.size() - question.size());
  return !PointsBack(retrieval::TokenizeQuery(head)) &&
         TellingWords(FoldedMessage(head)).size() >= kMinNameWords;
}

bool MessageReader::PointsAtType() {
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!name.found()) return false;
  const FoldedMessage before =
      FoldedMessage::FromFolded(std::string(folded_.text().substr(0, name.begin)));
  const FoldedMessage after =
      FoldedMessage::FromFolded(std::string(folded_.text().substr(name.end)));
  // "有它的手机壳吗": goods for it, and no part of it.
  const bool is_for_it = IsWideText(folded_.text()) && Says(Cue::kFitting) && Says(Cue::kAccessory);
  if (is_for_it) return false;
  const auto ends_with = [&](Cue cue) {
    const FoldedMessage::Span span = FindCue(before, cue);
    return span.found() && span.end + 1 >= before.text().size();
  };
  const bool is_owned = ends_with(Cue::kPossessive) && has_focus() && !Says(Cue::kMore);
  if (is_owned && result_.referenced_products.empty()) {
    SetSubject();
    result_.is_subject_guessed = false;
  }
  if (is_owned) return true;
  if (result_.referenced_products.size() != 1) return false;
  return ends_with(Cue::kDemonstrative) || HasCue(after, Cue::kPartOf);
}

bool MessageReader::AsksPolicyOfShown() const {
  constexpr size_t kMaxWords = 2;
  return AfterFillers(folded_).word_count() <= kMaxWords && FindPolicyTopic(folded_).has_value();
}

bool MessageReader::AsksOfPage() const {
  constexpr size_t kMaxWords = 4;  // of "weight in lbs"
  const std::string& page = input_.page_product_id;
  if (page.empty() || !has_list() || List() != std::vector<std::string>{page}) return false;
  // "Is there a sandbox" asks a shop for goods, and whether the product has a part.
  const bool is_part = Says(Cue::kThereIs) && (PageSays() || RecordTells());
  // "Do I need bags for it", of a vacuum cleaner that is bagless.
  const bool asks_need = Says(Cue::kYesNo) && !Says(Cue::kSells) && RecordTells();
  const bool wants_goods =
      (Says(Cue::kSells) && !is_part) || Says(Cue::kOthers) || Says(Cue::kLike) ||
      Says(Cue::kWhere) || (Says(Cue::kFitting) && !PageSays() && !RecordTells()) || rank_ ||
      result_.comparison || TurnsToOther() || names_code_ ||
      ((Says(Cue::kMore) || Says(Cue::kRequest)) && !is_part && !asks_need) || AsksStockOfOther();
  if (wants_goods || PricesType()) return false;
  const bool asks_yes_no = AsksYesOrNo(input_.message, folded_);
  // "Which capsules does it take", "for girls or boys".
  const bool asks_it = Says(Cue::kWh) && PointsAtOne(tokens_);
  const bool asks = asks_yes_no || asks_it || Says(Cue::kDetail) || Says(Cue::kOr) ||
                    ReadAskedFor(folded_).is_number;
  // "What is a good mouse for this laptop".
  const FoldedMessage::Span name =
      named_type_ ? folded_.FindLongest(named_type_->words) : FoldedMessage::Span();
  const FoldedMessage before(folded_.text().substr(0, name.found() ? name.begin : 0));
  if (asks) return asks_yes_no || !HasCue(before, Cue::kIndefinite);
  return folded_.word_count() <= kMaxWords && !PropertiesIn(folded_).empty();
}

bool MessageReader::PageSays() const {
  const TypeSchema* const schema =
      last_->type && input_.schema_of ? input_.schema_of(*last_->type, result_.language) : nullptr;
  const bool is_wide = IsWideText(folded_.text());
  if (is_wide && schema != nullptr && !ResolveAttributes(folded_, *schema).empty()) return true;
  const auto page = input_.record_of ? input_.record_of(input_.page_product_id) : std::nullopt;
  if (!page) return false;
  const AskedMeaning asked(folded_.Without(FindCue(folded_, Cue::kThereIs)), result_.language, "");
  if (asked.empty()) return false;
  std::string said = page->title;
  for (const catalog::Attribute& each : page->attributes) {
    said += " " + each.name + " " + each.value;
  }
  return asked.IsSaidBy(said);
}

bool MessageReader::AsksStockOfOther() const {
  if (!Says(Cue::kStock) || !named_type_ || !input_.record_of) return false;
  const auto page = input_.record_of(input_.page_product_id);
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!page || !name.found() || (last_->type && last_->type->name == named_type_->name))
    return false;
  // "Is the tape in stock", of a printer; "is the phone", of a smartphone, is about the page.
  const FoldedMessage before(folded_.text().substr(0, name.begin));
  return !HasCue(before, Cue::kDemonstrative) &&
         !FoldedMessage(page->title).HasAny(named_type_->words);
}

bool MessageReader::IsPartOfVariant() const {
  if (!Says(Cue::kVariant)) return false;
  const FoldedMessage::Span name = folded_.FindLongest(named_type_->words);
  if (!name.found()) return false;
  const std::vector<std::string> before = SplitWords(folded_.text().substr(0, name.begin));
  const auto is_joint = [](const std::string& word) {
    const FoldedMessage each = FoldedMessage::FromFolded(word);
    return HasCue(each, Cue::kHas) || HasCue(each, Cue::kNegation);
  };
  const size_t first = before.size() - std::min<size_t>(before.size(), 2);
  return std::any_of(before.begin() + static_cast<std::ptrdiff_t>(first), before.end(), is_joint);
}

bool MessageReader::CountsParts() const {
  if (!has_list() || Says(Cue::kMore) || Says(Cue::kSells) || Says(Cue::kWhole)) return false;
  const FoldedMessage message = AfterFillers(folded_);
  const FoldedMessage::Span count = FindCue(message, Cue::kHowMany);
  const FoldedMessage::Span name = message.FindLongest(named_type_->words);
  return count.found() && count.begin == 0 && name.found() && name.begin <= count.end + 1;
}

bool MessageReader::ComparesNamed() {
  const bool searches = Says(Cue::kMore) || result_.filter.has_price() || result_.asks_for_type;
  if (searches || NamesPlaces(tokens_) || result_.comparison) return false;
  const std::vector<std::string> parts = SplitCompared(input_.message);
  const auto named = std::count_if(parts.begin(), parts.end(),
                                   [&](const std::string& part) { return NamesByCode(part); });
  const bool compares = Says(Cue::kCompare) || (AsksRank() && HasCue(folded_, Cue::kOr)) ||
                        (named > 1 && HasCue(folded_, Cue::kOr));
  if (!compares || named == 0) return false;
  if (named == 1) {
    if (result_.referenced_products.empty() && has_focus()) SetSubject();
    if (result_.referenced_products.size() != 1) return false;
  } else {
    result_.referenced_products.clear();
  }
  result_.is_subject_guessed = false;
  compares_named_ = true;
  if (AsksRank()) result_.rank = rank_;
  result_.turn_rule = "compares named products";
  return true;
}

void MessageReader::NamesCode() {
  result_.asks_for_type = AsksForType();
  const bool selects = !words_.empty() && has_list() && folded_.Has("the ... one");
  if (selects && result_.referenced_products.size() != 1 && !NamesPlaces(tokens_) &&
      Says(Cue::kDetail)) {
    SetSubject();
    return;
  }
  if (NamesPlaces(tokens_)) return;
  const size_t least = result_.filter.brands.empty() ? kMinCode : kMinCodeOfBrand;
  const bool has_code = LongestCode(tokens_) >= least;
  const bool is_one = result_.referenced_products.size() == 1;
  names_code_ = has_code && result_.referenced_products.size() <= 1;
  // "And the 4 litre one from them, HSS40": of several, one is named.
  const bool is_of_several = has_code && !is_one && !rank_ && !Says(Cue::kCompare);
  if ((is_one && (has_code || NamesSubjectFirst())) || is_of_several) {
    result_.is_subject_guessed = !result_.referenced_products.empty();
  }
}

void MessageReader::ReadFactQuestion() {
  const std::string question = QuestionAfterSelection(input_.message);
  if (question.empty()) return;
  const FoldedMessage head(input_.message.substr(0, input_.message.size() - question.size()));
  const bool asks = HasCue(head, Cue::kDetail) || HasCue(head, Cue::kYesNo) ||
                    HasCue(head, Cue::kWh) || HasCue(head, Cue::kPrice) ||
                    HasCue(head, Cue::kStock);
  const bool selects = NamesPlaces(retrieval::TokenizeQuery(std::string(head.text())));
  // "The battery of the first, how much is it", "two of the first": more than a product is said.
  const bool says_more =
      CountAsked(head) > 1 || !ResolveAttributes(head, *schema_or_none()).empty();
  if (selects && !asks && !says_more) result_.fact_question = question;
}

void MessageReader::ReadCartCount() {
  // "Put two of them in my cart", and then "how much will that be".
  const bool asks_price = Says(Cue::kPrice) || Says(Cue::kTotal);
  if (!asks_price || last_ == nullptr || result_.referenced_products.size() != 1) return;
  const auto tokens = retrieval::TokenizeQuery(last_->question);
  const bool was_cart = FindIntents(tokens, false, false).front() == Intent::kCartAction;
  const int count = was_cart ? CountAsked(FoldedMessage(last_->question)) : 1;
  if (count > 1 && CountAsked(folded_) == 1) result_.quantities = {count};
}

}  // namespace emptor::services
