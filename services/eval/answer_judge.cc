// One function for each check of docs/formats/answer_cases.md.
#include "services/eval/answer_judge.h"

#include <algorithm>

#include "catalog/encoding/utf8.h"
#include "fmt/format.h"
#include "services/eval/answer_truth.h"
#include "services/eval/answer_words.h"

namespace emptor::services {
namespace {

using catalog::Product;
using Products = std::vector<const Product*>;

class Judge {
 public:
  Judge(const CaseConversation& conversation, const std::vector<ShownAnswer>& answers,
        const GoldRecords& records)
      : answers_(answers),
        records_(records),
        answer_(answers.back()),
        turn_(conversation.turns[answers.size() - 1]),
        expect_(turn_.expect),
        text_(PlainText(answer_)),
        named_(NamedProducts(answer_, records)),
        sentences_(ReadSentences(answer_, records)) {}

  Verdict Run() {
    if (!answer_.error.empty()) Fail("error", answer_.error);
    CheckLanguage();
    for (const CaseReference& reference : expect_.about) about_.push_back(Resolve(reference));
    if (expect_.cards) CheckCards(*expect_.cards);
    CheckAbout();
    if (expect_.fact) CheckFact(*expect_.fact);
    if (expect_.yes_no) CheckYesNo(*expect_.yes_no);
    if (expect_.winner) CheckWinner(*expect_.winner);
    CheckWords();
    CheckActs();
    if (!expect_.total.empty()) CheckTotal();
    CheckTruth();
    return std::move(verdict_);
  }

 private:
  void Fail(std::string check, std::string what) {
    verdict_.failures.push_back({std::move(check), std::move(what)});
  }

  /// The cards of a turn from 1; 0: of the latest turn before this one that showed cards.
  Products CardsOf(int turn) const {
    size_t at = answers_.size() - 1;  // this one
    if (turn > 0) {
      at = static_cast<size_t>(turn) - 1;
    } else {
      while (at > 0 && answers_[--at].cards.empty()) {
      }
    }
    Products cards;
    if (at + 1 > answers_.size()) return cards;
    for (const std::string& id : answers_[at].cards) {
      if (const Product* product = records_.Find(id)) cards.push_back(product);
    }
    return cards;
  }

  Products ResolveAmong(const CaseAmong& among) const {
    if (among.form == CaseAmong::Form::kCards) return CardsOf(among.turn);
    if (among.form == CaseAmong::Form::kConditions) return records_.FindAll(among.conditions);
    Products found;
    for (const CaseReference& each : among.references) {
      if (const Product* product = Resolve(each)) found.push_back(product);
    }
    return found;
  }

  /// Null: earlier answers did not show what it refers to.
  const Product* Resolve(const CaseReference& reference) const {
    if (!reference.id.empty()) return records_.Find(reference.id);
    if (reference.best != nullptr) {
      const CaseBest& best = *reference.best;
      const Products found = records_.Best(best.key, best.is_least, ResolveAmong(best.among));
      return found.empty() ? nullptr : found.front();
    }
    const Products cards = CardsOf(reference.turn);
    const size_t place = reference.card < 0 ? cards.size() : static_cast<size_t>(reference.card);
    return place == 0 || place > cards.size() ? nullptr : cards[place - 1];
  }

  const Product* SubjectOf(const CaseFact& fact) const {
    if (fact.of) return Resolve(*fact.of);
    return about_.empty() ? nullptr : about_.front();
  }

  void CheckLanguage() {
    const std::string found = LanguageOfAnswer(TextWithoutNames(answer_), expect_.language);
    const bool is_right = found == expect_.language || (found.empty() && !text_.empty());
    if (!is_right) {
      Fail("language", fmt::format("expected {}, found {:?}", expect_.language, found));
    }
  }

