// The table of differences, by kind, in five languages.
#include "retrieval/cache/verifier.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "retrieval/cache/faq_texts.h"
#include "retrieval/cache/form_lexicon.h"

namespace emptor::retrieval {
namespace {

struct DifferenceCase {
  std::string name;
  std::string asked;
  std::string known;
  std::string contradiction;  // its beginning; empty: the questions agree
};

FormComparison Compare(const std::string& asked, const std::string& known) {
  return CompareForms(ReadQuestionForm(asked, ""), ReadQuestionForm(known, ""));
}

class VerifierTest : public ::testing::TestWithParam<DifferenceCase> {};

TEST_P(VerifierTest, NamesWhatDiffers) {
  const DifferenceCase& each = GetParam();
  const std::string found = Compare(each.asked, each.known).Contradiction();
  if (each.contradiction.empty()) {
    EXPECT_EQ(found, "");
  } else {
    EXPECT_EQ(found.substr(0, each.contradiction.size()), each.contradiction) << found;
  }
}

const std::vector<DifferenceCase> kCases = {
    {"Number", "Can I return shoes within 30 days?", "Can I return shoes within 300 days?",
     "number: 30 days against 300 days"},
    {"NumberMissing", "Can I return shoes?", "Can I return shoes within 14 days?", "number: 14"},
    {"NumberWord", "Can I return shoes within fourteen days?", "Can I return shoes within 14 days?",
     ""},
    {"Weeks", "Can I return shoes within 2 weeks?", "Can I return shoes within 14 days?", ""},
    {"Unit", "Can I return shoes within 14 months?", "Can I return shoes within 14 days?",
     "number: 14 months against 14 days"},
    {"SecondUnit", "Is it for children under 3 months? years please",
     "Is it for children under 3 years?", "number: 3 months against 3 years"},
    {"BothSidesInOne", "Is it fit over for children under 3 years?",
     "Is it fit for children under 3 years?", "direction"},
    {"QuestionWordOfOthers", "assembly cost How long does assembly of a wardrobe take?",
     "How much does assembly of a wardrobe cost?", "question"},
    {"QuestionWordInOtherOrder", "How many ml age of Prospan syrup can children take?",
     "From what age can children take Prospan syrup?", "question"},
    {"Kilo", "postage for 2000 g?", "What is the postage for 2 kg?", ""},
    {"Decimal", "Do you sell 2.5 m cables?", "Do you sell 25 m cables?", "number: 2.5 m"},
    {"SharedUnit", "Is it made in 2 by 3 m?", "Is it made in 200 x 300 cm?", ""},
    {"Label", "Is it there in W32 L36?", "Is it there in W32 L34?", "number: 36 against 34"},
    {"Negation", "Which items can I return?", "Which items can I not return?", "negation"},
    {"NegationAdded", "Which cards do you not accept?", "Which cards do you accept?", "negation"},
    {"Contraction", "Why can't I log in?", "Why can I log in?", "negation"},
    {"BeforeAfter", "Can I cancel after dispatch?", "Can I cancel before dispatch?", "direction"},
    {"OverUnder", "Is it fit for children over 3 years?", "Is it fit for children under 3 years?",
     "direction"},
    {"FromTo", "Do you ship from Norway?", "Do you ship to Norway?", "direction"},
    {"OpenClose", "When does the store close?", "When does the store open?", "direction"},
    {"HowMuch", "How much is delivery?", "How long is delivery?", "question"},
    {"WhereWhy", "Why do I find the serial number?", "Where do I find the serial number?",
     "question"},
    {"WhatAgainstWhether", "What does express delivery cost?", "Do you offer express delivery?",
     "question: what against whether"},
    {"OwnCase", "Where is my order?", "Where are orders sent?", "person"},
    {"Place", "Do you deliver to Finland?", "Do you deliver to Spain?", "place: finland"},
    {"People", "I am a Spanish customer. Do you deliver?", "Do you deliver to Spain?", ""},
    {"City", "Do you deliver to Toronto?", "Do you deliver to Canada?", ""},
    {"CityMissing", "Do you deliver to Canada?", "Do you deliver to Toronto?", "place"},
    {"Brand", "How long is the warranty on the Makita drill?",
     "How long is the warranty on the Bosch drill?", "name: bosch"},
    {"Model", "Does the cable fit the iPhone 15?", "Does the cable fit the iPhone 13?",
     "number: 15 against 13"},
    {"Misspelled", "warranty on the bsoch drill?", "How long is the warranty on the Bosch drill?",
     ""},
    {"Colour", "Is the rug there in red?", "Is the rug there in green?", "colour: red"},
    {"Size", "Is the shirt there in XL?", "Is the shirt there in XS?", "size: xl against xs"},
    {"Scope", "How much is express shipping?", "How much is shipping?", "scope: express"},
    {"Day", "Do you deliver on Mondays?", "Do you deliver on Sundays?", "scope"},
    {"Means", "Can I pay by PayPal?", "Can I pay by Visa?", "means"},
    {"Party", "Can my neighbour collect the order?", "Can I collect the order?", "party"},
    {"Word", "How do I clean the mower?", "How do I clean the kettle?",
     "word: mower against kettle"},
    {"WordAdded", "How long is the warranty on the motor of the drill?",
     "How long is the warranty on the drill?", "word: motor is asked besides"},
    {"Synonym", "What does it cost to ship a couch?", "How much is it to deliver a sofa?", ""},
    {"Context", "I never used it and it is red. How do I return an item?",
     "How do I return an item?", ""},
    {"ContextClause", "I ordered by mistake and did not pay, how do I cancel an order?",
     "How do I cancel an order?", ""},
    {"German", "Kann ich Ware innerhalb von 2 Wochen zurückgeben?",
     "Kann ich Ware innerhalb von 14 Tagen zurückgeben?", ""},
    {"GermanDirection", "Versenden Sie von der Schweiz nach Deutschland?",
     "Versenden Sie von Deutschland in die Schweiz?", "direction"},
    {"GermanNegation", "Welche Artikel kann ich nicht zurückgeben?",
     "Welche Artikel kann ich zurückgeben?", "negation"},
    {"French", "Puis-je modifier ma commande avant 18 heures ?",
     "Puis-je modifier ma commande après 18 heures ?", "direction"},
    {"FrenchColour", "Avez-vous des baskets noires ?", "Avez-vous des baskets rouges ?", "colour"},
    {"Spanish", "¿Hacéis entregas los domingos?", "¿Hacéis entregas los sábados?", "scope"},
    {"SpanishWhy", "¿Por qué cuesta la entrega?", "¿Cuándo llega la entrega?", "question"},
    {"Chinese", "满9元的订单免运费吗?", "满99元的订单免运费吗?", "number: 9 against 99"},
    {"ChinesePlace", "寄到西藏免运费吗?", "寄到上海免运费吗?", "place"},
    {"ChineseWord", "九十九元免运费吗?", "99元免运费吗?", ""},
    {"Language", "Wie lange dauert die Lieferung von der Ware?",
     "How long does the delivery of the goods take?", "language: de against en"},
    {"Same", "How do I return an item?", "how do i return an item", ""}};

INSTANTIATE_TEST_SUITE_P(Table, VerifierTest, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

class FormComparisonTest : public ::testing::Test {};

TEST_F(FormComparisonTest, SharesSayHowMuchIsEqual) {
  const FormComparison same = Compare("How do I clean the kettle?", "How do I clean the kettle?");
  EXPECT_EQ(same.frame, 1);
  EXPECT_EQ(same.extra, 0);
  EXPECT_EQ(same.missing, 0);
  const FormComparison other = Compare("How do I clean the mower?", "How do I clean the kettle?");
  EXPECT_NEAR(other.frame, 5.0 / 6, 1e-9);
  EXPECT_EQ(other.extra, 0.5);
  EXPECT_EQ(other.missing, 0.5);
}

TEST_F(FormComparisonTest, WhatPhrasingsDifferInIsTolerated) {
  std::vector<QuestionForm> forms;
  for (const char* text : {"Where is my card?", "How long does a card take?", "card not here",
                           "When will my card arrive?", "Has my card been sent?"}) {
    forms.push_back(ReadQuestionForm(text, ""));
  }
  std::vector<const QuestionForm*> phrasings;
  for (const QuestionForm& form : forms) phrasings.push_back(&form);
  const DifferenceKinds tolerated = ToleratedKinds(phrasings);
  EXPECT_TRUE(tolerated.contains(DifferenceKind::kQuestion));
  EXPECT_TRUE(tolerated.contains(DifferenceKind::kNegation));
  EXPECT_FALSE(tolerated.contains(DifferenceKind::kPlace));
  EXPECT_FALSE(ToleratedKinds(std::span(phrasings).first(4)).contains(DifferenceKind::kQuestion));
  const FormComparison compared = Compare("Why is there a card?", "Where is there a card?");
  EXPECT_NE(compared.Contradiction(), "");
  EXPECT_EQ(compared.Contradiction(tolerated), "");
}

TEST_F(FormComparisonTest, TextsWithoutWordsAreRead) {
  for (const std::string& text : {std::string(), std::string("?!"), std::string("\xFF\xFE"),
                                  std::string("\xCC\x81\xCC\x82"), std::string(1 << 20, '1')}) {
    const QuestionForm form = ReadQuestionForm(text, "");
    EXPECT_EQ(CompareForms(form, form).Contradiction(), "");
    CompareForms(form, ReadQuestionForm("How do I return 2 items?", ""));
    CompareForms(ReadQuestionForm("How do I return 2 items?", ""), form);
  }
}

TEST_F(FormComparisonTest, TheLexiconIsSound) {
  const auto lexicon = FormLexicon::Parse(kFaqFormsLexicon);
  EXPECT_TRUE(lexicon.ok()) << lexicon.status();
  for (const char* text : {"colour : red", "number : x", "number two : two", "unit h : day",
                           "type place : where", "negation", "negation : "}) {
    EXPECT_FALSE(FormLexicon::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace emptor::retrieval
