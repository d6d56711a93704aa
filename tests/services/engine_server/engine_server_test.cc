// The engine server over real sockets: gRPC, HTTP, the admin port, and its end.
#include "services/engine_server/engine_server.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "catalog/encoding/json.h"
#include "services/auth/key_store.h"
#include "services/proto/engine.grpc.pb.h"
#include "tests/services/support/test_models.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

namespace v1 = emptor::engine::v1;
using emptor::testing::Fetch;
using emptor::testing::FetchWithKey;
using emptor::testing::HttpReply;
using emptor::testing::SseEvent;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;
using ::testing::HasSubstr;

int PortOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

class EngineServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    EngineServerOptions options;
    Config& config = options.config;
    config.data_dir = data_.path();
    config.listen = config.admin_listen = options.grpc_listen = "127.0.0.1:0";
    config.model = folder_.Write("tiny.gguf", 5);
    config.embedder = testing::ModelFolder::Encoder();
    config.engine_threads = 1;
    config.kv_megabytes = 4;
    config.models = {
        {"other", folder_.Write("other.gguf", 6), ModelKind::kLanguageModel, false},
        {"long", folder_.Write("long.gguf", 7, 16384), ModelKind::kLanguageModel, false}};
    config.models.front().adapters = {{"tuned", folder_.WriteAdapter("tuned.gguf"), {}, {}}};
    auto server = EngineServer::Start(options);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    http_ = PortOf(server_->url());
    admin_ = PortOf(server_->admin_url());
    key_ = ReadOwnKey(data_.path());
    channel_ = grpc::CreateChannel("127.0.0.1:" + std::to_string(server_->grpc_port()),
                                   grpc::InsecureChannelCredentials());
    stub_ = v1::Engine::NewStub(channel_);
  }

  static v1::GenerateRequest Request(int tokens) {
    v1::GenerateRequest request;
    request.set_prompt("hello");
    request.set_max_tokens(tokens);
    return request;
  }
  /// The text, and the end in `end`.
  grpc::Status Generate(const v1::GenerateRequest& request, std::string& text,
                        v1::GenerateEvent::End& end) {
    grpc::ClientContext context;
    context.set_deadline(system_clock::now() + seconds(60));
    const auto reader = stub_->Generate(&context, request);
    for (v1::GenerateEvent event; reader->Read(&event);) {
      text += event.piece().text();
      if (event.has_end()) end = event.end();
    }
    return reader->Finish();
  }
  /// The first metric whose name and labels begin so, in the text of /metrics; -1 without.
  static double Metric(const std::string& text, const std::string& name) {
    const size_t at = ("\n" + text).find("\n" + name);
    return at == std::string::npos ? -1 : std::stod(text.substr(text.find(' ', at)));
  }
  /// Waits until the metrics of one moment are as wanted; false when they never are.
  bool WaitForMetrics(const std::function<bool(const std::string& text)>& wanted) const {
    const auto deadline = std::chrono::steady_clock::now() + seconds(60);
    while (!wanted(Fetch(admin_, "GET", "/metrics").body)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }
  /// Waits until no request runs or waits and every KV block is free.
  bool WaitUntilIdle() const {
    return WaitForMetrics([](const std::string& text) {
      return Metric(text, "emptor_engine_requests_running") == 0 &&
             Metric(text, "emptor_engine_requests_waiting") == 0 &&
             Metric(text, "emptor_engine_kv_blocks_free") ==
                 Metric(text, "emptor_engine_kv_blocks{");
    });
  }

  const emptor::testing::TemporaryDirectory data_;
  testing::ModelFolder folder_;
  std::unique_ptr<EngineServer> server_;
  int http_ = 0, admin_ = 0;
  std::string key_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Engine::Stub> stub_;
};

