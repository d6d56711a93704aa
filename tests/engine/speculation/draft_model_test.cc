#include "engine/speculation/draft_model.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/chain_model.h"

namespace emptor::engine {
namespace {

constexpr int kVocabulary = 257, kBlockTokens = 4;

/// What the model of all tokens says, from scratch.
std::vector<int32_t> Continue(std::vector<int32_t> tokens, int count) {
  testing::ChainModel model(kVocabulary, 1000, 100, kBlockTokens);
  std::vector<BlockId> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(BlockId{i});
  std::vector<int32_t> drafts;
  while (std::ssize(drafts) < count) {
    std::vector<float> logits(kVocabulary);
    const SequenceStep step{tokens, 0, blocks, 1};
    model.ComputeInto(std::span(&step, 1), logits);
    drafts.push_back(
        static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
    tokens.push_back(drafts.back());
  }
  return drafts;
}

class DraftModelTest : public ::testing::Test {
 protected:
  void Make(int blocks, int context = 1000, double prefill_seconds = 0) {
    auto model = std::make_unique<testing::ChainModel>(kVocabulary, context, blocks, kBlockTokens);
    model->set_after_step([this](int tokens) {
      steps_.push_back(tokens);
      now_ += tokens * std::chrono::milliseconds(10);
    });
    drafter_ = std::make_unique<DraftModel>(
        std::move(model), DraftModelOptions{.blocks = blocks,
                                            .block_tokens = kBlockTokens,
                                            .max_step_tokens = 60,
                                            .max_prefill_tokens = 50,
                                            .max_prefill_seconds = prefill_seconds,
                                            .clock = [this] { return now_; }});
  }
  std::vector<int32_t> Draft(uint64_t sequence, const std::vector<int32_t>& tokens, int count) {
    if (!drafter_->Classify(sequence, tokens)) return {-1};
    DraftRequest request{.sequence = sequence, .tokens = tokens, .count = count};
    drafter_->Prefill(std::span(&request, 1));
    drafter_->DraftInto(std::span(&request, 1));
    return request.drafts;
  }
  static std::vector<int32_t> Text(const std::string& text) { return {text.begin(), text.end()}; }

  std::unique_ptr<DraftModel> drafter_;
  std::vector<int> steps_;  // tokens of each
  std::chrono::steady_clock::time_point now_{std::chrono::seconds(7)};
};

TEST_F(DraftModelTest, ProposesWhatItsModelSaysWhateverWasAccepted) {
  Make(100);
  std::vector<int32_t> tokens = Text("hello");
  for (int accepted = 0; accepted <= 4; ++accepted) {
    const std::vector<int32_t> drafts = Draft(1, tokens, 4);
    EXPECT_EQ(drafts, Continue(tokens, 4));
    // The model takes some of the drafts and then another token.
    tokens.insert(tokens.end(), drafts.begin(), drafts.begin() + accepted);
    tokens.push_back('!');
  }
  // The same tokens again: the newest one is computed again.
  EXPECT_EQ(Draft(1, tokens, 3), Continue(tokens, 3));
  EXPECT_EQ(Draft(1, tokens, 1), Continue(tokens, 1));
}

TEST_F(DraftModelTest, SequencesDraftTogetherWithLengthsOfTheirOwn) {
  Make(100);
  const std::vector<int32_t> a = Text("first"), b = Text("the second"), c = Text("x");
  std::vector<DraftRequest> requests = {{1, a, 5}, {2, b, 1}, {3, c, 3}};
  for (DraftRequest& request : requests) {
    ASSERT_TRUE(drafter_->Classify(request.sequence, request.tokens));
  }
  drafter_->Prefill(requests);
  drafter_->DraftInto(requests);
  EXPECT_EQ(requests[0].drafts, Continue(a, 5));
  EXPECT_EQ(requests[1].drafts, Continue(b, 1));
  EXPECT_EQ(requests[2].drafts, Continue(c, 3));
}

TEST_F(DraftModelTest, ALongTextIsReadInPieces) {
  Make(100);
  const std::vector<int32_t> tokens = Text(std::string(200, 'q'));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Draft(1, tokens, 2).empty());
  EXPECT_EQ(Draft(1, tokens, 2), Continue(tokens, 2));
  EXPECT_EQ(steps_, (std::vector<int>{50, 50, 50, 49, 1, 1}));
}

TEST_F(DraftModelTest, AskingForTheClassComputesNothing) {
  Make(100);
  EXPECT_EQ(drafter_->Classify(1, Text(std::string(200, 'q'))), 3);
  EXPECT_TRUE(steps_.empty());
}

TEST_F(DraftModelTest, TextsOfAllSequencesShareWhatAStepMayRead) {
  Make(100);
  const std::vector<int32_t> a(31, 'a'), b(31, 'b'), c(31, 'c');
  std::vector<DraftRequest> requests = {{1, a, 2}, {2, b, 2}, {3, c, 2}};
  drafter_->Prefill(requests);
  EXPECT_EQ(steps_, std::vector<int>{50});  // 30 of a, 20 of b
  drafter_->DraftInto(requests);
  EXPECT_EQ(requests[0].drafts, Continue(a, 2));
  EXPECT_TRUE(requests[1].drafts.empty());
  EXPECT_TRUE(requests[2].drafts.empty());
  drafter_->Prefill(requests);
  drafter_->DraftInto(requests);
  for (const DraftRequest& request : requests) {
    EXPECT_EQ(request.drafts, Continue({request.tokens.begin(), request.tokens.end()}, 2));
  }
}

TEST_F(DraftModelTest, ReadsForSoLongAtTheMeasuredSpeed) {
  Make(200, 1000, 0.4);  // 10 ms a token
  const std::vector<int32_t> tokens = Text(std::string(300, 'q'));
  Draft(1, tokens, 2);
  Draft(1, tokens, 2);
  EXPECT_EQ(steps_, (std::vector<int>{50, 40}));
  Make(200, 1000, 0.1);
  Draft(1, tokens, 2);
  Draft(1, tokens, 2);
  EXPECT_EQ(steps_.back(), 32);
}

TEST_F(DraftModelTest, MemoryOfSequencesThatDoNotDraftGoesToThoseThatDo) {
  Make(6);
  const std::vector<int32_t> a = Text("0123456789"), b = Text("abcdefghij");
  EXPECT_EQ(Draft(1, a, 4), Continue(a, 4));
  EXPECT_EQ(Draft(2, b, 4), Continue(b, 4));
  EXPECT_EQ(Draft(1, a, 4), Continue(a, 4));
  std::vector<DraftRequest> both = {{1, a, 4}, {2, b, 4}};
  drafter_->Prefill(both);
  drafter_->DraftInto(both);
  EXPECT_EQ(both[0].drafts, Continue(a, 3));  // as long as the blocks are
  EXPECT_EQ(both[1].drafts, Continue(b, 3));
}

TEST_F(DraftModelTest, AMissingBlockIsTakenFromTheTextThatDraftedLongestAgo) {
  Make(12);
  const std::vector<int32_t> a(12, 'a'), b(12, 'b'), c(12, 'c'), d(12, 'd');
  for (const auto* text : {&a, &b, &c}) Draft(static_cast<uint64_t>(text->front()), *text, 4);
  EXPECT_EQ(drafter_->free_blocks(), 0);
  EXPECT_EQ(Draft('d', d, 4), Continue(d, 4));
  EXPECT_EQ(drafter_->free_blocks(), 0);
  steps_.clear();
  EXPECT_EQ(Draft('c', c, 1), Continue(c, 1));
  EXPECT_EQ(Draft('b', b, 1), Continue(b, 1));
  EXPECT_EQ(steps_, (std::vector<int>{1, 1}));  // both are still known
}

TEST_F(DraftModelTest, ATextThatCannotBeReadToItsEndHoldsNoBlocks) {
  Make(30);
  const std::vector<int32_t> a(70, 'a'), b(70, 'b');
  std::vector<DraftRequest> both = {{1, a, 2}, {2, b, 2}};
  for (int i = 0; i < 4; ++i) {
    drafter_->Prefill(both);
    drafter_->DraftInto(both);
  }
  EXPECT_EQ(both[0].drafts, Continue(a, 2));
  EXPECT_TRUE(both[1].drafts.empty());
  EXPECT_EQ(drafter_->free_blocks(), 30 - 18);
  EXPECT_EQ(Draft(3, Text(std::string(160, 'c')), 2), std::vector<int32_t>{});
  EXPECT_EQ(drafter_->free_blocks(), 30 - 18);  // c would not fit without a either
}

TEST_F(DraftModelTest, BlocksThatAreTooFewForADraftAreNotTaken) {
  Make(1);
  EXPECT_TRUE(Draft(1, Text("012345"), 2).empty());
  EXPECT_EQ(drafter_->free_blocks(), 1);
}

TEST_F(DraftModelTest, HasNoDraftBeyondItsContextOrItsMemory) {
  Make(100, 12);
  EXPECT_EQ(Draft(1, Text("0123456789a"), 2), Continue(Text("0123456789a"), 2));
  EXPECT_EQ(Draft(1, Text("0123456789a"), 3), Continue(Text("0123456789a"), 2));
  EXPECT_EQ(Draft(1, Text("0123456789ab"), 1), std::vector<int32_t>{-1});
  EXPECT_EQ(drafter_->free_blocks(), 100);
  Make(3);
  EXPECT_EQ(Draft(1, Text("0123456"), 2), Continue(Text("0123456"), 2));
  EXPECT_TRUE(Draft(2, Text("0123456789abc"), 2).empty());
}

TEST_F(DraftModelTest, ReturnsItsBlocks) {
  Make(20);
  Draft(1, Text("0123456789"), 5);
  Draft(2, Text("0123456789"), 5);
  EXPECT_LT(drafter_->free_blocks(), 20);
  drafter_->Forget(1);
  drafter_->Forget(2);
  drafter_->Forget(3);
  EXPECT_EQ(drafter_->free_blocks(), 20);
}

}  // namespace
}  // namespace emptor::engine
