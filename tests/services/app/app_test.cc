// The whole service in this process: its settings, shops and end.
#include "services/app/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "services/app/service_parts.h"
#include "services/auth/key_store.h"
#include "tests/services/http/raw_client.h"
#include "tests/services/support/test_models.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

using emptor::testing::Fetch;
using emptor::testing::FetchWithKey;
using ::testing::HasSubstr;

Config SmallConfig(const testing::ModelFolder& folder, const std::string& data_dir) {
  Config config;
  config.data_dir = data_dir;
  config.listen = config.admin_listen = "127.0.0.1:0";
  config.model = folder.Write("tiny.gguf", 1, 4096);
  config.embedder = testing::ModelFolder::Encoder();
  config.engine_threads = 1;
  config.kv_megabytes = 4;
  config.log_level = "off";
  return config;
}

/// Waits at the first event for GoOn; keeps a refusal.
class SlowListener final : public AssistListener {
 public:
  void OnRefused(const absl::Status& status) override {
    const std::lock_guard lock(mutex_);
    refusal_ = status;
  }
  bool OnEvent(const AssistEvent&) override {
    std::unique_lock lock(mutex_);
    has_begun_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return may_go_on_; });
    return true;
  }
  void WaitForBegin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_begun_; });
  }
  void GoOn() {
    const std::lock_guard lock(mutex_);
    may_go_on_ = true;
    changed_.notify_all();
  }
  absl::Status refusal() {
    const std::lock_guard lock(mutex_);
    return refusal_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  absl::Status refusal_;    // guarded by mutex_
  bool has_begun_ = false;  // guarded by mutex_
  bool may_go_on_ = false;  // guarded by mutex_
};

TEST(ServicePartsTest, QuestionsThatWaitAtTheEndAreRefused) {
  const testing::ModelFolder folder;
  const emptor::testing::TemporaryDirectory data;
  Config config = SmallConfig(folder, data.path());
  config.workers = 1;
  auto parts = OpenServiceParts(config, /*create_if_missing=*/true);
  ASSERT_TRUE(parts.ok()) << parts.status();
  AssistRequest request;
  request.message = "do you have a kettle";
  std::istringstream catalog(R"({"id":"k1","title":"Torvane Kettle"})");
  ASSERT_TRUE((*parts)->shops.shop->writer().Import(catalog, {}, {}, [](const auto&) {}).ok());
  const auto running = std::make_shared<SlowListener>(), waiting = std::make_shared<SlowListener>();
  waiting->GoOn();
  (*parts)->assistant->Ask(request, running);
  running->WaitForBegin();
  (*parts)->assistant->Ask(request, waiting);
  // The models go first; then what waits is run while the parts that it needs are still there.
  ModelRegistry& models = *(*parts)->models;
  const std::string model = models.ActiveName(ModelKind::kLanguageModel);
  EXPECT_EQ(models.Status(model)->state, ModelState::kAvailable);
  std::thread end([&] { parts->reset(); });
  while (models.Status(model)->state != ModelState::kUnloaded) std::this_thread::yield();
  running->GoOn();
  end.join();
  EXPECT_EQ(waiting->refusal().code(), absl::StatusCode::kUnavailable);
}

TEST(AppTest, ReportsHowManyGenerationsItTakes) {
  const testing::ModelFolder folder;
  const emptor::testing::TemporaryDirectory data;
  Config config = SmallConfig(folder, data.path());
  config.engine_max_running = 3;
  config.engine_max_waiting = 4;
  const auto app = App::Start(config);
  ASSERT_TRUE(app.ok()) << app.status();
  const std::string& url = (*app)->url();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  EXPECT_THAT(Fetch(port, "GET", "/info").body, HasSubstr(R"("max_concurrent_requests":7)"));
}

int PortOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

