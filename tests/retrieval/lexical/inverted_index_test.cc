// Building, merging and validating inverted indexes.
#include "retrieval/lexical/inverted_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "retrieval/lexical/ranked_search.h"
#include "tests/retrieval/support/random_text.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using testing::RandomText;
using testing::SharedAnalyzer;

std::shared_ptr<const std::string> BytesOf(const InvertedIndex& index) {
  auto bytes = std::make_shared<std::string>();
  EXPECT_TRUE(index
                  .Write([&](const void* data, size_t size) {
                    bytes->append(static_cast<const char*>(data), size);
                    return absl::OkStatus();
                  })
                  .ok());
  EXPECT_EQ(bytes->size(), index.byte_size());
  return bytes;
}

absl::StatusOr<InvertedIndex> Parse(std::shared_ptr<const std::string> bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes->data());
  const std::span<const uint8_t> view(data, bytes->size());
  return InvertedIndex::Parse(view, std::move(bytes));
}

TEST(InvertedIndexTest, MergedSegmentsEqualOneBuiltFromTheText) {
  std::mt19937 random(6);
  std::vector<std::array<std::string, 2>> texts;
  for (int r = 0; r < 600; ++r) texts.push_back({RandomText(random, 4), RandomText(random, 9)});
  const Bm25Options options;
  InvertedIndexBuilder even(options), odd(options), whole(options), merged(options);
  std::vector<uint32_t> even_positions, odd_positions;
  uint32_t next = 0;
  for (size_t r = 0; r < texts.size(); ++r) {
    const FieldTexts fields = {texts[r][0], "", "", "", texts[r][1]};
    (r % 2 == 0 ? even : odd).Add(SharedAnalyzer(), fields);
    const bool dropped = r % 7 == 3;
    (r % 2 == 0 ? even_positions : odd_positions)
        .push_back(dropped ? InvertedIndexBuilder::kDropped : next);
    if (dropped) continue;
    whole.Add(SharedAnalyzer(), fields);
    ++next;
  }
  merged.AddSegment(std::move(even).Seal(), even_positions);
  merged.AddSegment(std::move(odd).Seal(), odd_positions);
  const InvertedIndex a = std::move(merged).Seal();
  const InvertedIndex b = std::move(whole).Seal();
  EXPECT_EQ(*BytesOf(a), *BytesOf(b));
}

TEST(InvertedIndexTest, ATermOfDroppedRecordsOnlyIsGone) {
  InvertedIndexBuilder builder{Bm25Options{}}, merged{Bm25Options{}};
  builder.Add(SharedAnalyzer(), {"kettle", "", "", "", ""});
  builder.Add(SharedAnalyzer(), {"toaster", "", "", "", ""});
  const std::vector<uint32_t> positions = {InvertedIndexBuilder::kDropped, 0};
  merged.AddSegment(std::move(builder).Seal(), positions);
  const InvertedIndex index = std::move(merged).Seal();
  EXPECT_EQ(index.term_count(), 1u);
  EXPECT_EQ(index.document_frequency("kettle"), 0u);
  EXPECT_EQ(index.document_frequency("toaster"), 1u);
}

TEST(InvertedIndexTest, ReturnsThePositionsOfATerm) {
  InvertedIndexBuilder builder{Bm25Options{}};
  builder.Add(SharedAnalyzer(), {"lamp", "", "", "", ""});
  builder.Add(SharedAnalyzer(), {"red kettle", "", "", "", "kettle tea kettle"});
  const InvertedIndex index = std::move(builder).Seal();
  const FieldPositions fields(index.lengths(1));
  EXPECT_THAT(index.FindPositions("kettle", 1),
              ElementsAre(1, fields.begin(4), fields.begin(4) + 2));
  EXPECT_EQ(fields.FieldOf(1), 0u);
  EXPECT_EQ(fields.FieldOf(fields.begin(4)), 4u);
  EXPECT_TRUE(index.FindPositions("kettle", 0).empty());
  EXPECT_TRUE(index.FindPositions("pot", 1).empty());
}

