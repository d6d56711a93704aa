// Goods that a follow-up names: "a case for it".
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/words/condition_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
std::optional<ProductType> MessageReader::FindNamedType(const ProductType* topic) const {
  const auto read = [&](const std::string& text, const std::string& others) {
    const FoldedMessage folded(text);
    return ReadNamedType({text, folded, result_.language, input_.profile, topic, input_.schema_of,
                          input_.is_sold, input_.own_names, FindPet(), others,
                          &input_.vocabulary.mentions});
  };
  const std::string sentence = SentenceOfGoods();
  if (!sentence.empty()) {
    const FoldedMessage::Span place = folded_.Find(FoldedMessage(sentence).text());
    const std::string others(place.found() ? folded_.text().substr(0, place.begin) : "");
    auto named = read(sentence, others);
    const AskedGoods asked = ReadAskedGoods(FoldedMessage(sentence));
    const bool names_goods = !asked.names.empty() && !asked.fits_shown &&
                             !TellingWords(FoldedMessage::FromFolded(asked.names.front())).empty();
    if ((named && !named->is_advised) || (!named && names_goods)) return named;
  }
  return read(input_.message, "");
}

std::string MessageReader::SentenceOfGoods() const {
  const std::vector<std::string> sentences = SplitSentences(input_.message);
  if (sentences.size() < 2) return "";
  std::string found;
  for (const std::string& each : sentences) {
    const FoldedMessage folded(each);
    if (!HasCue(folded, Cue::kRequest) && !HasCue(folded, Cue::kMore)) continue;
    if (!found.empty()) return "";
    found = each;
  }
  return found;
}

std::string_view MessageReader::FindPet() const {
  constexpr size_t kReach = 2;  // turns in which the pet stays the one whom goods are for
  if (const std::string_view pet = PetOf(folded_); !pet.empty()) return pet;
  const bool goes_on =
      Says(Cue::kRequest) || folded_.HasAny(std::array<std::string_view, 17>{
                                 "he", "she", "him", "her", "his", "they", "them", "er", "ihn",
                                 "ihm", "il", "elle", "lui", "ella", "它", "他", "她"});
  const bool is_for_person = folded_.HasAny(
      std::array<std::string_view, 10>{"for me", "for my", "myself", "fur mich", "fur mein",
                                       "fur meine", "pour moi", "pour mon", "para mi", "给我"});
  if (!goes_on || is_for_person) return "";
  for (size_t i = 0; i < std::min(kReach, input_.turns.size()); ++i) {
    const FoldedMessage before(input_.turns[input_.turns.size() - 1 - i].question);
    if (const std::string_view pet = PetOf(before); !pet.empty()) return pet;
  }
  return "";
}

void MessageReader::ReadAskedType() {
  if (input_.profile == nullptr || !input_.schema_of) return;
  asked_ = ReadAskedGoods(folded_);
  if (auto sibling = SiblingOfTopic()) {
    named_type_ = std::move(sibling);
    return;
  }
  for (const std::string& name : asked_.names) {
    if (auto type = TypeOfGoods(name)) {
      named_type_ = std::move(type);
      return;
    }
  }
  // No such goods: the search must not show others.
  const bool names_none = !named_type_ && asked_.fits_shown && !asked_.names.empty() &&
                          MayNameGoods(asked_.names.front());
  if (names_none) {
    named_type_ = ProductType{asked_.names.front(), {}, {asked_.names.front()}, true};
  }
}

std::optional<ProductType> MessageReader::SiblingOfTopic() const {
  if (named_type_ || asked_.fits_shown || asked_.names.empty() || !last_->type) return std::nullopt;
  std::vector<std::string> said = SplitWords(asked_.names.front());
  if (HasCue(FoldedMessage::FromFolded(said.back()), Cue::kList)) said.pop_back();
  if (said.size() != 1) return std::nullopt;
  for (const std::string& topic : last_->type->words) {
    const size_t head = topic.rfind(' ');
    if (head == std::string::npos) continue;
    const std::string name = said.front() + topic.substr(head);
    auto type = FindProductType(name, result_.language, *input_.profile);
    const bool is_it = type && type->is_whole && type->name != last_->type->name &&
                       FoldedMessage(name).FindLongest(type->words).size() + 1 >= name.size();
    if (is_it && !is_unknown_type(*type)) return type;
  }
  return std::nullopt;
}

std::optional<ProductType> MessageReader::TypeOfGoods(const std::string& name) const {
  if (!MayNameGoods(name)) return std::nullopt;
  const auto find = [&](const std::string& named) -> std::optional<ProductType> {
    auto type = FindProductType(named, result_.language, *input_.profile);
    const bool is_it = type && type->is_whole &&
                       FoldedMessage(named).FindLongest(type->words).size() + 1 >= named.size();
    return is_it && !is_unknown_type(*type) ? type : std::nullopt;
  };
  // "A case for it", of a phone: a phone case.
  if (asked_.fits_shown && last_->type) {
    for (const std::string& topic : last_->type->words) {
      if (auto type = find(topic + " " + name)) return type;
    }
    // "A dress for her", of a doll: what the shop calls a doll dress.
    const std::string own = input_.own_names == nullptr
                                ? ""
                                : input_.own_names->Between(last_->type->name, SingularOf(name));
    if (!own.empty()) return ProductType{own, {}, {own, name}, true};
  }
  if (named_type_) return std::nullopt;
  if (auto type = find(name)) return type;
  // "Do you have blue ones" names no goods.
  const FoldedMessage said = FoldedMessage::FromFolded(name);
  if (!asked_.fits_shown && !FindNamedValues(said, result_.language).empty()) return std::nullopt;
  ProductType type{name, {}, {name}, true};
  return is_unknown_type(type) ? std::nullopt : std::make_optional(std::move(type));
}

