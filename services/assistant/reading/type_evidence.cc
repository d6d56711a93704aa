// Coverage by the words of records.
#include "services/assistant/reading/type_evidence.h"

#include <algorithm>
#include <utility>

#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

constexpr size_t kFewWords = 2;     // that tell one type from another
constexpr size_t kMaxCompared = 6;  // types, which may have to be learned

bool IsSold(const TypeReading& reading, const ProductType& type) {
  return !IsUnknownType(type, reading.schema_of, reading.is_sold, reading.language);
}

/// Sold types of the lexicon with a name that ends with the noun, but for `named`.
std::vector<ProductType> TypesCalled(const TypeReading& reading, const ProductType& named,
                                     const std::string& noun) {
  std::vector<ProductType> types;
  for (size_t i = 0; i < TheLexiconTypes().size(); ++i) {
    const LexiconType& each = TheLexiconTypes()[i];
    if (each.canonical == named.name || !IsCalledBy(i, noun)) continue;
    auto type = FindProductType(each.canonical, "en", *reading.profile);
    const bool is_meant = type && type->name == each.canonical && IsSold(reading, *type);
    if (is_meant) types.push_back(*std::move(type));
    if (types.size() == kMaxCompared) break;
  }
  return types;
}

/// "Which monitor has the fastest response time": what records state by attributes.
bool SpeaksOfKeys(const TypeReading& reading, const ProductType& type) {
  const TypeSchema* const schema = reading.schema_of(type, reading.language);
  if (schema == nullptr) return true;
  return !ResolveAttributes(reading.folded, *schema).empty() ||
         std::any_of(schema->keys().begin(), schema->keys().end(), [&](const SchemaKey& key) {
           return reading.folded.HasAny(key.phrases) || reading.folded.HasAny(key.low) ||
                  reading.folded.HasAny(key.high) || reading.folded.HasAny(key.yes);
         });
}

}  // namespace

std::vector<WordCondition> WordsBesides(const FoldedMessage& message, const std::string& noun) {
  std::vector<WordCondition> words;
  for (const std::string& word : TellingWords(message)) {
    const bool tells = !IsStoryWord(word) && !IsTimeWord(word) && !HasDigit(word) &&
                       SingularOf(word) != noun && word != noun;
    if (tells) words.push_back(DemandOf(word));
  }
  return words;
}

size_t CoverageOf(const TypeReading& reading, const ProductType& type,
                  const std::vector<WordCondition>& words) {
  const TypeSchema* const schema =
      reading.schema_of ? reading.schema_of(type, reading.language) : nullptr;
  if (schema == nullptr) return 0;
  const auto groups = schema->words().ByCoverage(words);
  const auto best =
      std::find_if(groups.begin(), groups.end(), [](const auto& each) { return !each.empty(); });
  return static_cast<size_t>(groups.end() - best);
}

std::optional<ProductType> OnlySoldOfNoun(const TypeReading& reading, const ProductType& named,
                                          const std::string& noun) {
  if (!WordsBesides(reading.folded, noun).empty()) return std::nullopt;
  std::vector<ProductType> types = TypesCalled(reading, named, noun);
  return types.size() == 1 ? std::move(types.front()) : std::optional<ProductType>();
}

std::optional<ProductType> BetterOfNoun(const TypeReading& reading, const ProductType& named,
                                        const std::string& noun) {
  const std::vector<WordCondition> words = WordsBesides(reading.folded, noun);
  if (words.size() < kFewWords) return std::nullopt;
  size_t best = std::max(CoverageOf(reading, named, words), kFewWords - 1);
  std::optional<ProductType> better;
  if (best == words.size()) return better;
  for (ProductType& each : TypesCalled(reading, named, noun)) {
    const size_t coverage = CoverageOf(reading, each, words);
    if (coverage <= best) continue;
    best = coverage;
    better = std::move(each);
  }
  return better;
}

bool KnowsNothingSaid(const TypeReading& reading, const ProductType& named,
                      const std::string& noun) {
  if (reading.mentions == nullptr || !*reading.mentions || !reading.schema_of) return false;
  std::vector<WordCondition> words = WordsBesides(reading.folded, noun);
  std::erase_if(words,
                [&](const WordCondition& each) { return (*reading.mentions)(each.text) == 0; });
  return words.size() >= kFewWords && CoverageOf(reading, named, words) == 0 &&
         !SpeaksOfKeys(reading, named);
}

}  // namespace emptor::services
