// Nothing but the given references, however the vocabulary cuts them.
#include "engine/sampling/reference_constraint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/sampling/sampler.h"

namespace emptor::engine {
namespace {

const std::vector<std::string> kReferences = {"[1]", "[1:price]", "[1:attr.tür]", "[12]"};

/// Tokens of one and of several bytes, some across the borders of a bracket; the last is control.
std::vector<std::string> TokenTexts() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  for (const char* text : {"[1", "[1:", "[1:attr.", "[3:price]", "pri", "price]", "price] [", ":p",
                           " [1] ", "a [", "x]", "] and", "[[", ""}) {
    tokens.emplace_back(text);
  }
  return tokens;
}

std::vector<bool> Allowed(const ReferenceConstraint& constraint, int size) {
  std::vector<float> logits(static_cast<size_t>(size), 1.0f);
  constraint.MaskInto(logits);
  std::vector<bool> allowed;
  for (const float logit : logits) allowed.push_back(!std::isinf(logit));
  return allowed;
}

class ReferenceConstraintTest : public ::testing::Test {
 protected:
  int32_t Id(const std::string& text) const {
    for (int32_t i = 0; i < table_.size(); ++i) {
      if (table_.bytes(i) == text) return i;
    }
    ADD_FAILURE() << text;
    return 0;
  }
  bool MayFollow(const std::string& token) const {
    return Allowed(constraint_, table_.size())[static_cast<size_t>(Id(token))];
  }

  TokenTable table_{TokenTexts()};
  ReferenceConstraint constraint_{table_, kReferences};
};

TEST_F(ReferenceConstraintTest, AllowsEverythingOutsideButFalseBrackets) {
  for (const char* token : {"a", "x]", "] and", "[", "[1", "[1:attr.", " [1] ", "a [", ""}) {
    EXPECT_TRUE(MayFollow(token)) << token;
  }
  for (const char* token : {"[3:price]", "[["}) EXPECT_FALSE(MayFollow(token)) << token;
}

TEST_F(ReferenceConstraintTest, AllowsOnlyWhatContinuesAReference) {
  constraint_.Accept(Id("[1"));
  for (const char* token : {"]", "2", ":", ":p", "] and"}) EXPECT_TRUE(MayFollow(token)) << token;
  for (const char* token : {"a", " ", "[", "x]", "3", ""}) EXPECT_FALSE(MayFollow(token)) << token;
  constraint_.Accept(Id(":"));
  for (const char* token : {"pri", "price]", "price] [", "p", "a"}) {
    EXPECT_TRUE(MayFollow(token)) << token;
  }
  EXPECT_FALSE(MayFollow("r"));
  constraint_.Accept(Id("price] ["));
  EXPECT_TRUE(MayFollow("1"));
  EXPECT_FALSE(MayFollow("3"));
}

TEST_F(ReferenceConstraintTest, ForbidsEveryBracketWhenNothingCanBeFilled) {
  const ReferenceConstraint none(table_, {});
  const std::vector<bool> allowed = Allowed(none, table_.size());
  for (int32_t i = 0; i < table_.size(); ++i) {
    const bool has_bracket = table_.bytes(i).find('[') != std::string::npos;
    EXPECT_EQ(allowed[static_cast<size_t>(i)], !has_bracket) << table_.bytes(i);
  }
}

TEST_F(ReferenceConstraintTest, LeavesTheLogitsWhenTheVocabularyCannotGoOn) {
  const TokenTable letters({"a", "[", "1"});
  ReferenceConstraint constraint(letters, {"[2]"});
  constraint.Accept(1);
  EXPECT_EQ(Allowed(constraint, 3), std::vector<bool>(3, true));
  constraint.Accept(0);
  EXPECT_EQ(Allowed(constraint, 3), std::vector<bool>(3, true));
}

// Whatever a model prefers, each bracket that it closes is one of the references.
TEST_F(ReferenceConstraintTest, HoldsForAnyLogits) {
  std::mt19937_64 random(7);
  std::normal_distribution<float> normal(0, 3);
  for (int round = 0; round < 200; ++round) {
    ReferenceConstraint constraint(table_, kReferences);
    std::string text;
    for (int step = 0; step < 60; ++step) {
      std::vector<float> logits(static_cast<size_t>(table_.size()));
      for (float& logit : logits) logit = normal(random);
      logits[static_cast<size_t>(Id("["))] += 4;
      constraint.MaskInto(logits);
      const int32_t token = *GreedyToken(logits);
      constraint.Accept(token);
      text += table_.bytes(token);
    }
    for (size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
      const size_t close = text.find(']', at);
      if (close == std::string::npos) break;
      const std::string reference = text.substr(at, close - at + 1);
      EXPECT_NE(std::find(kReferences.begin(), kReferences.end(), reference), kReferences.end())
          << reference;
    }
  }
}

}  // namespace
}  // namespace emptor::engine
