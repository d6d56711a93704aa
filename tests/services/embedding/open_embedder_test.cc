// Which embedder the settings give, with which key.
#include "services/embedding/open_embedder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "tests/services/embedding/embedding_server.h"
#include "tests/services/support/test_models.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

const std::string kBert = std::string(EMPTOR_SOURCE_DIR) + "/tests/golden/bert/mean";

EmbedderSettings ModelThere(int dimension) {
  EmbedderSettings settings;
  settings.model = "m";
  settings.dimension = dimension;
  return settings;
}

TEST(OpenEmbedderTest, OpensFilesDirectoriesAndEndpoints) {
  const auto shipped = OpenEmbedder(testing::ModelFolder::Encoder(), {});
  ASSERT_TRUE(shipped.ok()) << shipped.status();
  EXPECT_FALSE(shipped->embedder->is_slow());
  EXPECT_NE(shipped->encoder, nullptr);
  const auto bert = OpenEmbedder(kBert, {});
  ASSERT_TRUE(bert.ok()) << bert.status();
  EXPECT_TRUE(bert->embedder->is_slow());
  const auto remote = OpenEmbedder("http://127.0.0.1:9", ModelThere(4));
  ASSERT_TRUE(remote.ok()) << remote.status();
  EXPECT_EQ(remote->embedder->dimension(), 4);
  EXPECT_EQ(remote->encoder, nullptr);
}

TEST(OpenEmbedderTest, PrefixesAndElementTypesMakeAnotherModel) {
  const auto id = [](const std::function<void(EmbedderSettings&)>& change) {
    EmbedderSettings settings;
    change(settings);
    const auto opened = OpenEmbedder(kBert, settings);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened.ok() ? opened->embedder->model_id() : "";
  };
  const std::string plain = id([](auto&) {});
  EXPECT_EQ(id([](auto& settings) { settings.query_prefix = "query: "; }), plain);
  EXPECT_NE(id([](auto& settings) { settings.passage_prefix = "passage: "; }), plain);
  EXPECT_NE(id([](auto& settings) { settings.weights = "bf16"; }), plain);
  EmbedderSettings wrong;
  wrong.weights = "int3";
  EXPECT_THAT(std::string(OpenEmbedder(kBert, wrong).status().message()),
              HasSubstr("weights: expected f32, bf16 or q8_0, found \"int3\""));
}

TEST(OpenEmbedderTest, TakesTheKeyFromWhereItIsSaidToLie) {
  emptor::testing::EmbeddingServer server;
  const testing::ModelFolder folder;
  const std::string file = folder.WriteBytes("key", "from-file\n");
  ASSERT_EQ(setenv("EMPTOR_TEST_EMBEDDER_KEY", "from-env", 1), 0);
  EmbedderSettings settings = ModelThere(2);
  const auto sent = [&]() -> std::string {
    const auto opened = OpenEmbedder(server.url(), settings);
    EXPECT_TRUE(opened.ok()) << opened.status();
    server.Push(200, R"({"data":[{"index":0,"embedding":[3,4]}]})");
    std::vector<float> out(2);
    EXPECT_TRUE(opened->embedder->EmbedQueryInto("kettle", out).ok());
    return std::string(server.requests().back().Header("authorization"));
  };
  EXPECT_EQ(sent(), "");
  settings.key_file = file;
  EXPECT_EQ(sent(), "Bearer from-file");
  settings.key_env = "EMPTOR_TEST_EMBEDDER_KEY";
  EXPECT_EQ(sent(), "Bearer from-env");
  settings.key_env = "EMPTOR_TEST_NO_SUCH_KEY";
  EXPECT_TRUE(absl::IsNotFound(OpenEmbedder(server.url(), settings).status()));
  settings.key_env = "";
  settings.key_file = folder.WriteBytes("bad", "two\nlines");
  const auto refused = OpenEmbedder(server.url(), settings);
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status()));
  EXPECT_EQ(std::string(refused.status().message()).find("lines\n"), std::string::npos);
}

}  // namespace
}  // namespace emptor::services