/// A request to one shop of a service, with the service's own key; its body.
std::string AskShop(int port, const std::string& key, const std::string& shop,
                    const std::string& method, const std::string& path, const std::string& body) {
  emptor::testing::HttpConnection connection(port);
  EXPECT_TRUE(connection.Send(
      method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Emptor-Shop: " + shop +
      "\r\nAuthorization: Bearer " + key +
      "\r\nContent-Type: application/json\r\nConnection: close\r\n" +
      "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body));
  return connection.ReadReply(std::chrono::seconds(30)).body;
}

TEST(AppTest, LinksOfTheAssistantModelAreAbsolute) {
  const testing::ModelFolder folder;
  for (const char* public_url : {"https://shop.example", ""}) {
    const emptor::testing::TemporaryDirectory data;
    Config config = SmallConfig(folder, data.path());
    config.model = "none";
    config.public_url = public_url;
    const auto app = App::Start(config);
    ASSERT_TRUE(app.ok()) << app.status();
    const int port = PortOf((*app)->url());
    const std::string key = ReadOwnKey(data.path());
    AskShop(port, key, "default", "POST", "/v1/catalog/import",
            R"({"id":"k1","title":"Torvane Kettle"})");
    const std::string base = *public_url == '\0' ? "http://localhost" : public_url;
    for (const char* stream : {"false", "true"}) {
      EXPECT_THAT(AskShop(port, key, "default", "POST", "/v1/chat/completions",
                          std::string(R"({"model":"emptor-assistant","stream":)") + stream +
                              R"(,"messages":[{"role":"user","content":"Torvane Kettle"}]})"),
                  AllOf(HasSubstr("[Torvane Kettle](" + base + "/p/k1)"),
                        HasSubstr(R"("answer_step":"code","grounded":{"references":)")));
    }
  }
}

class ShopsOfAServiceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Config config = SmallConfig(folder_, data_.path());
    config.model = "none";
    auto app = App::Start(config);
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
    port_ = PortOf(app_->url());
    admin_ = PortOf(app_->admin_url());
    key_ = ReadOwnKey(data_.path());
  }
  std::string Operate(const std::string& shop, const std::string& operation,
                      const std::string& body = "") const {
    return FetchWithKey(admin_, key_, "POST", "/admin/shops/" + shop + "/" + operation, body).body;
  }
  std::string Search(const std::string& shop) const {
    return AskShop(port_, key_, shop, "POST", "/v1/search", R"({"query":"kettle"})");
  }
  void Import(const std::string& shop, const std::string& title) const {
    AskShop(port_, key_, shop, "POST", "/v1/catalog/import",
            R"({"id":"k1","title":")" + title + R"("})");
  }

  /// Of this process, in a folder of the default shop.
  bool HasOpenFilesIn(const std::string& folder) const {
    std::error_code gone;  // while it is looked at
    for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
      const std::string file = std::filesystem::read_symlink(open.path(), gone).string();
      if (file.starts_with(data_.path() + "/" + folder)) return true;
    }
    return false;
  }

  const testing::ModelFolder folder_;
  const emptor::testing::TemporaryDirectory data_;
  std::unique_ptr<App> app_;
  int port_ = 0, admin_ = 0;
  std::string key_;
};

TEST_F(ShopsOfAServiceTest, LimitsBodiesByRoute) {
  const auto claim = [](int port, const std::string& method, const std::string& path,
                        size_t bytes) {
    emptor::testing::RawClient client(port);
    client.Send(method + " " + path + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n" +
                "Content-Length: " + std::to_string(bytes) + "\r\n\r\n");
    return client.ReadReply().status;  // 100: the body will be read
  };
  constexpr size_t kSmall = 64u << 10, kRecord = 1u << 20, kFeed = 32u << 20;
  const std::vector<std::tuple<std::string, std::string, size_t>> routes = {
      {"POST", "/v1/assist", kSmall},        {"POST", "/v1/search", kSmall},
      {"POST", "/nowhere", kSmall},          {"PUT", "/v1/catalog/products/k1", kRecord},
      {"POST", "/v1/catalog/import", kFeed}, {"POST", "/v1/jobs", kFeed}};
  for (const auto& [method, path, bytes] : routes) {
    EXPECT_EQ(claim(port_, method, path, bytes), 100) << path;
    EXPECT_EQ(claim(port_, method, path, bytes + 1), 413) << path;
  }
  EXPECT_EQ(claim(admin_, "POST", "/admin/shops/default/rebuild", kFeed), 100);
  EXPECT_EQ(claim(admin_, "POST", "/admin/shops/default/create", kSmall + 1), 413);
}

