// Phrases that a message holds.
#include "services/grounding/phrase_index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

TEST(PhraseIndex, FindsWhatTheMessageFindsInTheOrderOfAdd) {
  const std::vector<std::string> phrases = {
      "quiet", "noise cancelling", "x",     "安静", "how...charge", "quietest", "loud",
      "a",     "cancelling",       "leise", "无线"};
  PhraseIndex index;
  for (size_t i = 0; i < phrases.size(); ++i) index.Add(phrases[i], static_cast<uint32_t>(i));
  for (const char* const text :
       {"a quiet one", "noise cancelling headphones", "how long does it charge", "要安静的无线耳机",
        "x", "the loudest", "quiet", ""}) {
    const FoldedMessage message(text);
    std::vector<uint32_t> found, expected;
    for (const PhraseIndex::Match& match : index.Find(message)) {
      EXPECT_EQ(match.span.begin, message.Find(phrases[match.id]).begin) << text;
      EXPECT_EQ(match.id, match.place);
      found.push_back(match.id);
    }
    for (size_t i = 0; i < phrases.size(); ++i) {
      if (message.Has(phrases[i])) expected.push_back(static_cast<uint32_t>(i));
    }
    EXPECT_EQ(found, expected) << text;
  }
}

}  // namespace
}  // namespace emptor::services
