// Reads links to /p/ID and citations [n].
#include "services/eval/shown_answer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "services/eval/answer_words.h"

namespace emptor::services {
namespace {

constexpr char kMark = '\x01';  // before and after the place of a product in marked text

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
            text.data() + i + 3;
    decoded += is_escape ? static_cast<char>(value) : text[i];
    i += is_escape ? 2 : 0;
  }
  return decoded;
}

/// "[label](address)" at `at`, or "[3]".
struct Bracket {
  std::string label, address;
  size_t end = 0;
};

std::optional<Bracket> ReadBracket(std::string_view text, size_t at) {
  const size_t close = text.find(']', at);
  if (close == std::string_view::npos) return std::nullopt;
  Bracket bracket{std::string(text.substr(at + 1, close - at - 1)), "", close + 1};
  if (close + 1 >= text.size() || text[close + 1] != '(') return bracket;
  const size_t end = text.find(')', close);
  if (end == std::string_view::npos) return bracket;
  bracket.address = text.substr(close + 2, end - close - 2);
  bracket.end = end + 1;
  return bracket;
}

std::string ProductOf(const Bracket& bracket, const ShownAnswer& answer) {
  const size_t path = bracket.address.find("/p/");
  if (path != std::string::npos) {
    const std::string_view rest = std::string_view(bracket.address).substr(path + 3);
    return PercentDecoded(rest.substr(0, rest.find_first_of("?#")));
  }
  int n = 0;
  std::from_chars(bracket.label.data(), bracket.label.data() + bracket.label.size(), n);
  const auto cited = answer.cited.find(n);
  return n > 0 && cited != answer.cited.end() ? cited->second : "";
}

/// The text with the number of a product of `found` between marks where the text names it. A
/// citation after the end of a sentence comes before that end.
std::string Marked(const ShownAnswer& answer, std::vector<std::string>& found) {
  const std::string_view text = answer.text;
  std::string marked;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*') continue;
    const auto bracket = text[i] == '[' ? ReadBracket(text, i) : std::nullopt;
    if (!bracket) {
      marked += text[i];
      continue;
    }
    const bool is_citation = bracket->address.empty();
    const std::string id = ProductOf(*bracket, answer);
    const std::string mark = kMark + std::to_string(found.size()) + kMark;
    // A title may hold the end of a sentence: both of its parts are about the product.
    if (!is_citation && !id.empty()) marked += mark;
    if (!is_citation) marked += bracket->label;
    if (!id.empty()) {
      found.push_back(id);
      const size_t last = marked.find_last_not_of(" \n");
      const bool after_end = is_citation && last != std::string::npos &&
                             (marked[last] == '.' || marked[last] == '!' || marked[last] == '?');
      marked.insert(after_end ? last : marked.size(), mark);
    }
    i = bracket->end - 1;
  }
  return marked;
}

/// Takes the marks out of a sentence.
std::vector<size_t> TakeMarks(std::string& sentence) {
  std::vector<size_t> places;
  std::string plain;
  for (size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] != kMark) {
      plain += sentence[i];
      continue;
    }
    const size_t end = std::min(sentence.find(kMark, i + 1), sentence.size());
    size_t place = 0;
    std::from_chars(sentence.data() + i + 1, sentence.data() + end, place);
    places.push_back(place);
    i = end;
  }
  sentence = plain;
  return places;
}

}  // namespace

std::vector<AnswerSentence> ReadSentences(const ShownAnswer& answer, const GoldRecords& records) {
  std::vector<std::string> found;
  std::vector<AnswerSentence> sentences;
  for (std::string& text : SentencesOf(Marked(answer, found))) {
    AnswerSentence sentence;
    for (const size_t place : TakeMarks(text)) {
      const catalog::Product* product = place < found.size() ? records.Find(found[place]) : nullptr;
      auto& subjects = sentence.subjects;
      const bool is_new = std::find(subjects.begin(), subjects.end(), product) == subjects.end();
      if (product != nullptr && is_new) subjects.push_back(product);
    }
    sentence.names_products = !sentence.subjects.empty();
    if (!sentence.names_products && !sentences.empty()) {
      sentence.subjects = sentences.back().subjects;
    }
    sentence.text = std::move(text);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::vector<std::string> NamedProducts(const ShownAnswer& answer, const GoldRecords& records) {
  std::vector<std::string> marked, named;
  Marked(answer, marked);
  const auto add = [&](const std::string& id) {
    if (std::find(named.begin(), named.end(), id) == named.end()) named.push_back(id);
  };
  for (const std::string& id : marked) add(id);
  for (const std::string& id : answer.cards) {
    const catalog::Product* product = records.Find(id);
    if (product != nullptr && SaysPhrase(answer.text, product->title)) add(id);
  }
  return named;
}

std::string PlainText(const ShownAnswer& answer) {
  std::vector<std::string> found;
  std::string text = Marked(answer, found);
  TakeMarks(text);
  return text;
}

std::string TextWithoutNames(const ShownAnswer& answer) {
  std::string text;
  for (size_t i = 0; i < answer.text.size(); ++i) {
    const auto bracket = answer.text[i] == '[' ? ReadBracket(answer.text, i) : std::nullopt;
    if (bracket) {
      i = bracket->end - 1;
    } else if (answer.text[i] != '*') {
      text += answer.text[i];
    }
  }
  return text;
}

}  // namespace emptor::services