TEST_F(ShopsOfAServiceTest, EachIsAskedByItsName) {
  EXPECT_THAT(Operate("tools", "create"), HasSubstr(R"("shop":"tools")"));
  EXPECT_THAT(Operate("tools", "create"), HasSubstr("conflict"));
  Import("tools", "Kettle of tools");
  Import("default", "Kettle of nobody");
  EXPECT_THAT(Search("tools"), HasSubstr("Kettle of tools"));
  EXPECT_THAT(Search("tools"), ::testing::Not(HasSubstr("nobody")));
  EXPECT_THAT(Fetch(port_, "POST", "/v1/search", R"({"query":"kettle"})").body,
              HasSubstr("Kettle of nobody"));
  EXPECT_THAT(Search("other"), HasSubstr("not_found"));
  EXPECT_THAT(Search("../x"), HasSubstr("invalid_request"));
  EXPECT_THAT(FetchWithKey(admin_, key_, "GET", "/admin/shops").body,
              HasSubstr(R"("name":"tools","open":true)"));
  EXPECT_THAT(Operate("tools", "delete"), HasSubstr(R"("shop":"tools")"));
  EXPECT_THAT(Search("tools"), HasSubstr("not_found"));
  EXPECT_THAT(Operate("default", "delete"), HasSubstr("conflict"));
}

TEST_F(ShopsOfAServiceTest, EndsWhileTheAdminPageAsks) {
  std::atomic<int> answered = 0;
  const auto ask = [&, port = admin_, key = "Authorization: Bearer " + key_ + "\r\n"] {
    for (;;) {  // until the port is closed
      emptor::testing::HttpConnection connection(port);
      if (!connection.SendRequest("GET", "/admin/shops/default/jobs", "", key)) return;
      if (connection.ReadReply(std::chrono::seconds(30)).status == 200) ++answered;
    }
  };
  std::vector<std::thread> pages;
  for (int i = 0; i < 4; ++i) pages.emplace_back(ask);
  while (answered < 8) std::this_thread::yield();
  app_.reset();
  for (std::thread& page : pages) page.join();
  EXPECT_GE(answered, 8);
}

TEST_F(ShopsOfAServiceTest, ADeletedShopIsReleased) {
  EXPECT_THAT(Operate("tools", "create"), HasSubstr(R"("shop":"tools")"));
  Import("tools", "Kettle of tools");
  EXPECT_THAT(Operate("tools", "delete"), HasSubstr(R"("shop":"tools")"));
  // Its service ends on a thread of its own.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::string created;
  do {
    created = Operate("tools", "create");
  } while (created.find("still in use") != std::string::npos &&
           std::chrono::steady_clock::now() < deadline);
  EXPECT_THAT(created, HasSubstr(R"("shop":"tools")"));
  EXPECT_THAT(Search("tools"), HasSubstr(R"("items":[])"));
}

TEST_F(ShopsOfAServiceTest, TheNextGenerationIsServedAndRolledBack) {
  Import("default", "Kettle of one");
  EXPECT_THAT(Operate("default", "rebuild?min_share=80%25&canary=kettle%3D%3Ek9",
                      R"({"id":"k1","title":"Kettle of two"})"),
              HasSubstr("does not find k9"));
  EXPECT_THAT(Search("default"), HasSubstr("Kettle of one"));
  EXPECT_THAT(
      Operate("default", "rebuild?canary=kettle%3D%3Ek1", R"({"id":"k1","title":"Kettle of two"})"),
      HasSubstr(R"("created":1)"));
  EXPECT_THAT(Search("default"), HasSubstr("Kettle of two"));
  EXPECT_THAT(Operate("default", "rollback"), HasSubstr(R"("shop":"default")"));
  EXPECT_THAT(Search("default"), HasSubstr("Kettle of one"));
  EXPECT_THAT(Operate("default", "rebuild?min_share=x"), HasSubstr("min_share"));
}

TEST_F(ShopsOfAServiceTest, AGenerationRolledBackIsReleasedBeforeTheNextRequest) {
  Import("default", "Kettle of one");
  Operate("default", "rebuild", R"({"id":"k1","title":"Kettle of two"})");
  EXPECT_THAT(Search("default"), HasSubstr("Kettle of two"));
  EXPECT_THAT(Operate("default", "rollback"), HasSubstr(R"("shop":"default")"));
  // Its service ends on a thread of its own.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (HasOpenFilesIn("gen-000002") && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(HasOpenFilesIn("gen-000002"));
  EXPECT_TRUE(HasOpenFilesIn("gen-000001"));
}