  void CheckCards(const CaseCards& expected) {
    const std::vector<std::string>& cards = answer_.cards;
    if (expected.none && !cards.empty()) {
      verdict_.wrong_card = true;
      Fail("cards", fmt::format("expected none, found {}", cards.size()));
    }
    if (static_cast<int>(cards.size()) < expected.min) {
      Fail("cards", fmt::format("expected at least {}, found {}", expected.min, cards.size()));
      verdict_.false_denial = cards.empty();
    }
    if (expected.max && static_cast<int>(cards.size()) > *expected.max) {
      Fail("cards", fmt::format("expected at most {}, found {}", *expected.max, cards.size()));
    }
    for (const std::string& id : cards) {
      const Product* product = records_.Find(id);
      if (product == nullptr) continue;
      const bool fits = records_.MeetsAll(*product, expected.where);
      const bool is_meant = !expected.only_about || IsAnyOf(about_, *product);
      if (fits && is_meant) continue;
      verdict_.wrong_card = true;
      Fail("cards", fmt::format("{} {}: {}", id, catalog::Utf8Prefix(product->title, 60),
                                fits ? "is not asked about" : "does not meet the conditions"));
      break;
    }
  }

  bool IsAnyOf(const Products& products, const Product& wanted) const {
    return std::any_of(products.begin(), products.end(), [&](const Product* each) {
      return each != nullptr && records_.IsSame(*each, wanted);
    });
  }

  bool IsNamed(const Product& product) const {
    const auto is_it = [&](const std::string& id) {
      const Product* found = records_.Find(id);
      return found != nullptr && records_.IsSame(*found, product);
    };
    return std::any_of(named_.begin(), named_.end(), is_it) ||
           (answer_.cards.size() == 1 && is_it(answer_.cards.front()));
  }

  void CheckAbout() {
    for (size_t i = 0; i < about_.size(); ++i) {
      if (about_[i] == nullptr) {
        Fail("about", fmt::format("reference {}: no earlier answer shows it", i + 1));
      } else if (!IsNamed(*about_[i])) {
        Fail("about", fmt::format("{} {} is not named", about_[i]->id,
                                  catalog::Utf8Prefix(about_[i]->title, 60)));
      }
    }
  }

  /// What the text says of a product: the sentences about it; all of them when none names one.
  std::vector<std::string> SentencesAbout(const Product& product) const {
    std::vector<std::string> about, all;
    for (const AnswerSentence& sentence : sentences_) {
      all.push_back(sentence.text);
      const bool is_about = std::find(sentence.subjects.begin(), sentence.subjects.end(),
                                      &product) != sentence.subjects.end();
      if (is_about || sentence.subjects.empty()) about.push_back(sentence.text);
    }
    return about.empty() ? all : about;
  }

  void CheckFact(const CaseFact& fact) {
    const Product* product = SubjectOf(fact);
    if (product == nullptr) return Fail("fact", "no earlier answer shows the product");
    const std::vector<std::string> values = records_.Values(*product, fact.key);
    const std::vector<std::string> sentences = SentencesAbout(*product);
    const bool admits = Admits("unknown", text_);
    if (values.empty()) {
      if (!admits) Fail("fact", fmt::format("the record does not say {}; admit it", fact.key));
      return;
    }
    const bool states = std::any_of(sentences.begin(), sentences.end(), [&](const auto& sentence) {
      return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
        return StatesValue(sentence, fact.key, value);
      });
    });
    if (states) return;
    verdict_.false_denial = verdict_.false_denial || admits || Admits("not_sold", text_);
    Fail("fact", fmt::format("of {}: {} is {:?}", product->id, fact.key, values.front()));
  }

  void CheckYesNo(const CaseFact& fact) {
    const Product* product = SubjectOf(fact);
    if (product == nullptr) return Fail("yes_no", "no earlier answer shows the product");
    const Truth truth = records_.Ask(*product, *fact.condition);
    const std::vector<std::string> sentences = SentencesAbout(*product);
    Truth stated = Truth::kUnknown;
    const auto first = std::find_if(sentences.begin(), sentences.end(), BeginsWithYesOrNo);
    if (first != sentences.end()) {
      stated = PolarityOf(*first);
    } else if (!sentences.empty() && !Admits("unknown", text_)) {
      stated = PolarityOf(sentences.front());
    }
    constexpr const char* kNames[] = {"no", "yes", "the record does not say"};
    if (stated == truth) return;
    if (stated == Truth::kUnknown) verdict_.false_denial = true;
    Fail("yes_no", fmt::format("of {}: expected {}, found {}", product->id,
                               kNames[static_cast<int>(truth)], kNames[static_cast<int>(stated)]));
  }

