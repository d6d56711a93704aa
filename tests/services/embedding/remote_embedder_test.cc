// The embedder behind an endpoint: Emptor asking Emptor, and servers that fail in every way.
#include "services/embedding/remote_embedder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "services/embedding/engine_embedder.h"
#include "services/http/http_server.h"
#include "services/llm_api/openai_routes.h"
#include "services/models/model_registry.h"
#include "tests/services/embedding/embedding_server.h"
#include "tests/services/support/test_gate.h"
#include "tests/services/support/test_models.h"

namespace emptor::services {
namespace {

using emptor::testing::EmbeddingServer;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointwise;

constexpr const char* kKey = "sk-very-secret";
const std::string kOne = R"({"data":[{"index":0,"embedding":[3,4]}]})";

/// What the embedder waited for, and the clock that it read.
struct World {
  std::vector<milliseconds> waits;
  steady_clock::time_point now{};

  RemoteEmbedderOptions Options(const std::string& url) {
    RemoteEmbedderOptions options;
    options.url = url;
    options.api_key = kKey;
    options.settings.model = "m";
    options.settings.dimension = 2;
    options.settings.attempts = 3;
    options.settings.timeout_ms = 60000;
    options.settings.query_timeout_ms = 60000;
    options.sleep = [this](milliseconds time) { waits.push_back(time); };
    options.now = [this] { return now; };
    options.random = [] { return 0.0; };
    return options;
  }
};

std::unique_ptr<RemoteEmbedder> Open(RemoteEmbedderOptions options) {
  auto embedder = RemoteEmbedder::Open(std::move(options));
  EXPECT_TRUE(embedder.ok()) << embedder.status();
  return embedder.ok() ? *std::move(embedder) : nullptr;
}

std::vector<float> Embed(const retrieval::Embedder& embedder, const std::vector<std::string>& texts,
                         absl::Status* status = nullptr) {
  std::vector<float> out(texts.size() * static_cast<size_t>(embedder.dimension()), 9.0f);
  const absl::Status embedded = embedder.EmbedInto(texts, out);
  if (status != nullptr) *status = embedded;
  EXPECT_TRUE(status != nullptr || embedded.ok()) << embedded;
  return out;
}

/// The OpenAI face of a service with one encoder.
class EmptorEndpoint {
 public:
  explicit EmptorEndpoint(const std::string& encoder = testing::ModelFolder::Encoder())
      : server_(std::make_unique<HttpServer>()) {
    EXPECT_TRUE(models_.Add({"embed", encoder, ModelKind::kEncoder, true}).ok());
    EXPECT_TRUE(models_.Load("embed").ok() && models_.WaitFor("embed").ok());
    const auto router = std::make_shared<const Router>(
        MakeOpenAiRoutes({models_, workers_, nullptr, [] { return int64_t{0}; }}), gate_.gate(),
        nullptr);
    EXPECT_TRUE(server_
                    ->Start([router](std::shared_ptr<Exchange> exchange) {
                      (*router)(std::move(exchange));
                    })
                    .ok());
  }
  ~EmptorEndpoint() { server_->Stop(); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

 private:
  testing::TestGate gate_;
  ModelRegistry models_{ModelRegistryOptions{}};
  WorkerPool workers_{2, 64};
  std::unique_ptr<HttpServer> server_;
};

EmbedderSettings EncoderThere() {
  EmbedderSettings settings;
  settings.model = "embed";
  settings.send_input_type = true;
  return settings;
}

TEST(RemoteEmbedderTest, AnotherEmptorGivesTheVectorsOfItsEncoder) {
  const auto local = EngineEmbedder::Load(testing::ModelFolder::Encoder());
  ASSERT_TRUE(local.ok());
  const EmptorEndpoint endpoint;
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i) texts.push_back("steel kettle number " + std::to_string(i));
  const std::vector<float> want = Embed(**local, texts);
  for (const bool base64 : {false, true}) {
    RemoteEmbedderOptions options = World().Options(endpoint.url());
    options.settings = EncoderThere();
    options.settings.base64 = base64;
    options.sleep = nullptr;
    const auto remote = Open(options);  // asks for the dimension
    ASSERT_NE(remote, nullptr);
    EXPECT_EQ(remote->dimension(), (*local)->dimension());
    const std::vector<float> got = Embed(*remote, texts);
    for (size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-6) << i;
    std::vector<float> query(static_cast<size_t>(remote->dimension())), same(query.size());
    ASSERT_TRUE(remote->EmbedQueryInto("kettle", query).ok());
    ASSERT_TRUE((*local)->EmbedQueryInto("kettle", same).ok());
    for (size_t i = 0; i < query.size(); ++i) EXPECT_NEAR(query[i], same[i], 1e-6);
    EXPECT_EQ(remote->counts().requests, 1 + 3 + 1u);  // 150 texts, 64 at a time
    EXPECT_EQ(remote->counts().failures, 0u);
  }
  RemoteEmbedderOptions unknown = World().Options(endpoint.url());
  unknown.settings.model = "absent";
  absl::Status status;
  Embed(*Open(unknown), {"a"}, &status);
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
}

TEST(RemoteEmbedderTest, AnotherEmptorDistinguishesQueriesFromPassages) {
  const emptor::testing::TemporaryDirectory folder;
  const std::string e5 = folder.path() + "/e5";
  std::filesystem::copy(std::string(EMPTOR_SOURCE_DIR) + "/tests/golden/bert/mean", e5,
                        std::filesystem::copy_options::recursive);
  std::ofstream(e5 + "/config_sentence_transformers.json")
      << R"({"prompts":{"query":"camera ","passage":"keyboard "}})";
  const auto local = EngineEmbedder::Load(e5);
  ASSERT_TRUE(local.ok()) << local.status();
  const EmptorEndpoint endpoint(e5);
  RemoteEmbedderOptions options = World().Options(endpoint.url());
  options.settings = EncoderThere();
  const auto remote = Open(options);
  std::vector<float> query(static_cast<size_t>((*local)->dimension())), want(query.size());
  ASSERT_TRUE(remote->EmbedQueryInto("white", query).ok());
  ASSERT_TRUE((*local)->EmbedQueryInto("white", want).ok());
  const std::vector<float> passage = Embed(*remote, {"white"});
  EXPECT_THAT(query, Pointwise(FloatNear(1e-6f), want));
  EXPECT_THAT(passage, Pointwise(FloatNear(1e-6f), Embed(**local, {"white"})));
  EXPECT_THAT(query, Not(Pointwise(FloatNear(1e-3f), passage)));
}

TEST(RemoteEmbedderTest, SendsKeyModelAndPrefixesToTheRouteOfTheUrl) {
  EmbeddingServer server;
  const struct {
    std::string path, route;
  } cases[] = {{"", "/v1/embeddings"},
               {"/", "/v1/embeddings"},
               {"/v1", "/v1/embeddings"},
               {"/v1/", "/v1/embeddings"},
               {"/api/v3/embeddings", "/api/v3/embeddings"}};
  for (const auto& each : cases) {
    RemoteEmbedderOptions options = World().Options(server.url() + each.path);
    options.settings.query_prefix = "query: ";
    options.settings.passage_prefix = "passage: ";
    const auto embedder = Open(options);
    server.Push(200, kOne);
    server.Push(200, kOne);
    EXPECT_THAT(Embed(*embedder, {"", "kettle"}), ElementsAre(0, 0, 0.6f, 0.8f));
    std::vector<float> query(2);
    EXPECT_TRUE(embedder->EmbedQueryInto("hub", query).ok());
    const auto requests = server.requests();
    const Request& passages = requests[requests.size() - 2];
    EXPECT_EQ(passages.path, each.route);
    EXPECT_EQ(passages.Header("authorization"), std::string("Bearer ") + kKey);
    EXPECT_EQ(passages.Header("content-type"), "application/json");
    EXPECT_EQ(passages.body,
              R"({"model":"m","input":["passage: kettle"],"encoding_format":"float"})");
    EXPECT_THAT(requests.back().body, HasSubstr(R"(["query: hub"])"));
  }
}

TEST(RemoteEmbedderTest, TriesAgainAsThePolicyAndTheServerSay) {
  EmbeddingServer server;
  World world;
  const auto embedder = Open(world.Options(server.url()));
  server.Push(429, "{}", {{"Retry-After", "7"}});
  server.Push(503, "{}");
  server.Push(200, kOne);
  EXPECT_THAT(Embed(*embedder, {"kettle"}), ElementsAre(0.6f, 0.8f));
  EXPECT_THAT(world.waits, ElementsAre(milliseconds(7000), milliseconds(500)));
  EXPECT_EQ(embedder->counts().retries, 2u);
  EXPECT_EQ(embedder->counts().failures, 2u);
}

TEST(RemoteEmbedderTest, GivesUpWithAnErrorThatMayPassAndNoVector) {
  EmbeddingServer server;
  World world;
  const auto embedder = Open(world.Options(server.url()));
  absl::Status status;
  EXPECT_THAT(Embed(*embedder, {"kettle"}, &status), ElementsAre(0, 0));  // 500 each time
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(server.url() + "/v1/embeddings: HTTP 500"));
  EXPECT_EQ(server.requests().size(), 3u);

