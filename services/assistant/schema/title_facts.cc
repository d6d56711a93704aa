// Windows of a title's words, read as quantities.
#include "services/assistant/schema/title_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/property_names.h"
#include "services/assistant/schema/ranked_values.h"
#include "services/assistant/schema/record_words.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMaxWords = 3;  // of a quantity: "1345 sq. ft"
constexpr size_t kMaxStated = 3;
constexpr double kSame = 0.03;  // "127 cm (50 inches)" is one size
constexpr std::string_view kLength = "mm";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// A quantity that a title states: the words from `begin` to `end`.
struct Stated {
  size_t begin = 0, end = 0;
  double value = 0;
};

/// The words of a title without brackets; "200mm/8Inch" are two, "1/2" is one.
Words WordsOf(std::string_view title) {
  Words words(1);
  for (size_t i = 0; i < title.size(); ++i) {
    const char c = title[i];
    const bool is_fraction =
        c == '/' && i > 0 && IsDigit(title[i - 1]) && i + 1 < title.size() && IsDigit(title[i + 1]);
    const bool is_number =
        i > 0 && IsDigit(title[i - 1]) && i + 1 < title.size() && IsDigit(title[i + 1]);
    const bool parts = std::string_view(" ()[]|;").find(c) != std::string_view::npos ||
                       (c == '/' && !is_fraction) || (c == ',' && !is_number);
    if (!parts) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  for (std::string& word : words) {
    while (!word.empty() && (word.back() == ',' || word.back() == ':')) word.pop_back();
  }
  std::erase(words, "");
  return words;
}

std::string Joined(const Words& words, const Stated& quantity) {
  std::string text;
  for (size_t i = quantity.begin; i < quantity.end; ++i)
    text += (i == quantity.begin ? "" : " ") + words[i];
  return text;
}

bool IsNumber(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return IsDigit(c) || c == '.' || c == '-' || c == ',';
  }) && IsDigit(word.front());
}

/// "14 x 10 x 5 cm" begins with 14.
size_t BeginOfProduct(const Words& words, size_t at) {
  while (at >= 2 && (words[at - 1] == "x" || words[at - 1] == "X" || words[at - 1] == "×") &&
         IsNumber(words[at - 2])) {
    at -= 2;
  }
  return at;
}

std::vector<Stated> MeasuresOf(const Words& words, const std::vector<std::string_view>& bases) {
  std::vector<Stated> found;
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t size = std::min(kMaxWords, words.size() - i); size > 0; --size) {
      const Stated window{i, i + size};
      const auto measure = retrieval::ParseMeasure(Joined(words, window));
      if (!measure) continue;
      if (std::find(bases.begin(), bases.end(), measure->base) != bases.end()) {
        found.push_back({BeginOfProduct(words, i), i + size, measure->value});
      }
      i += size - 1;
      break;
    }
  }
  return found;
}

/// "3 Blade", "4-Piece", "SPF 50", where the question has the word.
std::vector<Stated> CountsOf(const Words& words, const std::vector<std::string>& asked) {
  const auto is_asked = [&](const std::string& word) {
    const std::string folded = retrieval::FoldWords(word);
    return std::any_of(asked.begin(), asked.end(), [&](const std::string& each) {
      return each == folded || StemOf(each) == StemOf(folded);
    });
  };
  std::vector<Stated> found;
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t hyphen = words[i].find('-');
    const bool is_compound = hyphen != std::string::npos && IsNumber(words[i].substr(0, hyphen)) &&
                             is_asked(words[i].substr(hyphen + 1));
    const double value = std::atof(words[i].c_str());
    if (is_compound) found.push_back({i, i + 1, value});
    if (!IsNumber(words[i])) continue;
    if (i + 1 < words.size() && is_asked(words[i + 1])) {
      found.push_back({i, i + 2, value});
    } else if (i > 0 && is_asked(words[i - 1])) {
      found.push_back({i - 1, i + 1, value});
    } else if (i > 1 && words[i - 1] == "of" && is_asked(words[i - 2])) {
      found.push_back({i - 2, i + 1, value});
    }
  }
  return found;
}