TEST_F(EngineServerTest, GeneratesTheSameOverGrpcAndHttp) {
  std::string text;
  v1::GenerateEvent::End end;
  const grpc::Status status = Generate(Request(6), text, end);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(end.reason(), v1::FINISH_REASON_LENGTH);
  EXPECT_EQ(end.usage().completion_tokens(), 6);
  const HttpReply reply =
      Fetch(http_, "POST", "/generate", R"({"inputs":"hello","parameters":{"max_new_tokens":6}})");
  EXPECT_EQ(catalog::ParseJson(reply.body)->Find("generated_text")->as_string(), text);
  EXPECT_TRUE(WaitUntilIdle());
}

/// The next event of a queue, which must be that of `tag`.
void ExpectNext(grpc::CompletionQueue& queue, void* tag) {
  void* found = nullptr;
  bool ok = false;
  ASSERT_TRUE(queue.Next(&found, &ok));
  EXPECT_EQ(found, tag);
  EXPECT_TRUE(ok);
}

// Debian has no generated classes of the reflection protocol: the messages are written by hand.
TEST_F(EngineServerTest, TellsGrpcClientsItsServices) {
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  int tag = 0;
  const auto call = stub.PrepareCall(
      &context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  call->StartCall(&tag);
  ExpectNext(queue, &tag);
  const grpc::Slice list_services("\x3a\x00", 2);  // field 7, an empty string
  call->Write(grpc::ByteBuffer(&list_services, 1), &tag);
  ExpectNext(queue, &tag);
  grpc::ByteBuffer reply;
  call->Read(&reply, &tag);
  ExpectNext(queue, &tag);
  grpc::Slice bytes;
  ASSERT_TRUE(reply.DumpToSingleSlice(&bytes).ok());
  EXPECT_THAT(std::string(bytes.begin(), bytes.end()), HasSubstr("emptor.engine.v1.Engine"));
  context.TryCancel();
}

TEST_F(EngineServerTest, ReportsErrorsByTheirCodes) {
  std::string text;
  v1::GenerateEvent::End end;
  v1::GenerateRequest request = Request(5);
  request.set_model("nope");
  EXPECT_EQ(Generate(request, text, end).error_code(), grpc::StatusCode::NOT_FOUND);
  request.set_model("other");
  EXPECT_EQ(Generate(request, text, end).error_code(), grpc::StatusCode::UNAVAILABLE);
  request = Request(-1);
  EXPECT_EQ(Generate(request, text, end).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  request = Request(5);
  request.set_prompt(std::string(600, 'x'));
  EXPECT_EQ(Generate(request, text, end).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  request.clear_prompt();
  EXPECT_EQ(Generate(request, text, end).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(EngineServerTest, CancellationAndDeadlineReachTheEngine) {
  for (const bool cancel : {true, false}) {
    grpc::ClientContext context;
    if (!cancel) context.set_deadline(system_clock::now() + milliseconds(1));
    const auto reader = stub_->Generate(&context, Request(250));
    if (cancel) context.TryCancel();
    for (v1::GenerateEvent event; reader->Read(&event);) {
    }
    const grpc::StatusCode code = reader->Finish().error_code();
    EXPECT_TRUE(code ==
                    (cancel ? grpc::StatusCode::CANCELLED : grpc::StatusCode::DEADLINE_EXCEEDED) ||
                code == grpc::StatusCode::OK);
    EXPECT_TRUE(WaitUntilIdle());
  }
}

TEST_F(EngineServerTest, EmbedsListsAndSwitches) {
  grpc::ClientContext embed;
  v1::EmbedRequest texts;
  texts.add_texts("kettle");
  v1::EmbedReply embeddings;
  ASSERT_TRUE(stub_->Embed(&embed, texts, &embeddings).ok());
  EXPECT_EQ(embeddings.embeddings(0).values_size(), 256);
  EXPECT_EQ(embeddings.model(), "emptor-embed");

  v1::ModelRequest other;
  other.set_name("other");
  v1::Model model;
  {
    grpc::ClientContext context;
    ASSERT_TRUE(stub_->Activate(&context, other, &model).ok());
  }
  do {
    grpc::ClientContext context;
    ASSERT_TRUE(stub_->ModelStatus(&context, other, &model).ok());
  } while (model.state() == "loading");
  EXPECT_EQ(model.state(), "available");
  EXPECT_TRUE(model.active());
  grpc::ClientContext list;
  v1::ListModelsReply models;
  ASSERT_TRUE(stub_->ListModels(&list, {}, &models).ok());
  EXPECT_EQ(models.models_size(), 5);
  EXPECT_THAT(Fetch(http_, "GET", "/info").body, HasSubstr(R"("model_id":"other")"));
}

TEST_F(EngineServerTest, AnAdapterIsChosenByNameOverGrpcAndHttpAndCanBeActive) {
  v1::ModelRequest tuned;
  tuned.set_name("other:tuned");
  v1::Model model;
  {
    grpc::ClientContext context;
    ASSERT_TRUE(stub_->Activate(&context, tuned, &model).ok());
  }
  do {
    grpc::ClientContext context;
    ASSERT_TRUE(stub_->ModelStatus(&context, tuned, &model).ok());
  } while (model.state() == "loading");
  EXPECT_TRUE(model.active());
  EXPECT_EQ(model.parent(), "other");
  std::map<std::string, std::string> texts;
  for (const char* name : {"other", "other:tuned", ""}) {
    v1::GenerateRequest request = Request(12);
    request.set_model(name);
    v1::GenerateEvent::End end;
    const grpc::Status status = Generate(request, texts[name], end);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  EXPECT_NE(texts["other"], texts["other:tuned"]);
  EXPECT_EQ(texts[""], texts["other:tuned"]);
  const HttpReply reply = Fetch(http_, "POST", "/v1/completions",
                                R"({"model":"other:tuned","prompt":"hello","max_tokens":12})");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr(R"("model":"other:tuned")"));
  EXPECT_THAT(FetchWithKey(admin_, key_, "GET", "/admin/models/other:tuned/status").body,
              HasSubstr(R"("adapters":[{"name":"tuned","rank":4)"));
}

TEST_F(EngineServerTest, ShowsHealthAndMetrics) {
  EXPECT_EQ(Fetch(admin_, "GET", "/healthz").status, 200);
  EXPECT_EQ(Fetch(admin_, "GET", "/readyz").status, 200);
  EXPECT_EQ(Fetch(http_, "GET", "/health").status, 200);
  EXPECT_EQ(Fetch(http_, "POST", "/v1/completions",
                  R"({"prompt":"hello","max_tokens":3,"temperature":0})")
                .status,
            200);
  ASSERT_TRUE(WaitForMetrics([](const std::string& text) {  // the step goes on behind its answers
    return Metric(text, "emptor_engine_generation_tokens_total") == 3;
  }));
  ASSERT_TRUE(WaitUntilIdle());
  const std::string metrics = Fetch(admin_, "GET", "/metrics").body;
  for (const char* want :
       {"emptor_engine_request_success_total{finished_reason=\"length\",model_name=\"tiny\"} 1",
        "emptor_engine_time_to_first_token_seconds_count{model_name=\"tiny\"} 1",
        "emptor_engine_inter_token_latency_seconds_count{model_name=\"tiny\"} 2",
        "emptor_engine_generation_tokens_total{model_name=\"tiny\"} 3",
        "emptor_engine_kv_cache_usage_ratio{model_name=\"tiny\"} 0",
        "emptor_engine_kv_waste_ratio{model_name=\"tiny\"} 0.",
        "vllm:num_requests_running{model_name=\"tiny\"} 0",
        "vllm:num_requests_waiting{model_name=\"tiny\"} 0",
        "vllm:kv_cache_usage_perc{model_name=\"tiny\"} 0",
        "emptor_model_state{model_name=\"other\",state=\"unloaded\"} 1",
        "emptor_http_requests_total{code=\"200\",route=\"/v1/completions\"} 1"}) {
    EXPECT_THAT(metrics, HasSubstr(want));
  }
}

TEST_F(EngineServerTest, StoppingLetsStreamsEnd) {
  std::vector<std::string> events;
  bool stopping = false;
  std::thread stopper;
  const HttpReply reply =
      Fetch(http_, "POST", "/v1/completions",
            R"({"prompt":"hello","max_tokens":200,"temperature":0,"stream":true})",
            [&](const SseEvent& event) {
              events.push_back(event.data);
              if (!stopping) stopper = std::thread([&] { server_->Stop(); });
              stopping = true;
              return true;
            });
  stopper.join();
  EXPECT_EQ(reply.status, 200);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back(), "[DONE]");
}

TEST_F(EngineServerTest, NoChangeIsAcceptedWithoutTheAdminKey) {
  const auto status_of = [&](const Route& route, const std::string& headers) {
    std::string path = route.pattern;
    if (const size_t brace = path.find('{'); brace != std::string::npos) {
      path.replace(brace, path.find('}') + 1 - brace, "x");
    }
    emptor::testing::HttpConnection connection(admin_);
    EXPECT_TRUE(
        connection.SendRequest(route.method, path, route.method == "GET" ? "" : "{}", headers));
    return connection.ReadReply(seconds(30)).status;
  };
  const std::string key = "Authorization: Bearer " + key_ + "\r\n";
  int found = 0;
  for (const Route& route : server_->admin_routes()) {
    if (route.access != Access::kAdmin) continue;
    EXPECT_EQ(status_of(route, ""), 401) << route.pattern;
    EXPECT_EQ(status_of(route, "Authorization: Bearer x\r\n"), 401) << route.pattern;
    const int good = status_of(route, key);
    EXPECT_TRUE(good != 401 && good != 403) << route.pattern << " " << good;
    if (route.method == "GET") continue;
    EXPECT_EQ(status_of(route, key + "Origin: https://evil.example\r\n"), 403) << route.pattern;
    ++found;
  }
  EXPECT_GE(found, 6);
  for (const Route& route : server_->admin_routes()) {
    EXPECT_TRUE(route.method == "GET" || route.access == Access::kAdmin) << route.pattern;
  }
  for (const Route& route : server_->routes()) {
    EXPECT_EQ(route.access, route.pattern == "/health" ? Access::kOpen : Access::kAsk)
        << route.pattern;
  }
}

TEST_F(EngineServerTest, AHangUpStopsAPlainGeneration) {
  ASSERT_EQ(FetchWithKey(admin_, key_, "POST", "/admin/models/long/load", "{}").status / 100, 2);
  while (FetchWithKey(admin_, key_, "GET", "/admin/models/long/status").body.find("available") ==
         std::string::npos) {
    std::this_thread::yield();
  }
  emptor::testing::HttpConnection connection(http_);
  ASSERT_TRUE(connection.SendRequest(
      "POST", "/v1/completions",
      R"({"model":"long","prompt":"hello","max_tokens":16000,"ignore_eos":true})"));
  ASSERT_TRUE(WaitForMetrics([](const std::string& text) {
    return Metric(text, "emptor_engine_generation_tokens_total{model_name=\"long\"}") > 0;
  }));
  connection.Reset();
  EXPECT_TRUE(WaitForMetrics([](const std::string& text) {
    return Metric(text, "emptor_engine_cancelled_total{model_name=\"long\"}") == 1;
  }));
  EXPECT_TRUE(WaitUntilIdle());
}

TEST(EngineServerStartTest, RefusesAModelThatIsNotThere) {
  EngineServerOptions options;
  options.config.listen = options.config.admin_listen = "127.0.0.1:0";
  options.config.model = "/nowhere/model.gguf";
  EXPECT_THAT(std::string(EngineServer::Start(options).status().message()),
              HasSubstr("/nowhere/model.gguf"));
}

}  // namespace
}  // namespace emptor::services
