// `emptor gateway serve` in front of three `emptor engine serve`: replicas that are killed, and
// that are restarted one after another, under load.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "catalog/encoding/json.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kQuestion =
    R"({"messages":[{"role":"user","content":"Say something about kettles, please."}],)"
    R"("temperature":0,"max_tokens":24)";

int NumberOf(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// The port behind `before` in the output of a process that is ready.
int PortIn(ChildProcess& process, const std::string& before) {
  const auto output = process.ReadUntil("ready\n", milliseconds(60000));
  if (!output) throw std::runtime_error(process.output());
  const size_t line = output->find(before);
  return std::stoi(output->substr(output->find(':', line + before.size() + 5) + 1));
}

/// `emptor engine serve` with the shipped model, which comes back on its port.
class Replica {
 public:
  Replica() { Begin(); }
  int port() const { return port_; }
  void Kill() {
    process_->Signal(SIGKILL);
    process_->Wait(milliseconds(60000));
  }
  int Stop() {
    process_->Signal(SIGTERM);
    return process_->Wait(milliseconds(60000));
  }
  void Begin() {
    process_ = std::make_unique<ChildProcess>(std::vector<std::string>{
        EmptorPath(), "engine", "serve", "--listen", "none", "--http",
        "127.0.0.1:" + std::to_string(port_), "--admin-listen", "127.0.0.1:0", "--embedder", "none",
        "--log-level", "off", "--data-dir", data_.path()});
    port_ = PortIn(*process_, "serving on ");
  }

 private:
  const TemporaryDirectory data_;
  int port_ = 0;
  std::unique_ptr<ChildProcess> process_;
};

class GatewayTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string file = "listen: 127.0.0.1:0\nadmin_listen: 127.0.0.1:0\nlog_level: 'off'\n";
    file += "data_dir: " + data_.path() + "\nhealth: {interval_ms: 50}\nreplicas:\n";
    for (size_t i = 0; i < 3; ++i) {
      file += "  - {name: r" + std::to_string(i) +
              ", url: 'http://127.0.0.1:" + std::to_string(replicas_[i].port()) + "'}\n";
    }
    std::ofstream(data_.path() + "/gateway.yaml") << file;
    gateway_ = std::make_unique<ChildProcess>(std::vector<std::string>{
        EmptorPath(), "gateway", "serve", "--config", data_.path() + "/gateway.yaml"});
    port_ = PortIn(*gateway_, "serving on ");
    WaitFor(3);
    want_ = AskStream(0).text;
    ASSERT_FALSE(want_.empty());
  }
  /// Until so many replicas serve the model.
  void WaitFor(int replicas) const {
    const std::string want = "\"replicas\":" + std::to_string(replicas);
    const auto end = steady_clock::now() + milliseconds(30000);
    while (Fetch(port_, "GET", "/v1/models").body.find(want) == std::string::npos) {
      ASSERT_LT(steady_clock::now(), end) << want;
      std::this_thread::sleep_for(milliseconds(5));
    }
  }

  struct Stream {
    int status = 0;
    std::string text;
    bool done = false, error = false;
  };
  Stream AskStream(int user) const {
    Stream stream;
    const std::string body =
        std::string(kQuestion) + ",\"stream\":true,\"user\":\"" + std::to_string(user) + "\"}";
    stream.status = Fetch(port_, "POST", "/v1/chat/completions", body, [&](const SseEvent& event) {
                      stream.done = stream.done || event.data == "[DONE]";
                      const auto json = catalog::ParseJson(event.data);
                      if (!json.ok()) return true;
                      stream.error = stream.error || json->Find("error") != nullptr;
                      const catalog::JsonValue* choices = json->Find("choices");
                      if (choices == nullptr || choices->as_array().empty()) return true;
                      const catalog::JsonValue* content =
                          choices->as_array()[0].Find("delta")->Find("content");
                      if (content != nullptr) stream.text += content->as_string();
                      return true;
                    }).status;
    return stream;
  }
  bool AskWhole(int user) const {
    const HttpReply reply =
        Fetch(port_, "POST", "/v1/chat/completions",
              std::string(kQuestion) + ",\"user\":\"" + std::to_string(user) + "\"}");
    const auto json = catalog::ParseJson(reply.body);
    const catalog::JsonValue* choices = json.ok() ? json->Find("choices") : nullptr;
    if (reply.status != 200 || choices == nullptr) {
      const std::lock_guard lock(mutex_);
      failed_.push_back(std::to_string(reply.status) + " " + reply.body);
      return false;
    }
    return choices->as_array()[0].Find("message")->Find("content")->as_string() == want_;
  }

  struct Counts {
    std::atomic<int> whole{0}, marked{0}, wrong{0}, plain{0}, plain_failed{0};
  };
  /// Clients that ask one question after another until `over`.
  std::vector<std::thread> Load(int clients, std::atomic<bool>& over, Counts& counts) {
    std::vector<std::thread> threads;
    for (int c = 0; c < clients; ++c) {
      threads.emplace_back([this, c, &over, &counts] {
        for (int i = c; !over; i += 100) {
          if (c % 2 == 0) {
            ++(AskWhole(i) ? counts.plain : counts.plain_failed);
            continue;
          }
          const Stream stream = AskStream(i);
          const bool is_whole = stream.done && !stream.error && stream.text == want_;
          const bool is_marked = stream.error && !stream.done && want_.rfind(stream.text, 0) == 0;
          if (!is_whole && !is_marked) {
            const std::lock_guard lock(mutex_);
            failed_.push_back("stream: " + std::to_string(stream.status) + " " + stream.text);
          }
          ++(is_whole ? counts.whole : is_marked ? counts.marked : counts.wrong);
        }
      });
    }
    return threads;
  }
  std::string Failed() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const std::string& each : failed_) text += each + "\n";
    return text;
  }

  const TemporaryDirectory data_;
  Replica replicas_[3];
  std::unique_ptr<ChildProcess> gateway_;
  int port_ = 0;
  std::string want_;
  mutable std::mutex mutex_;
  mutable std::vector<std::string> failed_;  // guarded by mutex_
};

