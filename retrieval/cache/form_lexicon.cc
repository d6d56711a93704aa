// A parser of "head : phrase | phrase ; phrase", and a map by first words.
#include "retrieval/cache/form_lexicon.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "retrieval/cache/faq_texts.h"

namespace emptor::retrieval {
namespace {

struct HeadName {
  std::string_view name;
  FormHead head;
};
constexpr std::array<HeadName, kFormHeadCount> kHeads = {{{"number", FormHead::kNumber},
                                                          {"unit", FormHead::kUnit},
                                                          {"negation", FormHead::kNegation},
                                                          {"affirmed", FormHead::kAffirmed},
                                                          {"opposite", FormHead::kOpposite},
                                                          {"type", FormHead::kType},
                                                          {"own", FormHead::kOwn},
                                                          {"party", FormHead::kParty},
                                                          {"scope", FormHead::kScope},
                                                          {"means", FormHead::kMeans},
                                                          {"size", FormHead::kSize},
                                                          {"place", FormHead::kPlace},
                                                          {"light", FormHead::kLight},
                                                          {"same", FormHead::kSame},
                                                          {"asks", FormHead::kAsks},
                                                          {"what", FormHead::kWhat},
                                                          {"from", FormHead::kFrom},
                                                          {"to", FormHead::kTo},
                                                          {"tells", FormHead::kTells},
                                                          {"joint", FormHead::kJoint},
                                                          {"condition", FormHead::kCondition}}};

/// Removes and returns what stands before `mark`.
std::string_view TakeUpTo(std::string_view& text, std::string_view mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + mark.size(), text.size()));
  return part;
}

std::optional<double> ReadValue(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The rest of a head: "2", "h 24", "place strong", "toronto in canada". False when it is no such.
bool ReadHead(std::string_view rest, FormSense& sense) {
  switch (sense.head) {
    case FormHead::kNumber:
    case FormHead::kUnit: {
      if (sense.head == FormHead::kUnit) sense.name = TakeUpTo(rest, " ");
      const auto value = ReadValue(rest);
      sense.value = value.value_or(0);
      return value.has_value();
    }
    case FormHead::kType:
      sense.name = TakeUpTo(rest, " ");
      sense.detail = rest;
      return rest == "strong" || rest == "weak";
    case FormHead::kPlace:
      sense.name = TakeUpTo(rest, " in ");
      sense.detail = rest;
      return !sense.name.empty();
    default:
      sense.name = rest;
      return true;
  }
}

}  // namespace

absl::StatusOr<FormLexicon> FormLexicon::Parse(std::string_view text) {
  FormLexicon lexicon;
  while (!text.empty()) {
    const std::string_view line = TakeUpTo(text, "\n");
    ++lexicon.lines_;
    if (line.empty() || line.front() == '#') continue;
    if (const absl::Status added = lexicon.AddLine(line); !added.ok()) return added;
  }
  return lexicon;
}

absl::Status FormLexicon::AddLine(std::string_view line) {
  std::string_view phrases = line;
  std::string_view head = TakeUpTo(phrases, " : ");
  const std::string_view name = TakeUpTo(head, " ");
  const auto known = std::find_if(kHeads.begin(), kHeads.end(),
                                  [&](const HeadName& each) { return each.name == name; });
  FormSense sense;
  if (known != kHeads.end()) sense.head = known->head;
  if (known == kHeads.end() || phrases.empty() || !ReadHead(head, sense)) {
    return absl::InvalidArgumentError(
        fmt::format("line {}: expected \"head : phrase | phrase\", found \"{}\"", lines_, line));
  }
  // What stands on one line of these belongs together.
  if (sense.head == FormHead::kSame || sense.head == FormHead::kOpposite) {
    sense.name = fmt::format("{}", lines_);
  }
  for (int side = 0; !phrases.empty(); ++side) {
    if (sense.head == FormHead::kOpposite) sense.detail = fmt::format("{}", side);
    AddPhrases(TakeUpTo(phrases, " ; "), sense);
  }
  return absl::OkStatus();
}

void FormLexicon::AddPhrases(std::string_view phrases, FormSense sense) {
  senses_.push_back(std::move(sense));
  while (!phrases.empty()) {
    Phrase phrase;
    for (const FormToken& token : TokenizeForm(TakeUpTo(phrases, " | ")).tokens) {
      phrase.words.push_back(token.text);
    }
    if (phrase.words.empty()) continue;
    phrase.sense = senses_.size() - 1;
    std::string first = phrase.words.front();
    phrases_[std::move(first)].push_back(std::move(phrase));
  }
}

const FormLexicon& FormLexicon::Default() {
  static const FormLexicon lexicon = [] {
    auto parsed = Parse(kFaqFormsLexicon);
    assert(parsed.ok());  // a test parses it
    return parsed.ok() ? *std::move(parsed) : FormLexicon();
  }();
  return lexicon;
}

void FormLexicon::ForEachAt(
    std::span<const FormToken> tokens, size_t at,
    const std::function<void(const FormSense& sense, size_t length)>& found) const {
  const auto phrases = phrases_.find(tokens[at].text);
  if (phrases == phrases_.end()) return;
  for (const Phrase& phrase : phrases->second) {
    if (at + phrase.words.size() > tokens.size()) continue;
    const bool matches =
        std::equal(phrase.words.begin(), phrase.words.end(), tokens.begin() + at,
                   [](const auto& word, const auto& token) { return word == token.text; });
    if (matches) found(senses_[phrase.sense], phrase.words.size());
  }
}

}  // namespace emptor::retrieval
