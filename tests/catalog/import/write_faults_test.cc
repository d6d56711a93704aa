// Failing writes and syncs by libfiu, in the C library below LevelDB and below us: nothing that was
// acknowledged is lost, the first error stops all writes, and reads go on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <random>

#include "tests/catalog/import/acknowledged_rows.h"
#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

using emptor::testing::ChildProcess;
using emptor::testing::TemporaryDirectory;
using testing::Acknowledged;
using namespace std::chrono_literals;

constexpr const char* kFiuRun = "/usr/bin/fiu-run";

/// What fails, how often (for each call), and with which errno.
struct Fault {
  const char* point;
  double probability;
  int error;
};
constexpr std::array<Fault, 8> kFaults = {{{"posix/io/rw/write", 0.002, EIO},
                                           {"posix/io/rw/write", 0.02, ENOSPC},
                                           {"posix/io/rw/*", 0.004, EIO},
                                           {"posix/io/sync/fdatasync", 0.01, EIO},
                                           {"posix/io/sync/*", 0.02, EIO},
                                           {"posix/io/sync/fsync", 0.3, ENOSPC},
                                           {"posix/io/dir/rename", 0.3, EIO},
                                           {"posix/io/oc/open", 0.02, EMFILE}}};

class WriteFaultsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access(kFiuRun, X_OK) != 0) GTEST_SKIP() << "fiu-run (package fiu-utils) is not there";
  }

  /// Imports up to 400 rows under the fault; holds what the child told against the store.
  void RunUnder(const Fault& fault) {
    char command[128];
    std::snprintf(command, sizeof(command), "enable_random name=%s,probability=%g,failinfo=%d",
                  fault.point, fault.probability, fault.error);
    SCOPED_TRACE(command);
    ChildProcess child(
        {kFiuRun, "-x", "-c", command, EMPTOR_INGEST_LOOP, store_, std::to_string(next_), "400"});
    const int exit = child.Wait(120000ms);
    (void)child.ReadUntil("the end of its output", 120000ms);
    const std::string& output = child.output();
    ASSERT_TRUE(exit == 0 || exit == 1) << exit << output;
    testing::ReadAcknowledged(output, acknowledged_, next_);
    if (output.find("stopped") != std::string::npos) {
      ++stopped_;
      EXPECT_NE(output.find("then refused"), std::string::npos) << output;
      // A read that opens a file fails where opening fails.
      const bool opens_fail = std::string(fault.point) == "posix/io/oc/open" ||
                              std::string(fault.point) == "posix/io/rw/*";
      EXPECT_TRUE(opens_fail || output.find("failed 0\n") != std::string::npos) << output;
    }
    refused_ += output.find("refused ") == 0;
    if (acknowledged_.empty()) return;  // not even made yet
    testing::CheckStore(store_, acknowledged_, next_);
    ASSERT_FALSE(HasFailure()) << output;
  }

  const TemporaryDirectory directory_;
  const std::string store_ = directory_.path() + "/catalog";
  Acknowledged acknowledged_;
  int64_t next_ = 0;
  int stopped_ = 0, refused_ = 0;
};

// 16 runs; 320 with EMPTOR_SOAK=20.
TEST_F(WriteFaultsTest, NothingAcknowledgedIsLostAndTheFirstErrorStopsWrites) {
  const char* soak = std::getenv("EMPTOR_SOAK");
  const int runs = 16 * (soak != nullptr ? std::max(1, std::atoi(soak)) : 1);
  ChildProcess first({EMPTOR_INGEST_LOOP, store_, "0", "200"});
  ASSERT_EQ(first.Wait(60000ms), 0) << first.output();
  testing::ReadAcknowledged(first.output(), acknowledged_, next_);
  ASSERT_EQ(acknowledged_.size(), 200u);
  for (int run = 0; run < runs && !HasFailure(); ++run) {
    SCOPED_TRACE(::testing::Message() << "run " << run);
    RunUnder(kFaults.at(static_cast<size_t>(run) % kFaults.size()));
  }
  EXPECT_GT(stopped_ + refused_, runs / 4) << "the faults must strike";
  std::printf("%d runs: %d stopped at an error, %d refused to open, %lld rows written\n", runs,
              stopped_, refused_, static_cast<long long>(next_));
}

}  // namespace
}  // namespace emptor::catalog