  EmbeddingServer gone;
  RemoteEmbedderOptions options = world.Options("");
  { options.url = EmbeddingServer().url(); }  // nobody listens there any more
  Embed(*Open(options), {"kettle"}, &status);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

TEST(RemoteEmbedderTest, DoesNotRetryRefusalsOrRevealTheKey) {
  const struct {
    int status;
    absl::StatusCode code;
  } cases[] = {{400, absl::StatusCode::kInvalidArgument},
               {401, absl::StatusCode::kPermissionDenied},
               {403, absl::StatusCode::kPermissionDenied},
               {404, absl::StatusCode::kNotFound},
               {302, absl::StatusCode::kInvalidArgument}};
  for (const auto& each : cases) {
    EmbeddingServer server;
    World world;
    server.Push(each.status, std::string(R"({"error":{"message":"bad key )") + kKey + " ok\"}}",
                {{"Location", server.url() + "/elsewhere"}});
    absl::Status status;
    Embed(*Open(world.Options(server.url())), {"kettle"}, &status);
    EXPECT_EQ(status.code(), each.code) << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("bad key *** ok"), Not(HasSubstr(kKey))));
    EXPECT_EQ(server.requests().size(), 1u);
    EXPECT_TRUE(world.waits.empty());
  }
}

TEST(RemoteEmbedderTest, BelievesNoReplyThatIsNotWhatItAskedFor) {
  for (const std::string& body :
       {std::string("{"), std::string(R"({"data":[{"index":0,"embedding":[1,2,3]}]})"),
        std::string(R"({"data":[]})")}) {
    EmbeddingServer server;
    server.Push(200, body);
    absl::Status status;
    EXPECT_THAT(Embed(*Open(World().Options(server.url())), {"kettle"}, &status),
                ElementsAre(0, 0));
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  }
  EmbeddingServer server;
  server.Push(200, std::string(10u << 20, ' '));
  absl::Status status;
  Embed(*Open(World().Options(server.url())), {"kettle"}, &status);
  EXPECT_TRUE(absl::IsOutOfRange(status)) << status;
}

