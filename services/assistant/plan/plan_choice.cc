// Questions that a bare yes or no would answer wrongly: "new or used", "does it contain perfume".
#include <algorithm>
#include <string_view>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr size_t kMinSuffix = 4;  // bytes of "frei", "less": shorter words end others by chance
constexpr size_t kMinPrefix = 4;  // bytes of "perfume", which "perfumed" begins with

/// "perfume" of "perfume free", "duft" of "ohne duft", "parfum" of "parfumfrei"; empty: the phrase
/// denies nothing.
std::string LackedBy(const std::string& phrase) {
  for (const std::string& lack : CuePhrases(Cue::kLack)) {
    if (phrase.size() <= lack.size()) continue;
    if (phrase.starts_with(lack + " ")) return phrase.substr(lack.size() + 1);
    if (phrase.ends_with(" " + lack)) return phrase.substr(0, phrase.size() - lack.size() - 1);
    const bool is_suffix = lack.size() >= kMinSuffix && phrase.ends_with(lack);
    if (is_suffix && !IsWideText(lack)) return phrase.substr(0, phrase.size() - lack.size());
    if (IsWideText(lack) && phrase.starts_with(lack)) return phrase.substr(lack.size());
  }
  return "";
}

/// The message names what the key denies, and does not deny it itself.
bool NamesWhatIsLacked(const FoldedMessage& message, const std::vector<std::string>& phrases) {
  bool names = false;
  for (const std::string& phrase : phrases) {
    const std::string lacked = LackedBy(phrase);
    if (lacked.empty()) continue;
    if (message.Has(phrase)) return false;
    names = names || message.Has(lacked);
    ForEachWord(message.text(), [&](const std::string& word) {
      names = names || (lacked.size() >= kMinPrefix && word.starts_with(lacked));
    });
  }
  return names;
}

/// Both sides of the word name something: "new or used", not "or not".
bool IsChoice(const FoldedMessage& question) {
  const FoldedMessage::Span either = FindCue(question, Cue::kOr);
  if (!either.found()) return false;
  const std::string text(question.text());
  const auto names = [](const std::string& part) {
    const auto words = SplitWords(part);
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return !IsOrdinaryWord(word) || HasCue(FoldedMessage::FromFolded(word), Cue::kUsed);
    });
  };
  return names(text.substr(0, either.begin)) && names(text.substr(either.end));
}

}  // namespace

std::optional<Statement> Planner::ChoiceOf(int n, const FoldedMessage& question) const {
  if (!IsChoice(question)) return std::nullopt;
  std::vector<retrieval::NumericRange> ranges;
  const BoundConditions bound = BindConditions(question, input_.understanding.language, shown_, {},
                                               ranges, {}, ConditionUse::kQuestion);
  for (const auto& each : bound.attributes) {
    if (ValueOf(ProductOf(n), each.name) != nullptr) {
      return Statement{.kind = Kind::kState, .source = n, .key = each.name};
    }
  }
  // The value of an attribute is one of the two.
  for (const SchemaKey& key : shown_.keys()) {
    const std::string* const value = ValueOf(ProductOf(n), key.name);
    if (value != nullptr && key.kind != SchemaKey::Kind::kBoolean &&
        question.Has(retrieval::FoldWords(*value))) {
      return Statement{.kind = Kind::kState, .source = n, .key = key.name};
    }
  }
  const SchemaKey* const named = KeyNamed(question);
  if (named != nullptr && ValueOf(ProductOf(n), named->name) != nullptr) {
    return Statement{.kind = Kind::kState, .source = n, .key = named->name};
  }
  const auto words = TellingWords(question);
  const bool is_named = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return Meets(ProductOf(n).title, DemandOf(word));
  });
  if (is_named) return Statement{.kind = Kind::kState, .source = n, .key = "title"};
  return Statement{.kind = Kind::kNotStated, .source = n};
}

std::optional<Statement> Planner::PolarityOfLack(int n, const FoldedMessage& question) const {
  for (const catalog::Attribute& each : ProductOf(n).attributes) {
    const std::string value = retrieval::FoldWords(each.value);
    if (!MeansYes(value) && !MeansNo(value)) continue;
    std::vector<std::string> phrases = {retrieval::FoldWords(each.name)};
    // Only a key that denies by its own name.
    if (LackedBy(phrases[0]).empty()) continue;
    if (const SchemaKey* key = shown_.Find(each.name)) {
      phrases.insert(phrases.end(), key->phrases.begin(), key->phrases.end());
      phrases.insert(phrases.end(), key->yes.begin(), key->yes.end());
    }
    if (NamesWhatIsLacked(question, phrases)) return Answer(MeansNo(value), n, each.name);
  }
  return std::nullopt;
}

}  // namespace emptor::services
