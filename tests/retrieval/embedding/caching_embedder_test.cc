// Cached queries are not embedded again; failures and passages always are.
#include "retrieval/embedding/caching_embedder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"

namespace emptor::retrieval {
namespace {

/// Counts its queries, and fails on demand.
class CountedEmbedder final : public Embedder {
 public:
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return inner_.model_id(); }
  bool is_slow() const override { return true; }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    ++passages;
    return inner_.EmbedInto(texts, out);
  }
  absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const override {
    ++queries;
    return fails ? absl::UnavailableError("down") : inner_.EmbedInto({&query, 1}, out);
  }
  mutable int passages = 0, queries = 0;
  bool fails = false;

 private:
  HashingEmbedder inner_{8};
};

TEST(CachingEmbedderTest, AsksOnceForEachOfTheLastQueries) {
  CountedEmbedder inner;
  const CachingEmbedder embedder(inner, 2);
  const auto ask = [&](const std::string& query) {
    std::vector<float> out(8), want(8);
    EXPECT_TRUE(embedder.EmbedQueryInto(query, out).ok());
    EXPECT_TRUE(HashingEmbedder(8).EmbedInto({&query, 1}, want).ok());
    EXPECT_EQ(out, want);
    return inner.queries;
  };
  EXPECT_EQ(ask("kettle"), 1);
  EXPECT_EQ(ask("toaster"), 2);
  EXPECT_EQ(ask("kettle"), 2);
  EXPECT_EQ(ask("hub"), 3);  // takes the place of "toaster"
  EXPECT_EQ(ask("kettle"), 3);
  EXPECT_EQ(ask("toaster"), 4);
  EXPECT_TRUE(embedder.is_slow());
  EXPECT_EQ(embedder.model_id(), inner.model_id());
}

TEST(CachingEmbedderTest, KeepsNoFailureAndNoPassage) {
  CountedEmbedder inner;
  const CachingEmbedder embedder(inner);
  std::vector<float> out(8);
  inner.fails = true;
  EXPECT_TRUE(absl::IsUnavailable(embedder.EmbedQueryInto("kettle", out)));
  inner.fails = false;
  EXPECT_TRUE(embedder.EmbedQueryInto("kettle", out).ok());
  EXPECT_EQ(inner.queries, 2);
  const std::string text = "kettle";
  EXPECT_TRUE(embedder.EmbedInto({&text, 1}, out).ok());
  EXPECT_TRUE(embedder.EmbedInto({&text, 1}, out).ok());
  EXPECT_EQ(inner.passages, 2);
  std::vector<float> wrong(7);
  EXPECT_FALSE(embedder.EmbedQueryInto("kettle", wrong).ok());
}

}  // namespace
}  // namespace emptor::retrieval