bool MessageReader::NamesKeyOfTopic(const FoldedMessage& name) const {
  const TypeSchema* const schema =
      last_->type ? input_.schema_of(*last_->type, result_.language) : nullptr;
  if (schema == nullptr) return false;
  std::vector<std::string> said = SplitWords(name.text());
  for (std::string& word : said) word = SingularOf(std::move(word));
  const std::string subject =
      result_.referenced_products.empty() ? LikelySubject() : result_.referenced_products.front();
  const auto record = input_.record_of && !subject.empty() ? input_.record_of(subject)
                                                           : std::optional<catalog::Product>();
  return std::any_of(schema->keys().begin(), schema->keys().end(), [&](const SchemaKey& key) {
    const auto has = [&](const std::string& word) {
      return std::find(key.words.begin(), key.words.end(), word) != key.words.end();
    };
    // "What toner does it use", of a printer that states none, asks for toner.
    const bool is_stated = !record || ValueOf(*record, key.name) != nullptr;
    return is_stated && said.size() + 1 >= key.words.size() &&
           std::all_of(said.begin(), said.end(), has);
  });
}

bool MessageReader::NamesMemberOf(const ProductType& topic) const {
  constexpr size_t kFewMembers = 12;
  const TypeSchema* const schema =
      input_.schema_of ? input_.schema_of(topic, result_.language) : nullptr;
  if (schema == nullptr || named_type_->name == topic.name || !has_list()) return false;
  const RecordWords& records = schema->words();
  const std::vector<std::string> words = SplitWords(folded_.text());
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& line = words[i + 1];
    if (!records.IsMostlyMaker(words[i]) || !IsLineName(line)) continue;
    const auto made = records.Find(DemandOf(words[i])), named = records.Find(DemandOf(line));
    std::vector<uint32_t> both;
    std::set_intersection(made.begin(), made.end(), named.begin(), named.end(),
                          std::back_inserter(both));
    if (!both.empty() && both.size() <= kFewMembers) return true;
  }
  return false;
}

bool MessageReader::MayNameGoods(const std::string& name) const {
  const FoldedMessage said = FoldedMessage::FromFolded(name);
  if (TellingWords(said).empty() || IsWideText(name)) return false;
  if (input_.vocabulary.Find(retrieval::FilterField::kBrand, name)) return false;
  if (last_->type && said.FindLongest(last_->type->words).found()) return false;
  const bool is_accessory = HasCue(said, Cue::kAccessory);
  // "What filter size does the second one take" is answered by its record.
  const bool is_asked = asked_.is_bought || FindCue(folded_, Cue::kRequest).found();
  if (asked_.fits_shown && !is_asked && NamesKeyOfTopic(said)) return false;
  if (asked_.fits_shown && (is_accessory || is_asked)) return true;
  // "Do you have touchscreens" asks for a property of what was shown.
  const TypeSchema* const schema =
      last_->type ? input_.schema_of(*last_->type, result_.language) : nullptr;
  if (schema == nullptr) return asked_.fits_shown;
  if (!ResolveAttributes(said, *schema).empty()) return false;
  const std::vector<std::string> words = TellingWords(said);
  return asked_.fits_shown || !schema->words().Knows(DemandOf(words.back()));
}

std::vector<NamedValue> MessageReader::ValuesOfName(const std::vector<std::string>& names) const {
  const FoldedMessage::Span span = folded_.FindLongest(names);
  if (!span.found()) return {};
  const auto said =
      FoldedMessage::FromFolded(std::string(folded_.text().substr(span.begin, span.size())));
  std::vector<NamedValue> values = FindNamedValues(said, result_.language);
  const FoldedMessage own(named_type_->name);
  std::erase_if(values, [&](NamedValue& value) {
    // "Sac à dos" without its "sac" is no name: the word is what the goods are, and no value.
    const bool is_part =
        result_.language == "en" || said.Without(value.span).FindLongest(names).found();
    value.span.begin += span.begin;
    value.span.end += span.begin;
    return !is_part || value.span.size() == span.size() || own.Has(value.canonical);
  });
  return values;
}

void MessageReader::AddValuesOfName() {
  for (const NamedValue& each : ValuesOfName(named_type_->words)) {
    const auto demand = DemandOf(each, folded_.text().substr(each.span.begin, each.span.size()));
    if (!schema_->words().Knows(demand)) result_.missing.push_back(demand);
  }
}

std::vector<std::string> MessageReader::NamesOfType() const {
  if (!named_type_) return {};
  std::vector<std::string> names = named_type_->words;
  while (!ValuesOfName(names).empty()) {
    const FoldedMessage::Span span = folded_.FindLongest(names);
    const auto said =
        FoldedMessage::FromFolded(std::string(folded_.text().substr(span.begin, span.size())));
    const size_t before = names.size();
    // A plural "s" may not be in the name.
    std::erase_if(names, [&](const std::string& name) {
      return name.size() + 1 >= span.size() && said.Has(name);
    });
    if (names.size() == before) break;
  }
  return names;
}

FoldedMessage MessageReader::WithoutType() const {
  return named_type_ ? folded_.Without(folded_.FindLongest(NamesOfType())) : folded_;
}

}  // namespace emptor::services