TEST(InvertedIndexTest, ATextLongerThanTheLengthFieldIsStillFound) {
  std::string text;
  for (int i = 0; i < 70000; ++i) text += i == 69000 ? "needle " : "hay ";
  InvertedIndexBuilder builder{Bm25Options{}};
  builder.Add(SharedAnalyzer(), {"", "", "", "", text});
  const InvertedIndex index = std::move(builder).Seal();
  EXPECT_EQ(index.document_frequency("needle"), 1u);
  EXPECT_TRUE(Parse(BytesOf(index)).ok());
}

TEST(InvertedIndexTest, AParsedIndexAnswersLikeTheOriginal) {
  const InvertedIndex index = testing::RandomIndex(9, 3000);
  const auto parsed = Parse(BytesOf(index));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->record_count(), index.record_count());
  EXPECT_EQ(parsed->posting_count(), index.posting_count());
  EXPECT_EQ(parsed->length_statistics().total, index.length_statistics().total);
  const std::array<const InvertedIndex*, 1> one = {&index};
  std::mt19937 random(10);
  for (int round = 0; round < 50; ++round) {
    const auto terms = CompileQuery(SharedAnalyzer(), RandomText(random, 3), one);
    EXPECT_EQ(SearchPruned(*parsed, terms, 10, nullptr), SearchPruned(index, terms, 10, nullptr));
  }
  EXPECT_EQ(*BytesOf(*parsed), *BytesOf(index));
  EXPECT_TRUE(Parse(BytesOf(InvertedIndex())).ok());
}

/// What a caller does with an index that Parse has let pass. Returns how much there was.
size_t UseEverything(const InvertedIndex& index) {
  size_t used = 0;
  std::vector<QueryTerm> query;
  for (TermIterator it = index.terms().Seek({}); it.valid(); it.Next()) {
    if (it.id() % 5 == 0) query.push_back({std::string(it.term()), 1.0f});
    used += index.FindPositions(it.term(), static_cast<uint32_t>(index.record_count() / 2)).size();
  }
  used += SearchRanked(index, query, 10, nullptr).best.size();
  std::vector<uint32_t> same(index.record_count());
  for (uint32_t r = 0; r < same.size(); ++r) same[r] = r;
  InvertedIndexBuilder merged{Bm25Options{}};
  merged.AddSegment(index, same);
  used += std::move(merged).Seal().posting_count();
  return used;
}

// Only the validation protects the decoders from such bytes: a digest would have caught them
// in a file, and here there is none.
TEST(InvertedIndexTest, DamagedBytesAreRefusedOrHarmless) {
  const auto sound = BytesOf(testing::RandomIndex(12, 400));
  EXPECT_GT(UseEverything(*Parse(sound)), 0u);
  std::mt19937 random(13);
  size_t refused = 0;
  const size_t rounds = testing::RoundsOf(300, 6000);
  for (size_t round = 0; round < rounds; ++round) {
    auto damaged = std::make_shared<std::string>(*sound);
    for (size_t edits = 1 + random() % 3; edits > 0; --edits) {
      // The head and the dictionary are small: half of the damage goes there.
      const size_t range = random() % 2 == 0 ? std::min<size_t>(200, sound->size()) : sound->size();
      (*damaged)[random() % range] = static_cast<char>(random());
    }
    if (random() % 8 == 0) damaged->resize(random() % damaged->size());
    const auto parsed = Parse(damaged);
    if (parsed.ok()) UseEverything(*parsed);
    if (!parsed.ok()) {
      EXPECT_TRUE(absl::IsDataLoss(parsed.status())) << parsed.status();
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 2);
}

TEST(InvertedIndexTest, EveryTruncationIsRefused) {
  const auto sound = BytesOf(testing::RandomIndex(14, 20));
  for (size_t length = 0; length < sound->size(); ++length) {
    EXPECT_TRUE(
        absl::IsDataLoss(Parse(std::make_shared<std::string>(sound->substr(0, length))).status()));
  }
  EXPECT_FALSE(Parse(std::make_shared<std::string>(*sound + "x")).ok());
}

TEST(PostingListTest, AListOfNoPostingsTakesNoBytesAndHasNoImpact) {
  std::string lists, positions;
  EXPECT_EQ(AppendPostingList({}, lists, positions), 0);
  EXPECT_TRUE(lists.empty());
  EXPECT_TRUE(positions.empty());
}

}  // namespace
}  // namespace emptor::retrieval
