// kill -9 while importing: what was acknowledged is there, and every record is whole.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <random>

#include "tests/catalog/import/acknowledged_rows.h"
#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

using emptor::testing::ChildProcess;
using emptor::testing::TemporaryDirectory;
using testing::Acknowledged;
using testing::CheckStore;
using testing::ReadAcknowledged;
using namespace std::chrono_literals;

// 25 kills; the full 500 with EMPTOR_SOAK=20.
TEST(Kill9Test, NoAcknowledgedLineIsLostAndNoProductIsHalf) {
  const char* soak = std::getenv("EMPTOR_SOAK");
  const int kills = 25 * (soak != nullptr ? std::max(1, std::atoi(soak)) : 1);
  const TemporaryDirectory directory;
  const std::string store = directory.path() + "/catalog";
  std::mt19937_64 random(9);
  Acknowledged acknowledged;
  int64_t next = 0;
  for (int kill = 0; kill < kills; ++kill) {
    SCOPED_TRACE(::testing::Message() << "kill " << kill);
    ChildProcess child({EMPTOR_INGEST_LOOP, store, std::to_string(next)});
    // The moment of the kill is drawn by lines, not by time: it may fall into any step of a batch.
    const int64_t target = next + 1 + static_cast<int64_t>(random() % 300);
    const std::string marker = "acknowledged " + std::to_string(target) + " ";
    ASSERT_TRUE(child.ReadUntil(marker, 60000ms).has_value()) << child.output();
    child.Signal(SIGKILL);
    EXPECT_EQ(child.Wait(30000ms), 128 + SIGKILL);
    ReadAcknowledged(child.output(), acknowledged, next);
    CheckStore(store, acknowledged, next);
  }
  EXPECT_GT(next, kills);
}

}  // namespace
}  // namespace emptor::catalog
