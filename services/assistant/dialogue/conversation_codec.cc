// Structs to messages, member by member.
#include "services/assistant/dialogue/conversation_codec.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "services/proto/conversation.pb.h"

namespace emptor::services {
namespace {

using Strings = google::protobuf::RepeatedPtrField<std::string>;

void Write(const std::vector<std::string>& texts, Strings* out) {
  out->Assign(texts.begin(), texts.end());
}

std::vector<std::string> Read(const Strings& in) { return {in.begin(), in.end()}; }

void WriteType(const ProductType& type, assistant::v1::ProductType& out) {
  const auto& [name, categories, words, is_whole, is_advised, noun, advised, alternatives] = type;
  out.set_name(name);
  Write(categories, out.mutable_categories());
  Write(words, out.mutable_words());
  out.set_is_whole(is_whole);
  out.set_is_advised(is_advised);
  out.set_noun(noun);
  Write(advised, out.mutable_advised());
  Write(alternatives, out.mutable_alternatives());
}

ProductType ReadType(const assistant::v1::ProductType& in) {
  return {in.name(), Read(in.categories()), Read(in.words()),       in.is_whole(), in.is_advised(),
          in.noun(), Read(in.advised()),    Read(in.alternatives())};
}

void WriteWords(const WordCondition& condition, assistant::v1::WordCondition& out) {
  const auto& [text, any_of, quantity] = condition;
  out.set_text(text);
  for (const auto& stems : any_of) Write(stems, out.add_any_of()->mutable_stems());
  if (!quantity) return;
  out.mutable_quantity()->set_base(quantity->base);
  if (std::isfinite(quantity->min)) out.mutable_quantity()->set_min(quantity->min);
  if (std::isfinite(quantity->max)) out.mutable_quantity()->set_max(quantity->max);
}

WordCondition ReadWords(const assistant::v1::WordCondition& in) {
  WordCondition condition{in.text(), {}};
  for (const auto& each : in.any_of()) condition.any_of.push_back(Read(each.stems()));
  if (in.has_quantity()) {
    constexpr double kOpen = std::numeric_limits<double>::infinity();
    const auto& quantity = in.quantity();
    condition.quantity = {quantity.base(), quantity.has_min() ? quantity.min() : -kOpen,
                          quantity.has_max() ? quantity.max() : kOpen};
  }
  return condition;
}

void WriteRange(const retrieval::NumericRange& range, assistant::v1::NumericRange& out) {
  const auto& [attribute, unit, min, max, min_open, max_open] = range;
  out.set_attribute(attribute);
  out.set_unit(unit);
  if (min) out.set_min(*min);
  if (max) out.set_max(*max);
  out.set_min_open(min_open);
  out.set_max_open(max_open);
}

retrieval::NumericRange ReadRange(const assistant::v1::NumericRange& in) {
  retrieval::NumericRange range;
  range.attribute = in.attribute();
  range.unit = in.unit();
  if (in.has_min()) range.min = in.min();
  if (in.has_max()) range.max = in.max();
  range.min_open = in.min_open();
  range.max_open = in.max_open();
  return range;
}

}  // namespace

// The bindings name every member: a new one does not compile until it is stored.
void WriteFilter(const retrieval::Filter& filter, assistant::v1::Filter& out) {
  const auto& [min_price, max_price, currency, brands, categories, availability, locale, region,
               excluded_brands, excluded_categories, colors, excluded_colors, conditions, location,
               min_rating, item_group, attributes, ranges, excluded_terms] = filter;
  if (min_price) out.set_min_price(*min_price);
  if (max_price) out.set_max_price(*max_price);
  out.set_currency(currency);
  Write(brands, out.mutable_brands());
  Write(categories, out.mutable_categories());
  for (const auto each : availability) out.add_availability(std::string(ToString(each)));
  out.set_locale(locale);
  out.set_region(region);
  Write(excluded_brands, out.mutable_excluded_brands());
  Write(excluded_categories, out.mutable_excluded_categories());
  Write(colors, out.mutable_colors());
  Write(excluded_colors, out.mutable_excluded_colors());
  for (const auto each : conditions) out.add_conditions(std::string(ToString(each)));
  out.set_location(location);
  if (min_rating) out.set_min_rating(*min_rating);
  out.set_item_group(item_group);
  for (const auto& each : attributes) {
    auto* written = out.add_attributes();
    written->set_name(each.name);
    Write(each.values, written->mutable_values());
  }
  for (const auto& each : ranges) WriteRange(each, *out.add_ranges());
  Write(excluded_terms, out.mutable_excluded_terms());
}

retrieval::Filter ReadFilter(const assistant::v1::Filter& in) {
  retrieval::Filter filter;
  if (in.has_min_price()) filter.min_price = in.min_price();
  if (in.has_max_price()) filter.max_price = in.max_price();
  filter.currency = in.currency();
  filter.brands = Read(in.brands());
  filter.categories = Read(in.categories());
  for (const std::string& name : in.availability()) {
    if (const auto parsed = catalog::ParseAvailability(name)) {
      filter.availability.push_back(*parsed);
    }
  }
  filter.locale = in.locale();
  filter.region = in.region();
  filter.excluded_brands = Read(in.excluded_brands());
  filter.excluded_categories = Read(in.excluded_categories());
  filter.colors = Read(in.colors());
  filter.excluded_colors = Read(in.excluded_colors());
  for (const std::string& name : in.conditions()) {
    if (const auto parsed = catalog::ParseCondition(name)) filter.conditions.push_back(*parsed);
  }
  filter.location = in.location();
  if (in.has_min_rating()) filter.min_rating = in.min_rating();
  filter.item_group = in.item_group();
  for (const auto& each : in.attributes()) {
    if (each.values_size() > 0) filter.attributes.push_back({each.name(), Read(each.values())});
  }
  for (const auto& each : in.ranges()) filter.ranges.push_back(ReadRange(each));
  filter.excluded_terms = Read(in.excluded_terms());
  return filter;
}

void WriteTurn(const ConversationTurn& turn, assistant::v1::Turn& out) {
  const auto& [question, search_text, filter, shown, cited, listed, language, first_list, winner,
               asked_key, type, words, min_reviews, ranks_all, policy_question, compared, page,
               chosen] = turn;
  out.set_question(question);
  out.set_search_text(search_text);
  WriteFilter(filter, *out.mutable_filter());
  Write(shown, out.mutable_shown_products());
  Write(cited, out.mutable_cited_products());
  Write(listed, out.mutable_listed_products());
  out.set_language(language);
  Write(first_list, out.mutable_first_list());
  out.set_winner(winner);
  out.set_asked_key(asked_key);
  if (type) WriteType(*type, *out.mutable_type());
  for (const WordCondition& each : words) WriteWords(each, *out.add_words());
  if (min_reviews) out.set_min_reviews(*min_reviews);
  out.set_ranks_all(ranks_all);
  out.set_policy_question(policy_question);
  Write(compared, out.mutable_compared_products());
  out.set_page_product_id(page);
  for (const auto& [topic, id, quantity] : chosen) {
    assistant::v1::ChosenProduct& written = *out.add_chosen();
    written.set_topic(topic);
    written.set_id(id);
    if (quantity > 1) written.set_quantity(quantity);
  }
}

ConversationTurn ReadTurn(const assistant::v1::Turn& in) {
  ConversationTurn turn;
  turn.question = in.question();
  turn.search_text = in.search_text();
  turn.filter = ReadFilter(in.filter());
  turn.shown_products = Read(in.shown_products());
  turn.cited_products = Read(in.cited_products());
  turn.listed_products = Read(in.listed_products());
  turn.language = in.language();
  turn.first_list = Read(in.first_list());
  turn.winner = in.winner();
  turn.asked_key = in.asked_key();
  if (in.has_type()) turn.type = ReadType(in.type());
  for (const auto& each : in.words()) turn.words.push_back(ReadWords(each));
  if (in.has_min_reviews()) turn.min_reviews = in.min_reviews();
  turn.ranks_all = in.ranks_all();
  turn.policy_question = in.policy_question();
  turn.compared_products = Read(in.compared_products());
  turn.page_product_id = in.page_product_id();
  for (const auto& each : in.chosen()) {
    turn.chosen.push_back({each.topic(), each.id(), std::max(each.quantity(), 1)});
  }
  return turn;
}

namespace {

/// Errors: kDataLoss (too large, not a message, version 0), kFailedPrecondition (a newer version).
template <typename Message>
absl::Status ParseMessage(std::string_view bytes, Message& message,
                          size_t max_bytes = kMaxStoredAnswerBytes) {
  if (bytes.size() > max_bytes) {
    return absl::DataLossError(
        fmt::format("conversation: expected at most {} bytes, found {}", max_bytes, bytes.size()));
  }
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError("conversation: the bytes are not a stored conversation");
  }
  if (message.version() == 0) return absl::DataLossError("conversation: version 0");
  if (message.version() <= kConversationVersion) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("conversation: written in version {}, this build reads up to {}",
                  message.version(), kConversationVersion));
}

}  // namespace

