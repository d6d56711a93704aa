// kill -9 while importing: what was acknowledged is there, and every record is whole.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include "catalog/product_store.h"
#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

using testing::ChildProcess;
using testing::TemporaryDirectory;
using namespace std::chrono_literals;

// The newest number that was acknowledged for each product.
using Acknowledged = std::map<std::string, int64_t>;

void ReadAcknowledged(const std::string& output, Acknowledged& acknowledged, int64_t& next) {
  // A last line without line feed was cut by the kill.
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  std::string word, status;
  int64_t number = 0;
  while (lines >> word >> number >> status) {
    ASSERT_EQ(word, "acknowledged");
    ASSERT_NE(status, "error");
    acknowledged["p" + std::to_string(number % 200)] = number;
    next = std::max(next, number + 1);
  }
}

void CheckStore(const std::string& directory, const Acknowledged& acknowledged, int64_t& next) {
  const auto store = ProductStore::Open(directory, {});
  ASSERT_TRUE(store.ok()) << store.status();
  for (const auto& [id, number] : acknowledged) {
    const auto product = (*store)->Find(id);
    ASSERT_TRUE(product.ok() && product->has_value()) << id;
    EXPECT_GE((*product)->price->amount, number) << id;
  }
  const absl::Status scanned =
      (*store)->ScanProducts([&](const Product& product, std::string_view index_entry) {
        const int64_t number = product.price->amount;
        EXPECT_EQ(product.title, "Version " + std::to_string(number));
        EXPECT_EQ(product.attributes.at(0).value, std::to_string(number));
        EXPECT_EQ(product.description.size(), static_cast<size_t>(number % 700));
        EXPECT_EQ(index_entry, product.title);
        next = std::max(next, number + 1);
        return true;
      });
  EXPECT_TRUE(scanned.ok()) << scanned;
}

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