TEST_F(ShopsOfAServiceTest, TakesAMerchantsRulesThatOutliveTheGeneration) {
  Import("default", "Kettle of one");
  const auto pins = [this](const std::string& method, const std::string& body = "") {
    return FetchWithKey(admin_, key_, method, "/admin/shops/default/pins", body).body;
  };
  EXPECT_EQ(pins("GET"), R"({"rules":[]})");
  EXPECT_THAT(pins("PUT", R"({"rules":[{"queries":["stove"]}]})"), HasSubstr("expected pin"));
  const std::string rules = R"({"rules":[{"queries":["stove"],"pin":["k1"]}]})";
  EXPECT_EQ(pins("PUT", rules), rules);
  Operate("default", "rebuild", R"({"id":"k1","title":"Kettle of two"})");
  EXPECT_EQ(pins("GET"), rules);
  EXPECT_THAT(AskShop(port_, key_, "default", "POST", "/v1/search", R"({"query":"stove"})"),
              HasSubstr(R"("why":"pinned")"));
}

/// Value of a string member of a JSON text.
std::string MemberOf(const std::string& json, const std::string& name) {
  const std::string head = "\"" + name + "\":\"";
  const size_t begin = json.find(head);
  if (begin == std::string::npos) return {};
  return json.substr(begin + head.size(),
                     json.find('"', begin + head.size()) - begin - head.size());
}