  void CheckWinner(const CaseBest& winner) {
    const Products among = ResolveAmong(winner.among);
    const Products best = records_.Best(winner.key, winner.is_least, among);
    if (best.empty()) {
      if (!Admits("unknown", text_)) {
        Fail("winner", fmt::format("no record says {}; admit it", winner.key));
      }
      return;
    }
    std::string first = named_.empty() ? "" : named_.front();
    if (first.empty() && !answer_.cards.empty()) first = answer_.cards.front();
    const Product* named = records_.Find(first);
    const bool is_best = named != nullptr && IsAnyOf(best, *named);
    if (!is_best) {
      Fail("winner", fmt::format("expected {} ({} {}), found {:?}", best.front()->id, winner.key,
                                 records_.Values(*best.front(), winner.key).front(), first));
    }
  }

  void CheckWords() {
    for (const std::vector<std::string>& alternatives : expect_.says) {
      const bool says =
          std::any_of(alternatives.begin(), alternatives.end(),
                      [&](const std::string& each) { return SaysPhrase(text_, each); });
      if (!says && !alternatives.empty()) {
        Fail("says", fmt::format("expected {:?} or alike", alternatives.front()));
      }
    }
    for (const std::string& each : expect_.never) {
      if (SaysPhrase(text_, each)) Fail("never", fmt::format("found {:?}", each));
    }
  }

  void CheckActs() {
    if (!expect_.documents.empty()) {
      const bool cites = std::any_of(
          expect_.documents.begin(), expect_.documents.end(), [&](const std::string& id) {
            return std::find(answer_.documents.begin(), answer_.documents.end(), id) !=
                   answer_.documents.end();
          });
      if (!cites) {
        const bool denies = Admits("not_sold", text_) || Admits("unknown", text_);
        verdict_.false_denial = verdict_.false_denial || denies;
        Fail("document", fmt::format("expected {}", expect_.documents.front()));
      }
    }
    if (!expect_.admits.empty() && !Admits(expect_.admits, text_)) {
      Fail("admits", fmt::format("expected that it says: {}", expect_.admits));
    }
    const auto& handoffs = answer_.handoffs;
    if (!expect_.handoff.empty() &&
        std::find(handoffs.begin(), handoffs.end(), expect_.handoff) == handoffs.end()) {
      Fail("handoff", fmt::format("expected {}", expect_.handoff));
    }
    if (expect_.refuses && (!Admits("refusal", text_) || !answer_.cards.empty())) {
      Fail("refuses", "expected that it declines and shows nothing");
    }
  }

  void CheckTotal() {
    int64_t sum = 0;
    for (const CaseTotal& each : expect_.total) {
      const Product* product = Resolve(each.of);
      if (product == nullptr) return Fail("total", "no earlier answer shows the product");
      const auto price = records_.PriceOf(*product);
      if (!price) return Fail("total", fmt::format("{} has no price", product->id));
      sum += price->amount * each.quantity;
    }
    if (!StatesValue(text_, "price", std::to_string(sum))) {
      Fail("total", fmt::format("expected {}.{:02}", sum / 100, sum % 100));
    }
  }

  void CheckTruth() {
    std::string said = turn_.say;
    for (const ShownAnswer& answer : answers_) {
      if (&answer != &answer_) said += " " + PlainText(answer);
    }
    for (const std::string& each : FindFalseStatements(answer_, said, records_)) {
      ++verdict_.false_statements;
      Fail("truth", each);
    }
    verdict_.facts = CountFacts(answer_, records_);
  }

  const std::vector<ShownAnswer>& answers_;
  const GoldRecords& records_;
  const ShownAnswer& answer_;
  const CaseTurn& turn_;
  const CaseExpectation& expect_;
  const std::string text_;
  const std::vector<std::string> named_;
  const std::vector<AnswerSentence> sentences_;
  Products about_;
  Verdict verdict_;
};

}  // namespace

Verdict JudgeAnswer(const CaseConversation& conversation, const std::vector<ShownAnswer>& answers,
                    const GoldRecords& records) {
  return Judge(conversation, answers, records).Run();
}

}  // namespace emptor::services
