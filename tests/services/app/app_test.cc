// The whole service in this process: what it tells of its settings, and its end.
#include "services/app/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "tests/services/support/test_models.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

using emptor::testing::Fetch;
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

/// Waits at the first event until it is told to go on; keeps a refusal.
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

TEST(ShopCoreTest, QuestionsThatWaitAtTheEndAreRefused) {
  const testing::ModelFolder folder;
  const emptor::testing::TemporaryDirectory data;
  Config config = SmallConfig(folder, data.path());
  config.workers = 1;
  auto core = ShopCore::Open(config, /*create_if_missing=*/true);
  ASSERT_TRUE(core.ok()) << core.status();
  AssistRequest request;
  request.message = "which kettle is quiet?";
  const auto running = std::make_shared<SlowListener>(), waiting = std::make_shared<SlowListener>();
  waiting->GoOn();
  (*core)->assistant().Ask(request, running);
  running->WaitForBegin();
  (*core)->assistant().Ask(request, waiting);
  std::thread end([&] { core->reset(); });
  // The models go meanwhile. Were it too short, the test would pass without telling anything.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  running->GoOn();
  end.join();
  EXPECT_EQ(waiting->refusal().code(), absl::StatusCode::kUnavailable);
}

TEST(AppTest, TellsHowManyGenerationsItTakes) {
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

}  // namespace
}  // namespace emptor::services
