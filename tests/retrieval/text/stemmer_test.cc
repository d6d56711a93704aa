// Stems of four languages, and the words of a text.
#include "retrieval/text/stemmer.h"

#include <gtest/gtest.h>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

TEST(StemmerTest, BringsInflectionsOfFourLanguagesTogether) {
  const Stemmer english(Language::kEnglish);
  EXPECT_EQ(english.Stem("insulated"), english.Stem("insulation"));
  const Stemmer german(Language::kGerman);
  EXPECT_EQ(german.Stem("kuhlschranke"), german.Stem("kuhlschrank"));
  const Stemmer french(Language::kFrench);
  EXPECT_EQ(french.Stem("electrique"), french.Stem("electriques"));
  const Stemmer spanish(Language::kSpanish);
  EXPECT_EQ(spanish.Stem("zapatos"), spanish.Stem("zapato"));
}

TEST(StemmerTest, LeavesWordsOfOtherLanguagesAlone) {
  EXPECT_EQ(Stemmer(Language::kOther).Stem("heaters"), "heaters");
  EXPECT_EQ(Stemmer(Language::kGerman).Stem(""), "");
  const std::string endless(100000, 'a');
  EXPECT_EQ(Stemmer(Language::kEnglish).Stem(endless), endless);
}

TEST(StemmerTest, ReadsTheLanguageOfALocale) {
  EXPECT_EQ(LanguageOfLocale("de"), Language::kGerman);
  EXPECT_EQ(LanguageOfLocale("de-AT"), Language::kGerman);
  EXPECT_EQ(LanguageOfLocale("FR_ca"), Language::kFrench);
  EXPECT_EQ(LanguageOfLocale("den"), Language::kOther);
  EXPECT_EQ(LanguageOfLocale("ja-JP"), Language::kOther);
  EXPECT_EQ(LanguageOfLocale(""), Language::kOther);
}

TEST(FoldWordsTest, KeepsLettersAndDigitsWithOneBlankBetween) {
  EXPECT_EQ(FoldWords("Café-Maschine, kid's 2,5 L!"), "cafe maschine kids 2 5 l");
  EXPECT_EQ(FoldWords("Café-Maschine", true), "café maschine");
  EXPECT_EQ(FoldWords("  ...  "), "");
  EXPECT_EQ(FoldWords("ÆRØ Łódź Straße"), "aero lodz strasse");
  EXPECT_EQ(FoldWords("ＵＳＢ ケーブル がく"), "usb ケーブル がく");
  EXPECT_TRUE(IsValidUtf8(FoldWords("a\xff\xfe\xc3")));
}

}  // namespace
}  // namespace emptor::retrieval
