// Which sentences of a passage a question gets.
#include "services/assistant/search/excerpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "catalog/encoding/utf8.h"
#include "services/assistant/plan/prompt.h"
#include "services/grounding/citation.h"
#include "services/grounding/fact_renderer.h"
#include "services/grounding/source.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kReturns =
    "We want you to like what you bought. Every order comes with a slip that tells how it was "
    "packed. Articles may be sent back within 30 days. The parcel must hold all parts.\n\n"
    "Earphones are an exception for reasons of hygiene: once the seal is broken they stay with "
    "you. Refunds go to the card that was used. They take five working days, and we write as soon "
    "as they leave. Vouchers are never paid out in cash.";

std::string TextOf(std::string_view text, std::string_view question, size_t max_bytes) {
  const Excerpt excerpt = FindExcerpt(text, question, max_bytes);
  EXPECT_LE(excerpt.begin, excerpt.end);
  EXPECT_LE(excerpt.end - excerpt.begin, max_bytes);
  return std::string(text.substr(excerpt.begin, excerpt.end - excerpt.begin));
}

TEST(ExcerptTest, TakesTheSentencesThatHoldTheQuestionsWords) {
  EXPECT_EQ(TextOf(kReturns, "How long does a refund take?", 110),
            "Refunds go to the card that was used. They take five working days, and we write as "
            "soon as they leave.");
  EXPECT_THAT(TextOf(kReturns, "May I return opened earphones?", 140),
              ::testing::StartsWith("Earphones are an exception"));
}

TEST(ExcerptTest, FillsTheRoomBehindThenBefore) {
  EXPECT_EQ(TextOf(kReturns, "vouchers", 90), "Vouchers are never paid out in cash.");
  EXPECT_EQ(TextOf(kReturns, "vouchers in cash", 130),
            "They take five working days, and we write as soon as they leave. Vouchers are never "
            "paid out in cash.");
}

TEST(ExcerptTest, TakesTheBeginningWhereNothingFits) {
  EXPECT_EQ(TextOf(kReturns, "Which colours are there?", 60),
            "We want you to like what you bought.");
  EXPECT_EQ(TextOf(kReturns, "", 60), "We want you to like what you bought.");
}

TEST(ExcerptTest, AShortTextIsWhole) {
  EXPECT_EQ(TextOf("One. Two. Three.", "three", 16), "One. Two. Three.");
  EXPECT_EQ(TextOf("", "three", 16), "");
}

TEST(ExcerptTest, CutsASentenceThatIsTooLongBehindAWord) {
  const std::string text = "Short one. The kettle has a lid and a lever and a cable and a base.";
  EXPECT_EQ(TextOf(text, "kettle", 30), "The kettle has a lid and a");
}

TEST(ExcerptTest, FindsWordsOfOtherScripts) {
  const std::string text =
      "\u9000\u8d27\u9700\u5728\u4e09\u5341\u5929\u5185\u3002"
      "\u4fdd\u4fee\u671f\u4e3a\u4e24\u5e74\u3002"
      "\u8fd0\u8d39\u7531\u4e70\u5bb6\u627f\u62c5\u3002";
  const std::string excerpt = TextOf(text, "\u4fdd\u4fee\u671f\u591a\u4e45\uff1f", 30);
  EXPECT_EQ(excerpt, "\u4fdd\u4fee\u671f\u4e3a\u4e24\u5e74\u3002");
}

TEST(ExcerptTest, NeverCutsACharacter) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "\u00fc\u20ac\U0001F600";
  for (size_t size = 1; size < 40; ++size) {
    EXPECT_TRUE(catalog::IsValidUtf8(TextOf(text, "\u00fc", size))) << size;
  }
}

TEST(ExcerptTest, PromptAndCitationQuoteTheExcerpt) {
  catalog::Document document;
  document.id = "returns";
  document.kind = "policy";
  document.title = "Returns";
  document.text = std::string(kReturns);
  Source source{document, 1};
  const Excerpt excerpt = FindExcerpt(document.text, "When do I get my refund?", kMaxExcerptBytes);
  source.excerpt = document.text.substr(excerpt.begin, excerpt.end - excerpt.begin);
  source.page = 3;
  PromptInput input;
  input.question = "When do I get my refund?";
  input.sources = {source};
  const std::string lines = BuildPrompt(input).messages[0].content;
  EXPECT_THAT(lines, HasSubstr("Refunds go to the card that was used. They take five working"));
  EXPECT_THAT(lines, Not(HasSubstr("We want you to like")));
  RenderOptions options;
  options.sources = input.sources;
  const Citation citation = MakeCitation(FactRenderer(options), 1, {});
  EXPECT_THAT(citation.quote, HasSubstr("Refunds go to the card"));
  EXPECT_THAT(std::string(kReturns), HasSubstr(citation.quote.substr(0, 60)));
  EXPECT_EQ(citation.page, 3);
}

}  // namespace
}  // namespace emptor::services