std::string EncodeConversation(const StoredConversation& conversation) {
  assistant::v1::StoredConversation message;
  message.set_version(kConversationVersion);
  message.set_shop(conversation.shop);
  const auto& [owner, title, created, used, answers] = conversation.head;
  message.set_owner(owner);
  message.set_title(title);
  message.set_created_unix(created);
  message.set_used_unix(used);
  message.set_answers(answers);
  for (const ConversationTurn& turn : conversation.turns) WriteTurn(turn, *message.add_turns());
  return message.SerializeAsString();
}

absl::StatusOr<StoredConversation> DecodeConversation(std::string_view bytes) {
  assistant::v1::StoredConversation message;
  absl::Status status = ParseMessage(bytes, message, kMaxStoredConversationBytes);
  if (!status.ok()) return status;
  if (message.turns_size() > static_cast<int>(kMaxStoredTurns)) {
    return absl::DataLossError(fmt::format("conversation: expected at most {} turns, found {}",
                                           kMaxStoredTurns, message.turns_size()));
  }
  StoredConversation conversation{message.shop(),
                                  {message.owner(), message.title(), message.created_unix(),
                                   message.used_unix(), message.answers()},
                                  {}};
  for (const auto& turn : message.turns()) conversation.turns.push_back(ReadTurn(turn));
  return conversation;
}

