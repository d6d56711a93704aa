// Needs that name no goods: the index on examples of its own, and on the sentences that others
// wrote (data/eval/needs), of which the sealed part is only counted.
#include "services/assistant/types/need_index.h"

#include <algorithm>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/assistant/types/type_names.h"
#include "services/embedding/engine_embedder.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

using ::testing::IsEmpty;

std::shared_ptr<const NeedIndex> MakeIndex(const std::vector<NeedExample>& examples) {
  auto index = NeedIndex::Make(examples, nullptr);
  EXPECT_TRUE(index.ok()) << index.status();
  return index.ok() ? *index : nullptr;
}

TEST(NeedIndexTest, RareWordsDecide) {
  const auto index = MakeIndex({{"my dog chews the shoes", {"dog toy", "dog bed"}},
                                {"my dog pulls on walks", {"dog harness"}},
                                {"shoes for muddy walks", {"boots"}}});
  const std::vector<NeededType> ranked = index->Rank("pup is chewing everything");
  ASSERT_FALSE(ranked.empty());
  EXPECT_EQ(ranked.front().name, "dog toy");
  EXPECT_GT(ranked.front().score, ranked.back().score);
}

TEST(NeedIndexTest, ScriptsWithoutBlanksArePairsOfLetters) {
  const auto index = MakeIndex({{"宿舍里泡面没有开水", {"kettle"}}, {"宿舍太热", {"fan"}}});
  ASSERT_FALSE(index->Rank("泡面需要开水").empty());
  EXPECT_EQ(index->Rank("泡面需要开水").front().name, "kettle");
}

TEST(NeedIndexTest, NothingInCommonRanksNothing) {
  const auto index = MakeIndex({{"my dog chews the shoes", {"dog toy"}}});
  EXPECT_THAT(index->Rank("zzxv qwe"), IsEmpty());
  EXPECT_THAT(index->Rank(""), IsEmpty());
  EXPECT_THAT(MakeIndex({})->Rank("dog"), IsEmpty());
}

TEST(NeedExamplesTest, TypesAreThoseOfTheLexicon) {
  EXPECT_GT(TheNeedExamples().size(), 20000U);
  for (const NeedExample& example : TheNeedExamples()) {
    EXPECT_FALSE(example.sentence.empty());
    for (const std::string& type : example.types) {
      if (type == kNothingNeeded) continue;
      const std::vector<std::string> words = SingularWords(type);
      ASSERT_TRUE(TypeNamed(JoinWords(words, 0, words.size()), "en"))
          << type << ": " << example.sentence;
    }
  }
}

struct Judged {
  int first = 0, among_three = 0, total = 0;
};

/// Of messages of one part that describe a need, those whose first type, or one of three, is right.
Judged Judge(const NeedIndex& index, const std::string& name, std::string_view part) {
  Judged judged;
  std::ifstream file(EMPTOR_SOURCE_DIR "/data/eval/needs/" + name);
  for (std::string line; std::getline(file, line);) {
    const auto columns = SplitAt(line, "\t");
    if (columns.size() != 4 || columns[0] != part || columns[3] == kNothingNeeded) continue;
    const auto right = SplitAt(columns[3], " | ");
    const std::vector<NeededType> ranked = index.Rank(columns[2]);
    const auto is_right = [&](const NeededType& type) {
      return std::find(right.begin(), right.end(), type.name) != right.end();
    };
    const auto end =
        ranked.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(3, ranked.size()));
    ++judged.total;
    judged.first += !ranked.empty() && is_right(ranked.front()) ? 1 : 0;
    judged.among_three += std::any_of(ranked.begin(), end, is_right) ? 1 : 0;
  }
  return judged;
}

TEST(NeedIndexTest, UnderstandsMostNeedsOfStrangers) {
  auto embedder =
      EngineEmbedder::Load(EMPTOR_SOURCE_DIR "/retrieval/models/emptor-embed-multilingual.gguf");
  ASSERT_TRUE(embedder.ok()) << embedder.status();
  const auto index = NeedIndex::Make(TheNeedExamples(), *std::move(embedder));
  ASSERT_TRUE(index.ok()) << index.status();
  // Sentences, and whole stories around a need.
  for (const char* const name : {"needs.tsv", "stories.tsv"}) {
    for (const std::string_view part : {"open", "sealed"}) {
      const Judged judged = Judge(**index, name, part);
      printf("%s %.*s: first right %d, among three %d of %d\n", name, static_cast<int>(part.size()),
             part.data(), judged.first, judged.among_three, judged.total);
      EXPECT_GE(judged.first, judged.total * 0.6);
      EXPECT_GE(judged.among_three, judged.total * 0.75);
    }
  }
}

}  // namespace
}  // namespace emptor::services
