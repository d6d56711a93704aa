// Reads an answer's text sentence by sentence; each sentence ends with the source it cites: "[1]".
#include "tests/integration/shop_questions.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>

namespace emptor::testing {
namespace {

using catalog::JsonValue;

std::string Text(const JsonValue& object, std::string_view name) {
  const JsonValue* member = object.is_object() ? object.Find(name) : nullptr;
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

bool Has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool IsWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// The position behind `part` in `text` from `from` on, as whole words: "5" is not in "5.2".
size_t FindEnd(const std::string& text, const std::string& part, size_t from = 0) {
  for (size_t at = text.find(part, from); at != std::string::npos; at = text.find(part, at + 1)) {
    const size_t end = at + part.size();
    const bool begins = at == 0 || !IsWordByte(text[at - 1]) || !IsWordByte(part.front());
    const bool number_goes_on = end + 1 < text.size() && (text[end] == '.' || text[end] == ',') &&
                                std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0;
    const bool ends = end == text.size() || !IsWordByte(part.back()) ||
                      (!IsWordByte(text[end]) && !number_goes_on);
    if (begins && ends) return end;
  }
  return std::string::npos;
}

bool Says(const std::string& text, const std::string& part) {
  return FindEnd(text, part) != std::string::npos;
}

/// A piece of the answer up to a citation: the product it links and the words without its title.
struct Sentence {
  std::string product;
  std::string words;  // in lower case
};

std::vector<Sentence> SplitSentences(const std::string& text) {
  static const std::regex kEnd(R"( ?\[[0-9]+\])");
  static const std::regex kLink(R"(\[([^\]]*)\]\(/p/([^)]*)\))");
  std::vector<Sentence> sentences;
  for (std::sregex_token_iterator it(text.begin(), text.end(), kEnd, -1), end; it != end; ++it) {
    const std::string piece = *it;
    Sentence sentence;
    std::smatch link;
    if (std::regex_search(piece, link, kLink)) sentence.product = link[2];
    sentence.words = Lower(std::regex_replace(piece, kLink, "*"));
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

/// Price and rating of a record, as an answer states them.
std::string PriceOf(const JsonValue& record, const std::string& locale) {
  const JsonValue* price = record.is_object() ? record.Find("price") : nullptr;
  return price == nullptr ? "?" : Lower(FormatDollars(price->Find("amount")->as_int(), locale));
}

std::string FormatRating(double mean) {
  char text[24];
  std::snprintf(text, sizeof text, "rated %.1f", mean);
  return text;
}

std::string RatingOf(const JsonValue& record) {
  const JsonValue* rating = record.is_object() ? record.Find("rating") : nullptr;
  return rating == nullptr ? "?" : FormatRating(rating->Find("value")->as_double());
}

bool StatesTheFact(const ShopQuestion& question, const std::string& words) {
  if (question.field == "price") {
    return Says(words, Lower(FormatDollars(question.value.as_int(), question.locale)));
  }
  if (question.field == "rating") return Says(words, FormatRating(question.value.as_double()));
  if (question.field == "availability") {
    std::string state = question.value.as_string();
    std::replace(state.begin(), state.end(), '_', ' ');
    return Says(words, state);
  }
  const size_t name_end = FindEnd(words, Lower(question.field.substr(5)));  // after "attr."
  return name_end != std::string::npos &&
         FindEnd(words, Lower(question.value.as_string()), name_end) != std::string::npos;
}

/// "Yes" and "No" are claims of their own.
bool AgreesWithFirstWord(const ShopQuestion& question, const std::string& text) {
  if (!question.value.is_string()) return true;
  const std::string& value = question.value.as_string();
  const bool is_yes = value == "yes" || value == "in_stock";
  if (text.starts_with("Yes")) return is_yes;
  if (text.starts_with("No,")) return !is_yes;
  return true;
}

std::string CheckFact(const ShopQuestion& question, const Answer& answer) {
  if (!AgreesWithFirstWord(question, answer.text)) return "its first word contradicts the record";
  for (const Sentence& sentence : SplitSentences(answer.text)) {
    if (Has(question.ids, sentence.product) && StatesTheFact(question, sentence.words)) return "";
  }
  return "no sentence about an expected product states " + question.field + " as expected";
}

std::string CheckComparison(const ShopQuestion& question, const Answer& answer,
                            const FindRecord& find_record) {
  std::set<std::string> stated;
  for (const Sentence& sentence : SplitSentences(answer.text)) {
    const bool claims = Says(sentence.words, "cheaper") || Says(sentence.words, "better");
    if (claims && question.value.is_string() && sentence.product != question.value.as_string()) {
      return "it names the wrong product as " + question.field;
    }
    if (!Has(question.ids, sentence.product)) continue;
    const JsonValue record = find_record(sentence.product);
    const std::string fact =
        question.field == "rating" ? RatingOf(record) : PriceOf(record, question.locale);
    if (Says(sentence.words, fact)) stated.insert(sentence.product);
  }
  return stated.size() == question.ids.size() ? "" : "it does not state the fact of both products";
}

std::string CheckRecommendation(const ShopQuestion& question, const Answer& answer,
                                const FindRecord& find_record) {
  std::vector<std::string> named;
  for (const Sentence& sentence : SplitSentences(answer.text)) {
    if (!sentence.product.empty()) named.push_back(sentence.product);
  }
  if (named.empty()) return "it names no product";
  for (const std::string& id : named) {
    const JsonValue record = find_record(id);
    const JsonValue* price = record.is_object() ? record.Find("price") : nullptr;
    if (price == nullptr || price->Find("amount")->as_int() > question.value.as_int()) {
      return id + " is beyond the budget";
    }
  }
  return Has(question.ids, named.front()) ? "" : named.front() + " is no expected product";
}

std::string CheckFaq(const ShopQuestion& question, const Answer& answer) {
  for (const SseEvent& event : answer.events) {
    if (event.name != "citation") continue;
    const auto citation = catalog::ParseJson(event.data);
    if (!citation.ok()) return "its citation is no JSON";
    const std::string passage = Text(*citation, "passage_id");
    if (!Has(question.ids, passage.substr(0, passage.find('#')))) return "it cites " + passage;
    const std::string quote = Text(*citation, "quote");
    const bool quotes = !quote.empty() && answer.text.find(quote) != std::string::npos;
    return quotes ? "" : "its text is not that of the entry";
  }
  return "it cites nothing";
}

}  // namespace

std::string FormatDollars(int64_t cents, const std::string& locale) {
  std::string digits = std::to_string(cents / 100);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<size_t>(at), ",");
  }
  char fraction[8];
  std::snprintf(fraction, sizeof fraction, ".%02d", static_cast<int>(cents % 100));
  return (locale.starts_with("zh") ? "US$" : "$") + digits + fraction;
}

std::vector<ShopQuestion> ReadShopQuestions() {
  std::vector<ShopQuestion> questions;
  std::ifstream file(SourcePath("data/sample-shop/questions.jsonl"));
  for (std::string line; std::getline(file, line);) {
    const auto json = catalog::ParseJson(line);
    if (!json.ok()) throw std::runtime_error("questions.jsonl: " + json.status().ToString());
    ShopQuestion question{Text(*json, "id"),
                          Text(*json, "kind"),
                          Text(*json, "question"),
                          Text(*json, "locale"),
                          {},
                          Text(*json, "field"),
                          {}};
    for (const JsonValue& id : json->Find("ids")->as_array()) {
      question.ids.push_back(id.as_string());
    }
    if (const JsonValue* value = json->Find("value")) question.value = *value;
    if (question.ids.empty() || question.field.empty()) {
      throw std::runtime_error("questions.jsonl: " + question.id + " expects nothing");
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

std::string FindMistake(const ShopQuestion& question, const Answer& answer,
                        const FindRecord& find_record) {
  if (question.kind == "faq") return CheckFaq(question, answer);
  size_t shown = 0;
  for (const JsonValue& item : answer.products) shown += Has(question.ids, Text(item, "id"));
  if (shown == 0) return "no expected product is shown";
  if (question.kind == "recommend") return CheckRecommendation(question, answer, find_record);
  if (question.kind != "compare") return CheckFact(question, answer);
  if (shown < question.ids.size()) return "not both products are shown";
  return CheckComparison(question, answer, find_record);
}

}  // namespace emptor::testing