std::string EncodeAnswer(const std::string& shop, const ConversationAnswer& answer) {
  assistant::v1::StoredAnswer message;
  const auto& [id, question, asked, answered, text, step, model, locale, currency, cards,
               citations] = answer;
  message.set_version(kConversationVersion);
  message.set_shop(shop);
  message.set_id(id);
  message.set_question(question);
  message.set_asked_unix(asked);
  message.set_answered_unix(answered);
  message.set_text(text);
  message.set_answer_step(step);
  message.set_model(model);
  message.set_locale(locale);
  message.set_currency(currency);
  for (const auto& [n, product_id, why] : cards) {
    assistant::v1::StoredCard& card = *message.add_cards();
    card.set_n(n);
    card.set_product_id(product_id);
    card.set_why(why);
  }
  for (const auto& [n, product_id, passage_id, quote, title, page] : citations) {
    assistant::v1::StoredCitation& citation = *message.add_citations();
    citation.set_n(n);
    citation.set_product_id(product_id);
    citation.set_passage_id(passage_id);
    citation.set_quote(quote);
    citation.set_title(title);
    citation.set_page(page);
  }
  return message.SerializeAsString();
}

std::string EncodeFeedback(const std::string& shop, const AnswerFeedback& feedback) {
  assistant::v1::StoredFeedback message;
  const auto& [answer_id, conversation_id, made, is_up, reason, comment] = feedback;
  message.set_version(kConversationVersion);
  message.set_shop(shop);
  message.set_answer_id(answer_id);
  message.set_conversation_id(conversation_id);
  message.set_made_unix(made);
  message.set_is_up(is_up);
  message.set_reason(reason);
  message.set_comment(comment);
  return message.SerializeAsString();
}

absl::StatusOr<OfShop<ConversationAnswer>> DecodeAnswer(std::string_view bytes) {
  assistant::v1::StoredAnswer message;
  if (absl::Status status = ParseMessage(bytes, message); !status.ok()) return status;
  OfShop<ConversationAnswer> read{message.shop(),
                                  {message.id(),
                                   message.question(),
                                   message.asked_unix(),
                                   message.answered_unix(),
                                   message.text(),
                                   message.answer_step(),
                                   message.model(),
                                   message.locale(),
                                   message.currency(),
                                   {},
                                   {}}};
  for (const auto& card : message.cards()) {
    read.value.cards.push_back({card.n(), card.product_id(), card.why()});
  }
  for (const auto& each : message.citations()) {
    read.value.citations.push_back(
        {each.n(), each.product_id(), each.passage_id(), each.quote(), each.title(), each.page()});
  }
  return read;
}

absl::StatusOr<OfShop<AnswerFeedback>> DecodeFeedback(std::string_view bytes) {
  assistant::v1::StoredFeedback message;
  if (absl::Status status = ParseMessage(bytes, message); !status.ok()) return status;
  return OfShop<AnswerFeedback>{
      message.shop(),
      {message.answer_id(), message.conversation_id(), message.made_unix(), message.is_up(),
       message.reason(), message.comment()}};
}

std::string TitleOf(const std::string& question) {
  constexpr size_t kTitleBytes = 60;
  std::string title;
  bool ends_in_space = true;
  for (const char c : question) {
    const bool is_space = static_cast<unsigned char>(c) <= 0x20;
    if (!is_space || !ends_in_space) title += is_space ? ' ' : c;
    ends_in_space = is_space;
  }
  while (title.ends_with(' ')) title.pop_back();
  if (title.size() <= kTitleBytes) return title;
  size_t end = kTitleBytes;
  while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
  const size_t space = title.rfind(' ', end);
  title.resize(space != std::string::npos && space > kTitleBytes / 2 ? space : end);
  return title + "…";
}

}  // namespace emptor::services