TEST_F(GatewayTest, AKilledReplicaCostsNoAnswerThatHadNotBegunAndCutsNoneInSilence) {
  Counts counts;
  std::atomic<bool> over{false};
  auto clients = Load(4, over, counts);
  std::mt19937 random(11);  // NOLINT: the same moments each time
  const int kills = NumberOf("EMPTOR_KILLS", 8);
  for (int kill = 0; kill < kills; ++kill) {
    std::this_thread::sleep_for(milliseconds(random() % 100));
    Replica& victim = replicas_[random() % 3];
    victim.Kill();
    std::this_thread::sleep_for(milliseconds(50));
    victim.Begin();
    WaitFor(3);
  }
  over = true;
  for (std::thread& client : clients) client.join();
  std::printf(
      "%d kills: streams %d whole, %d ended by an error event, %d wrong; plain answers %d, "
      "failed %d\n",
      kills, counts.whole.load(), counts.marked.load(), counts.wrong.load(), counts.plain.load(),
      counts.plain_failed.load());
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_EQ(counts.plain_failed, 0) << Failed();
  EXPECT_GT(counts.plain, kills);
}

TEST_F(GatewayTest, ARollingRestartLosesNothing) {
  Counts counts;
  std::atomic<bool> over{false};
  auto clients = Load(4, over, counts);
  const int rounds = NumberOf("EMPTOR_ROUNDS", 2);
  for (int round = 0; round < rounds; ++round) {
    for (Replica& replica : replicas_) {
      EXPECT_EQ(replica.Stop(), 0);
      replica.Begin();
      WaitFor(3);
    }
  }
  over = true;
  for (std::thread& client : clients) client.join();
  std::printf(
      "%d rolling restarts: streams %d whole, %d ended by an error event, %d wrong; plain "
      "answers %d, failed %d\n",
      rounds, counts.whole.load(), counts.marked.load(), counts.wrong.load(), counts.plain.load(),
      counts.plain_failed.load());
  EXPECT_EQ(counts.marked, 0);
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_EQ(counts.plain_failed, 0) << Failed();
}

TEST_F(GatewayTest, ItStopsWhenItIsTold) {
  gateway_->Signal(SIGTERM);
  EXPECT_EQ(gateway_->Wait(milliseconds(30000)), 0) << gateway_->output();
}

}  // namespace
}  // namespace emptor::testing
