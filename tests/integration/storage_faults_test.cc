// A running service whose disk is full, or whose syncs fail: reads go on, writes are refused with
// the reason, and nothing that was acknowledged is lost.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

constexpr int kProducts = 200;
constexpr int kMaxWrites = 5000;  // until a disk is full

class StorageFaultsTest : public ::testing::Test {
 protected:
  void TearDown() override {
    service_.reset();
    EXPECT_TRUE(mounted_.empty() || ::umount2(mounted_.c_str(), MNT_DETACH) == 0);
  }
  void Begin(const std::string& data_directory, const std::vector<std::string>& launcher = {}) {
    data_directory_ = data_directory;
    const std::string feed = directory_.path() + "/feed.jsonl";
    {
      std::ofstream file(feed);
      for (int i = 0; i < kProducts; ++i) {
        file << R"({"id":"p)" << i << R"(","title":"Kettle number )" << i << "\"}\n";
      }
    }
    std::string output;
    ASSERT_EQ(RunEmptor({"ingest", feed, "--data-dir", data_directory_}, &output), 0) << output;
    service_ =
        std::make_unique<ServiceProcess>(data_directory_, std::vector<std::string>(), launcher);
  }

  /// A new price; remembered when it is acknowledged.
  HttpReply Write() {
    const std::string price = std::to_string(++amount_);
    HttpReply reply = service_->Change("PATCH", "/v1/catalog/products/p7",
                                       R"({"price":{"amount":)" + price + R"(,"currency":"USD"}})");
    if (reply.status == 200) acknowledged_ = amount_;
    return reply;
  }
  void ExpectReadsGoOn() {
    const int port = service_->port();
    for (int i = 0; i < kProducts; ++i) {
      EXPECT_EQ(Fetch(port, "GET", "/v1/products/p" + std::to_string(i)).status, 200) << i;
    }
    const HttpReply found = Fetch(port, "POST", "/v1/search", R"({"query":"kettle number 9"})");
    EXPECT_EQ(found.status, 200);
    EXPECT_THAT(found.body, HasSubstr(R"("id":"p9")"));
  }
  int64_t PriceThatIsShown() const {
    const auto product = service_->GetJson("/v1/products/p7");
    const auto* price = product.Find("price");
    return price == nullptr ? -1 : price->Find("amount")->as_int();
  }
  void ExpectNothingLostAfterAKill() {
    service_.reset();
    service_ = std::make_unique<ServiceProcess>(data_directory_);
    EXPECT_GE(PriceThatIsShown(), acknowledged_);
    EXPECT_EQ(service_->Metric("emptor_catalog_products"), kProducts);
    EXPECT_EQ(Write().status, 200);
  }

  /// Fills the disk, makes room, and looks at everything on the way.
  void FillAndResume(const std::function<void()>& fill, const std::function<void()>& make_room) {
    ASSERT_EQ(Write().status, 200);
    fill();
    HttpReply refused = Write();
    for (int i = 0; i < kMaxWrites && refused.status == 200; ++i) refused = Write();
    EXPECT_EQ(refused.status, 507) << refused.body;
    EXPECT_THAT(refused.body, HasSubstr("storage_full"));
    ExpectReadsGoOn();
    EXPECT_EQ(PriceThatIsShown(), acknowledged_);
    EXPECT_EQ(Write().status, 507) << "still full";
    make_room();
    const auto begin = std::chrono::steady_clock::now();
    const HttpReply taken = Write();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(taken.status, 200) << taken.body;
    EXPECT_EQ(PriceThatIsShown(), acknowledged_);
    std::printf("writes are taken again after %.2f s, without a restart\n", seconds.count());
    ExpectReadsGoOn();
    ExpectNothingLostAfterAKill();
  }

  const TemporaryDirectory directory_;
  std::string data_directory_, mounted_;
  std::unique_ptr<ServiceProcess> service_;
  int64_t amount_ = 0, acknowledged_ = -1;
};

// The limit holds for this one process and for files only; it can be set while the process runs.
TEST_F(StorageFaultsTest, NoFileMayGrowAndThenItMay) {
  Begin(directory_.path() + "/shop");
  const auto limit = [&](rlim_t bytes) {
    rlimit now{};
    const pid_t pid = service_->process().pid();
    ASSERT_EQ(::prlimit(pid, RLIMIT_FSIZE, nullptr, &now), 0);
    now.rlim_cur = bytes;
    ASSERT_EQ(::prlimit(pid, RLIMIT_FSIZE, &now, nullptr), 0);
  };
  FillAndResume([&] { limit(1); }, [&] { limit(RLIM_INFINITY); });
}

TEST_F(StorageFaultsTest, ASmallDiskIsFullAndThenHasRoom) {
  const std::string disk = directory_.path() + "/disk";
  ASSERT_EQ(::mkdir(disk.c_str(), 0700), 0);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=16m") != 0) {
    GTEST_SKIP() << "no file system may be mounted here: " << std::strerror(errno);
  }
  mounted_ = disk;
  const std::string ballast = disk + "/ballast";
  Begin(disk + "/shop");
  FillAndResume(
      [&] {
        const int file = ::open(ballast.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        const std::string block(4096, 'b');
        while (::write(file, block.data(), block.size()) > 0) {
        }
        ::close(file);
      },
      [&] { ::unlink(ballast.c_str()); });
}

TEST_F(StorageFaultsTest, AFailedSyncMakesTheShopReadOnlyUntilItIsReopened) {
  if (::access("/usr/bin/fiu-run", X_OK) != 0) {
    GTEST_SKIP() << "fiu-run (package fiu-utils) is not there";
  }
  const std::string control = directory_.path() + "/fiu";
  Begin(directory_.path() + "/shop", {"/usr/bin/fiu-run", "-x", "-f", control});
  const auto tell = [&](const std::string& command) {
    ChildProcess child({"/usr/bin/fiu-ctrl", "-f", control, "-c", command,
                        std::to_string(service_->process().pid())});
    EXPECT_EQ(child.Wait(std::chrono::milliseconds(60000)), 0) << child.output();
  };
  ASSERT_EQ(Write().status, 200);
  tell("enable name=posix/io/sync/fdatasync,failinfo=5");
  for (int i = 0; i < 3; ++i) {
    const HttpReply refused = Write();
    EXPECT_EQ(refused.status, 503) << refused.body;
    EXPECT_THAT(refused.body, HasSubstr("read_only"));
  }
  ExpectReadsGoOn();
  tell("disable name=posix/io/sync/fdatasync");
  EXPECT_EQ(Write().status, 503) << "what the disk did with the data nobody knows";
  ExpectReadsGoOn();
  EXPECT_EQ(PriceThatIsShown(), acknowledged_);
  ExpectNothingLostAfterAKill();
}

}  // namespace
}  // namespace emptor::testing