void DropRepeated(std::vector<Stated>& quantities) {
  std::vector<Stated> distinct;
  for (const Stated& each : quantities) {
    const bool is_new = std::none_of(distinct.begin(), distinct.end(), [&](const Stated& other) {
      return std::abs(each.value - other.value) <= kSame * std::abs(other.value);
    });
    if (is_new) distinct.push_back(each);
  }
  quantities = std::move(distinct);
}

/// Of "4GB RAM 64GB Storage", those next to a word of the question.
std::vector<Stated> NextToAsked(const Words& words, const std::vector<Stated>& quantities,
                                const FoldedMessage& question) {
  std::vector<Stated> near;
  for (const Stated& each : quantities) {
    const bool before = each.begin > 0 && question.Has(retrieval::FoldWords(words[each.begin - 1]));
    const bool behind =
        each.end < words.size() && question.Has(retrieval::FoldWords(words[each.end]));
    if (behind) return {each};
    if (before) near.push_back(each);
  }
  return near.size() == 1 ? near : std::vector<Stated>();
}

}  // namespace

std::vector<std::string> QuantitiesInTitle(const FoldedMessage& question, const FoldedMessage& rest,
                                           std::string_view title) {
  const AskedFor asked = ReadAskedFor(question);
  if (!asked.is_number && !asked.is_value) return {};
  const Words words = WordsOf(title);
  const FoldedMessage folded(title);
  const std::vector<std::string> others = TellingWords(WithoutDimensions(rest));
  // Of "battery life" the title has "12 Hours Battery".
  const auto is_of_name = [&](const std::string& word) {
    const auto names = LongPropertyPhrasesIn(rest);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto stems = SplitWords(name);
      return std::find(stems.begin(), stems.end(), StemOf(word)) != stems.end() &&
             std::any_of(stems.begin(), stems.end(),
                         [&](const std::string& stem) { return Meets(title, DemandOf(stem)); });
    });
  };
  const bool is_other = std::any_of(others.begin(), others.end(), [&](const std::string& word) {
    return !folded.Has(word) && !Meets(title, DemandOf(word)) && !is_of_name(word);
  });
  const std::vector<std::string_view> bases = BasesOf(asked);
  std::vector<Stated> found;
  if (!is_other && !bases.empty()) found = MeasuresOf(words, bases);
  const bool is_measure = !found.empty();
  if (!is_measure && !is_other) found = CountsOf(words, CountedWords(asked, rest));
  DropRepeated(found);
  const bool are_sizes = is_measure && bases.size() == 1 && bases.front() == kLength;
  if (found.size() > 1 && !are_sizes) found = NextToAsked(words, found, question);
  if (found.size() > kMaxStated) found.resize(kMaxStated);
  std::vector<std::string> texts;
  for (const Stated& each : found) texts.push_back(Joined(words, each));
  return texts;
}

std::string AmountAsWritten(std::string_view title, std::string_view base, double amount) {
  const Words words = WordsOf(title);
  std::string written;
  // The last one: of "189.2 cm (74.5")" the inches.
  for (const Stated& each : MeasuresOf(words, {base})) {
    if (std::abs(each.value - amount) <= kSame * amount) written = Joined(words, each);
  }
  if (!written.empty() || base != "px") return written;
  for (size_t i = 0; i < words.size(); ++i) {
    const Stated one{i, i + 1}, three{i, std::min(i + 3, words.size())};
    for (const Stated& window : {one, three}) {
      const std::string text = Joined(words, window);
      const bool begins = !text.empty() && IsDigit(text.front());
      if (begins && PixelsOf(text) == amount) return text;
    }
  }
  return "";
}

}  // namespace emptor::services
