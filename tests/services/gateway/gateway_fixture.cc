// Start of the gateway, and clients of it.
#include "tests/services/gateway/gateway_fixture.h"

#include "catalog/encoding/json.h"
#include "services/auth/key_store.h"
#include "services/observability/log.h"

namespace emptor::services {

using testing::Fetch;
using testing::FetchWithKey;
using testing::HttpReply;
using testing::SseEvent;
using testing::StandInReplica;

int PortOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

void GatewayFixture::Launch(size_t replicas) {
  for (size_t i = 0; i < replicas; ++i) {
    if (i == replicas_.size()) replicas_.emplace_back();
    ReplicaConfig replica = of_each_;
    replica.name = "r" + std::to_string(i);
    replica.url = replicas_[i].url();
    config_.replicas.push_back(replica);
  }
  if (config_.groups.empty()) config_.groups = {{.name = "default"}};
  config_.listen = config_.admin_listen = "127.0.0.1:0";
  config_.data_dir = data_.path();
  config_.access_log = false;
  if (config_.dispatch.probe_interval == milliseconds(1000)) {
    config_.dispatch.probe_interval = milliseconds(100);
  }
  config_.probe_time = milliseconds(300);
  SetLogLevel("off");
  auto server = GatewayServer::Start(config_, resolve_);
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  port_ = PortOf(server_->url());
}

void GatewayFixture::Start(size_t replicas) {
  Launch(replicas);
  const std::string all = "\"replicas\":" + std::to_string(replicas) + "}";
  ASSERT_TRUE(Eventually(
      [&] { return Fetch(port_, "GET", "/v1/models").body.find(all) != std::string::npos; }));
  EXPECT_EQ(Fetch(port_, "GET", "/health").status, 200);
}

HttpReply GatewayFixture::Ask(const std::string& body) const {
  return Fetch(port_, "POST", "/v1/chat/completions", body);
}

StreamReply GatewayFixture::AskStream(const std::string& body) const {
  return AskStreamAt(port_, body);
}

StreamReply GatewayFixture::AskStreamAt(int port, const std::string& body) {
  StreamReply reply;
  reply.http = Fetch(port, "POST", "/v1/chat/completions", body, [&](const SseEvent& event) {
    if (event.data == "[DONE]") {
      reply.done = true;
      return true;
    }
    const auto json = catalog::ParseJson(event.data);
    if (!json.ok()) return true;
    if (json->Find("error") != nullptr) reply.error = event.data;
    const catalog::JsonValue* choices = json->Find("choices");
    if (choices == nullptr || choices->as_array().empty()) return true;
    const catalog::JsonValue& choice = choices->as_array()[0];
    const catalog::JsonValue* content = choice.Find("delta")->Find("content");
    if (content != nullptr) reply.text += content->as_string();
    reply.finished = reply.finished || choice.Find("finish_reason")->is_string();
    return true;
  });
  return reply;
}

bool GatewayFixture::IsWhole(const StreamReply& reply, int words) {
  return reply.http.status == 200 && reply.done && reply.finished && reply.error.empty() &&
         reply.text == StandInReplica::TextOf(words);
}

std::string GatewayFixture::MetricsText() const {
  return FetchWithKey(PortOf(server_->admin_url()), ReadOwnKey(data_.path()), "GET", "/metrics")
      .body;
}

double GatewayFixture::Metric(const std::string& name) const {
  const std::string text = "\n" + MetricsText();
  const size_t at = text.find("\n" + name);
  if (at == std::string::npos) return -1;
  const size_t end = text.find('\n', at + 1);
  return std::stod(text.substr(text.rfind(' ', end) + 1));
}

}  // namespace emptor::services