TEST_F(ShopsOfAServiceTest, ARestartKeepsConversations) {
  Operate("tools", "create");
  for (const char* shop : {"default", "tools"}) {
    AskShop(
        port_, key_, shop, "POST", "/v1/catalog/import",
        "{\"id\":\"k1\",\"title\":\"Torvane Kettle K1\",\"attributes\":{\"capacity\":\"1.7 l\"}}\n"
        "{\"id\":\"k2\",\"title\":\"Torvane Kettle K2\",\"attributes\":{\"capacity\":\"0.9 "
        "l\"}}\n");
  }
  const auto ask = [this](const std::string& shop, const std::string& question,
                          const std::string& id) {
    return AskShop(
        port_, key_, shop, "POST", "/v1/assist",
        R"({"stream":false,"message":")" + question + R"(","conversation_id":")" + id + R"("})");
  };
  const std::string first = ask("tools", "Torvane kettles", "");
  const std::string id = MemberOf(first, "conversation_id");
  const std::string second = MemberOf(ask("tools", "tell me about the second one", id), "text");
  EXPECT_THAT(second, ::testing::AnyOf(HasSubstr("/p/k1"), HasSubstr("/p/k2")));
  app_.reset();
  SetUp();
  const std::string again = ask("tools", "tell me about the second one", id);
  EXPECT_EQ(MemberOf(again, "conversation_id"), id);
  EXPECT_EQ(MemberOf(again, "text"), second);
  EXPECT_NE(MemberOf(ask("default", "tell me about the second one", id), "conversation_id"), id)
      << "of another shop";
  const std::string metrics = Fetch(admin_, "GET", "/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("emptor_conversations_loaded_total 1"));
  EXPECT_THAT(metrics, HasSubstr("emptor_conversations 2"));
  // A backup and a rebuild leave them where they are.
  const std::string target = data_.path() + "/backups";
  EXPECT_THAT(Operate("tools", "backup?to=" + target), HasSubstr(R"("kind":"base")"));
  for (const auto& file : std::filesystem::recursive_directory_iterator(target)) {
    EXPECT_THAT(file.path().string(), ::testing::Not(HasSubstr("conversations")));
  }
  const std::string folder = data_.path() + "/shops/tools/conversations";
  EXPECT_TRUE(std::filesystem::exists(folder + "/SEAL"));
  Operate("tools", "rebuild", R"({"id":"k1","title":"Torvane Kettle K1"})");
  EXPECT_EQ(MemberOf(ask("tools", "tell me more", id), "conversation_id"), id);
  // A shop that is deleted takes them along, when its last request has ended.
  Operate("tools", "delete");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::filesystem::exists(folder) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

/// A client of /v1/chat/completions that keeps its messages.
class ChatClient {
 public:
  ChatClient(int port, std::string key) : port_(port), key_(std::move(key)) {}
  /// The text of the answer; the reply stays in `reply`.
  std::string Say(const std::string& question) {
    Add("user", question);
    reply = AskShop(port_, key_, "default", "POST", "/v1/chat/completions",
                    R"({"model":"emptor-assistant",)" + more + R"("messages":[)" + messages + "]}");
    const std::string text = MemberOf(reply, "content");
    Add("assistant", text);
    return text;
  }
  void Add(const std::string& role, const std::string& text) {
    if (!messages.empty()) messages += ",";
    messages += R"({"role":")" + role + R"(","content":")" + text + R"("})";
  }
  std::string messages, reply;
  std::string more;  // members in front, each with a comma

 private:
  const int port_;
  const std::string key_;
};

TEST_F(ShopsOfAServiceTest, ChatMessagesAreAConversation) {
  AskShop(port_, key_, "default", "POST", "/v1/catalog/import",
          "{\"id\":\"k1\",\"title\":\"Torvane Kettle K1\",\"price\":{\"amount\":4900,"
          "\"currency\":\"USD\"}}\n{\"id\":\"k2\",\"title\":\"Torvane Kettle K2\",\"price\":"
          "{\"amount\":5900,\"currency\":\"USD\"}}\n");
  const std::vector<std::string> questions = {"Torvane kettles", "tell me about the second one",
                                              "how much is it?"};
  std::vector<std::string> expected;
  std::string id;
  for (const std::string& question : questions) {
    const std::string reply = AskShop(
        port_, key_, "default", "POST", "/v1/assist",
        R"({"stream":false,"message":")" + question + R"(","conversation_id":")" + id + R"("})");
    id = MemberOf(reply, "conversation_id");
    std::string text = MemberOf(reply, "text");
    for (size_t at = 0; (at = text.find("(/p/", at)) != std::string::npos;) {
      text.replace(at, 4, "(http://localhost/p/");  // links of chats are absolute
    }
    expected.push_back(text);
  }
  ASSERT_THAT(expected[2], HasSubstr("$"));
  ChatClient client(port_, key_);
  client.Add("system", "You are a poet.");
  for (size_t i = 0; i < questions.size(); ++i) EXPECT_EQ(client.Say(questions[i]), expected[i]);
  EXPECT_THAT(client.reply, ::testing::Not(HasSubstr("conversation_id")));
  // After a restart nothing is known: the messages alone make the state.
  app_.reset();
  SetUp();
  ChatClient restarted(port_, key_);
  for (size_t i = 0; i + 1 < questions.size(); ++i) {
    restarted.Add("user", questions[i]);
    restarted.Add("assistant", i == 0 ? "It costs $1." : "");
  }
  EXPECT_EQ(restarted.Say(questions[2]), expected[2]);
  // A client that names a conversation gets its id, and need not send messages again.
  ChatClient named(port_, key_);
  named.more = R"("conversation_id":"",)";
  named.Say(questions[0]);
  ChatClient follower(port_, key_);
  follower.more = R"("conversation_id":")" + MemberOf(named.reply, "conversation_id") + R"(",)";
  EXPECT_EQ(follower.Say(questions[1]), expected[1]);
}

TEST_F(ShopsOfAServiceTest, LongAndOddChatsAreAnswered) {
  Import("default", "Torvane Kettle");
  ChatClient client(port_, key_);
  for (int i = 0; i < 250; ++i) {
    client.Add("user", i % 3 == 0 ? " " : "Torvane Kettle " + std::to_string(i));
    client.Add(i % 5 == 0 ? "developer" : "assistant", std::string(i % 7 == 0 ? 5000 : 10, 'x'));
  }
  client.Add("user", std::string(5000, 'y'));  // more than the assistant takes
  EXPECT_THAT(client.Say("Torvane Kettle"), HasSubstr("/p/k1"));
  for (const char* role : {"tool", "function", "", "User"}) {
    ChatClient odd(port_, key_);
    odd.Add(role, "x");
    odd.Say("Torvane Kettle");
    EXPECT_THAT(odd.reply, HasSubstr("messages[0].role")) << role;
  }
  ChatClient silent(port_, key_);
  silent.Add("assistant", "Hello, I am first.");
  EXPECT_THAT(silent.Say("Torvane Kettle"), HasSubstr("/p/k1"));
}

TEST_F(ShopsOfAServiceTest, IsSavedWhileItServes) {
  Import("default", "Kettle of one");
  EXPECT_THAT(Operate("default", "backup"), HasSubstr("expected a directory"));
  EXPECT_THAT(Operate("default", "backup?to=/tmp/elsewhere"), HasSubstr("backup_roots"));
  EXPECT_THAT(Operate("default", "backup?to=s3://bucket/x"), HasSubstr("backup_buckets"));
  const std::string backup = "backup?to=" + data_.path() + "/backups/daily";
  EXPECT_THAT(Operate("default", backup), HasSubstr(R"("kind":"base")"));
  EXPECT_THAT(Operate("default", backup), HasSubstr(R"("written":)"));
  Import("default", "Kettle of two");
  EXPECT_THAT(Operate("default", backup), HasSubstr(R"("kind":"changes")"));
}

}  // namespace
}  // namespace emptor::services