TEST(RemoteEmbedderTest, QueriesFailAtOnceWhileTheEndpointIsDown) {
  EmbeddingServer server;
  World world;
  const auto embedder = Open(world.Options(server.url()));
  std::vector<float> out(2);
  EXPECT_TRUE(absl::IsUnavailable(embedder->EmbedQueryInto("kettle", out)));
  EXPECT_EQ(server.requests().size(), 1u);  // no second try
  EXPECT_TRUE(world.waits.empty());
  EXPECT_TRUE(absl::IsUnavailable(embedder->EmbedQueryInto("kettle", out)));
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(embedder->counts().queries_refused, 1u);

  world.now += milliseconds(501);  // PlanPause(1, 0) has passed: one asks, and fails
  EXPECT_FALSE(embedder->EmbedQueryInto("kettle", out).ok());
  EXPECT_EQ(server.requests().size(), 2u);
  world.now += milliseconds(501);
  EXPECT_FALSE(embedder->EmbedQueryInto("kettle", out).ok());
  EXPECT_EQ(server.requests().size(), 2u);  // the pause is longer now

  world.now += milliseconds(1000);
  server.Push(200, kOne);
  EXPECT_TRUE(embedder->EmbedQueryInto("kettle", out).ok());
  EXPECT_THAT(out, ElementsAre(0.6f, 0.8f));
  server.Push(200, kOne);
  EXPECT_TRUE(embedder->EmbedQueryInto("kettle", out).ok());
}

TEST(RemoteEmbedderTest, SaysWhatIsMissingWhenItIsOpened) {
  World world;
  RemoteEmbedderOptions options = world.Options("https://models.example");
  options.settings.model = "";
  EXPECT_THAT(std::string(RemoteEmbedder::Open(options).status().message()), HasSubstr("model: "));
  for (const char* url : {"", "ftp://x", "http://", "http:///v1", "https://key@host/v1",
                          "http://host/v1?x=1", "http://host/a b", "host:80"}) {
    const auto opened = RemoteEmbedder::Open(world.Options(url));
    EXPECT_TRUE(absl::IsInvalidArgument(opened.status())) << url;
    EXPECT_THAT(std::string(opened.status().message()), Not(HasSubstr("key@"))) << url;
  }
  EmbeddingServer server;
  options = world.Options(server.url());
  options.settings.dimension = 0;
  options.settings.attempts = 1;
  EXPECT_THAT(std::string(RemoteEmbedder::Open(options).status().message()),
              HasSubstr("`dimension` in the settings"));
}

TEST(RemoteEmbedderTest, ItsModelIdChangesWithWhateverChangesVectors) {
  World world;
  const auto name = [&](auto change) {
    RemoteEmbedderOptions options = world.Options("https://models.example/v1");
    change(options);
    return Open(options)->model_id();
  };
  const std::string plain = name([](auto&) {});
  EXPECT_EQ(name([](auto& options) { options.url = "https://other.example"; }), plain);
  EXPECT_EQ(name([](auto& options) { options.settings.query_prefix = "query: "; }), plain);
  EXPECT_NE(name([](auto& options) { options.settings.model = "n"; }), plain);
  EXPECT_NE(name([](auto& options) { options.settings.dimension = 3; }), plain);
  EXPECT_NE(name([](auto& options) { options.settings.passage_prefix = "passage: "; }), plain);
}

}  // namespace
}  // namespace emptor::services
