// Passages: of a length to read, each under its headings, nothing lost.
#include "catalog/documents/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace emptor::catalog {
namespace {

/// `count` words in sentences of ten: "<name>0 <name>1 ... ."
std::string Words(const std::string& name, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += (text.empty() ? "" : " ") + name + std::to_string(i);
    if (i % 10 == 9) text += '.';
  }
  return text;
}

std::vector<std::string> WordsOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Document Make(std::string text) {
  Document document;
  document.id = "returns";
  document.kind = "policy";
  document.title = "Returns";
  document.text = std::move(text);
  return document;
}

TEST(PassagesTest, AShortDocumentIsItsOnlyPassage) {
  const Document document = Make("You may return it.\n\nWithin 30 days, that is.");
  const auto passages = SplitIntoPassages(document);
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].id, "returns.p1");
  EXPECT_EQ(passages[0].title, "Returns");
  EXPECT_EQ(passages[0].text, document.text);
  EXPECT_EQ(passages[0].begin, 0u);
  EXPECT_EQ(passages[0].end, document.text.size());
}

TEST(PassagesTest, SectionsStandUnderTheirHeadings) {
  const Document document =
      Make("# Returns\n\n" + Words("intro", 120) + "\n\n## Refunds\n\n" + Words("refund", 110) +
           "\n\n### Abroad\n\n" + Words("abroad", 130) + "\n\n## Exchange ##\n" +
           Words("exchange", 100));
  const auto passages = SplitIntoPassages(document);
  ASSERT_EQ(passages.size(), 4u);
  EXPECT_EQ(passages[0].title, "Returns");
  EXPECT_EQ(passages[1].title, "Returns: Refunds");
  EXPECT_EQ(passages[2].title, "Returns: Refunds: Abroad");
  EXPECT_EQ(passages[3].title, "Returns: Exchange");
  EXPECT_EQ(passages[2].id, "returns.p3");
  EXPECT_EQ(passages[2].text, Words("abroad", 130));
  for (const Passage& passage : passages) {
    EXPECT_EQ(document.text.substr(passage.begin, passage.end - passage.begin), passage.text);
  }
}

TEST(PassagesTest, ShortSectionsGoTogetherWithTheirHeadings) {
  const auto passages =
      SplitIntoPassages(Make("## Refunds\n" + Words("refund", 40) + "\n## Exchange\n" +
                             Words("exchange", 70) + "\n## Contact\n" + Words("contact", 120)));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].title, "Returns");
  EXPECT_EQ(passages[0].text,
            "Refunds\n\n" + Words("refund", 40) + "\n\nExchange\n\n" + Words("exchange", 70));
  EXPECT_EQ(passages[1].title, "Returns: Contact");
}

TEST(PassagesTest, LongSectionsAreCutEvenly) {
  const auto passages = SplitIntoPassages(Make("## Terms\n\n" + Words("term", 640)));
  ASSERT_EQ(passages.size(), 3u);
  for (const Passage& passage : passages) {
    EXPECT_EQ(passage.title, "Returns: Terms");
    EXPECT_GE(WordsOf(passage.text).size(), 200u);
    EXPECT_LE(WordsOf(passage.text).size(), 230u);
    EXPECT_EQ(passage.text.back(), '.');
  }
}

TEST(PassagesTest, NoWordIsLostOrRepeated) {
  std::string text;
  for (int section = 0; section < 40; ++section) {
    text += std::string(1 + static_cast<size_t>(section) % 6, '#') + " Heading" +
            std::to_string(section) + "\n\n";
    for (int part = 0; part < section % 4; ++part) {
      text += Words("s" + std::to_string(section) + "p" + std::to_string(part) + "w",
                    (section * 37 + part * 91) % 350) +
              "\n\n";
    }
  }
  std::multiset<std::string> told;
  size_t previous_end = 0;
  for (const Passage& passage : SplitIntoPassages(Make(text))) {
    const auto words = WordsOf(passage.text);
    EXPECT_LE(words.size(), 310u);  // with headings
    for (const std::string& word : words) {
      if (word.rfind("Heading", 0) != 0) told.insert(word);
    }
    EXPECT_GE(passage.begin, previous_end);
    previous_end = passage.end;
    EXPECT_TRUE(IsValidId(passage.id));
  }
  std::multiset<std::string> all;
  for (const std::string& word : WordsOf(text)) {
    if (word[0] != '#' && word.rfind("Heading", 0) != 0) all.insert(word);
  }
  EXPECT_EQ(told, all);
}

TEST(PassagesTest, HeadingsWithoutTextAreKept) {
  const auto alone = SplitIntoPassages(Make("# Only\n# Headings"));
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].text, "Only\n\nHeadings");
  const auto passages =
      SplitIntoPassages(Make(Words("a", 150) + "\n# Empty\n# Full\n" + Words("b", 150)));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[1].text, "Empty\n\n" + Words("b", 150));
  EXPECT_EQ(passages[1].title, "Returns: Full");
}

TEST(PassagesTest, TextWithoutBlanksIsBoundedToo) {
  std::string chinese;
  for (int i = 0; i < 2000; ++i) chinese += i % 25 == 24 ? "。" : "退";
  const auto passages = SplitIntoPassages(Make(chinese));
  EXPECT_EQ(passages.size(), 4u);
  std::string joined;
  for (const Passage& passage : passages) joined += passage.text;
  EXPECT_EQ(joined, chinese);
  size_t bytes = 0;
  for (const Passage& passage : SplitIntoPassages(Make(std::string(100'000, 'x')))) {
    EXPECT_LE(passage.text.size(), 5000u);
    bytes += passage.text.size();
  }
  EXPECT_EQ(bytes, 100'000u);
}

TEST(PassagesTest, IdsAreValidWhateverTheDocumentIsCalled) {
  Document document = Make(Words("a", 900));
  document.id = std::string(64, 'd');
  Document other = document;
  other.id.back() = 'e';
  const auto passages = SplitIntoPassages(document);
  const auto others = SplitIntoPassages(other);
  ASSERT_EQ(passages.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(IsValidId(passages[i].id)) << passages[i].id;
    EXPECT_NE(passages[i].id, others[i].id);
  }
}

TEST(PassagesTest, TitlesStayWithinTheirLimit) {
  Document document =
      Make("# " + std::string(190, 'a') + "\n## " + std::string(190, 'b') + "\n" + Words("a", 90));
  document.title = std::string(500, 't');
  const auto passages = SplitIntoPassages(document);
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].title, std::string(200, 't') + ": " + std::string(190, 'b'));
}

TEST(PassagesTest, APassageStandsForItsDocument) {
  Document document = Make(Words("a", 200) + "\n\n# Second\n" + Words("b", 200));
  document.trust = Trust::kUntrusted;
  const auto passages = SplitIntoPassages(document);
  ASSERT_EQ(passages.size(), 2u);
  const Document part = DocumentOf(document, passages[1]);
  EXPECT_EQ(part.id, "returns");
  EXPECT_EQ(part.title, "Returns: Second");
  EXPECT_EQ(part.text, Words("b", 200));
  EXPECT_EQ(part.trust, Trust::kUntrusted);
}

}  // namespace
}  // namespace emptor::catalog
