// The attribute that is nearest to a question in meaning.
#include "services/assistant/schema/key_meanings.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace emptor::services {
namespace {

/// Meanings on two axes: time and space.
class AxesEmbedder : public retrieval::Embedder {
 public:
  int dimension() const override { return 2; }
  const std::string& model_id() const override { return id_; }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    if (fails) return absl::UnavailableError("no embedder");
    ++calls;
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto at = axes_.find(texts[i]);
      const auto axes = at == axes_.end() ? std::pair(0.F, 0.F) : at->second;
      out[2 * i] = axes.first;
      out[2 * i + 1] = axes.second;
    }
    return absl::OkStatus();
  }

  bool fails = false;
  mutable int calls = 0;

 private:
  const std::string id_ = "axes";
  const std::map<std::string, std::pair<float, float>> axes_ = {
      {"does it last a night", {1, 0}},  {"battery life", {0.9F, 0.1F}}, {"range", {0.1F, 0.9F}},
      {"how far does it reach", {0, 1}}, {"who made it", {0.2F, 0.2F}},  {"type", {0, 0}},
      {"an sd card slot", {1, 0}},       {"memory slots", {1, 0}}};
};

class KeyMeaningsTest : public ::testing::Test {
 protected:
  KeyMeaningsTest() {
    product_.attributes = {{"battery life", "12 h"}, {"range", "300 m"}, {"monitor type", "video"}};
  }
  const std::shared_ptr<AxesEmbedder> embedder_ = std::make_shared<AxesEmbedder>();
  const KeyMeanings meanings_{embedder_};
  catalog::Product product_;
};

TEST_F(KeyMeaningsTest, TheNearestNameIsMeant) {
  EXPECT_EQ(meanings_.Find("does it last a night", product_, "monitor"), "battery life");
  EXPECT_EQ(meanings_.Find("how far does it reach", product_, "monitor"), "range");
}

TEST_F(KeyMeaningsTest, NothingIsMeantWhereNoNameIsNear) {
  EXPECT_EQ(meanings_.Find("who made it", product_, "monitor"), std::nullopt);
  EXPECT_EQ(meanings_.Find("", product_, "monitor"), std::nullopt);
  EXPECT_EQ(meanings_.Find("does it last a night", catalog::Product(), ""), std::nullopt);
}

TEST_F(KeyMeaningsTest, ThePropertyOfSomethingElseIsNotMeant) {
  product_.attributes = {{"memory slots", "2"}};
  EXPECT_EQ(meanings_.Find("an sd card slot", product_, "laptop"), std::nullopt);
}

TEST_F(KeyMeaningsTest, NamesAreEmbeddedOnce) {
  meanings_.Find("who made it", product_, "monitor");
  const int first = embedder_->calls;
  meanings_.Find("who made it", product_, "monitor");
  EXPECT_EQ(embedder_->calls, first + 1);  // the question alone
}

TEST_F(KeyMeaningsTest, WithoutAnEmbedderNothingIsMeant) {
  embedder_->fails = true;
  EXPECT_EQ(meanings_.Find("does it last a night", product_, ""), std::nullopt);
  EXPECT_EQ(KeyMeanings(nullptr).Find("does it last a night", product_, ""), std::nullopt);
}

}  // namespace
}  // namespace emptor::services
