// A kill at every step of a blue-green switch, while another thread writes: afterwards the shop is
// generation n or n+1, complete, with every write that was acknowledged since the build began.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop_directory.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using emptor::testing::ChildProcess;
using emptor::testing::TemporaryDirectory;
using namespace std::chrono_literals;

/// What the child printed before it ended.
struct ChildReport {
  std::map<std::string, int64_t> written;  // the newest price of each product
  bool is_served = false;
  bool is_killed = false;  // by SIGKILL
  long calls = 0;
};

ChildReport ReadReport(const std::string& output) {
  ChildReport report;
  // A last line without line feed was cut by the kill.
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string verb, name;
    int64_t number = 0;
    words >> verb >> name;
    if (verb == "written" && words >> number) report.written[name] = number;
    if (verb == "served") report.is_served = name == "OK";
    if (verb == "calls") report.calls = std::atol(name.c_str());
  }
  return report;
}

/// The generation that every product is of.
int CheckWhole(const std::string& directory, const ChildReport& report) {
  const retrieval::HashingEmbedder embedder(16);
  ShopDirectoryOptions options;
  options.data_directory = directory;
  ShopDirectory shops(options, embedder);
  const auto shop = shops.Find(kDefaultShop);
  EXPECT_TRUE(shop.ok()) << shop.status();
  if (!shop.ok()) return -1;
  EXPECT_EQ((*shop)->reader().info().products, 20u);
  int generation = -1;
  size_t cheap = 0;  // the search must know the prices that the store has
  constexpr int64_t kCheap = 6;
  for (int i = 0; i < 20; ++i) {
    const std::string id = fmt::format("p{}", i);
    const auto product = (*shop)->reader().FindProduct(id);
    if (!product.ok() || !product->has_value()) return -1;
    const std::string& title = (*product)->title;
    const int found = std::atoi(title.substr(title.rfind(' ') + 1).c_str());
    if (generation < 0) generation = found;
    EXPECT_EQ(found, generation) << "a mix: " << title;
    cheap += (*product)->price && (*product)->price->amount <= kCheap;
    const auto written = report.written.find(id);
    if (written == report.written.end()) continue;
    EXPECT_GE((*product)->price.value_or(catalog::Money()).amount, written->second) << id;
  }
  retrieval::SearchRequest request{.query = "kettle", .limit = 20};
  request.filter.max_price = kCheap;
  const auto found = (*shop)->reader().SearchProducts(request);
  EXPECT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(!found.ok() || found->hits.size() == cheap) << found->hits.size() << " of " << cheap;
  return generation;
}

int SoakFactor() {
  const char* soak = std::getenv("EMPTOR_SOAK");
  return soak != nullptr ? std::max(1, std::atoi(soak)) : 1;
}

/// One shop, a build after the other, each of them killed.
class FlipKillTest : public ::testing::Test {
 protected:
  ChildProcess Begin(const std::string& when) const {
    return ChildProcess(
        {EMPTOR_FLIP_CHILD, directory_.path(), std::to_string(generation_ + 1), when});
  }
  /// Waits for the child's end and checks the shop.
  ChildReport End(ChildProcess& child) {
    const int exit = child.Wait(120000ms);
    EXPECT_TRUE(exit == 0 || exit == 128 + SIGKILL) << exit;
    (void)child.ReadUntil("the end of its output", 120000ms);
    ChildReport report = ReadReport(child.output());
    report.is_killed = exit == 128 + SIGKILL;
    kills_ += report.is_killed;
    const int found = CheckWhole(directory_.path(), report);
    EXPECT_TRUE(found == generation_ + 1 || (found == generation_ && !report.is_served))
        << found << " after " << generation_ << "\n"
        << child.output();
    flips_ += found == generation_ + 1;
    writes_ += report.written.size();
    generation_ = found;
    return report;
  }

  const TemporaryDirectory directory_;
  int generation_ = 0, flips_ = 0, kills_ = 0;
  size_t writes_ = 0;
};

// 20 kills; each call of a build and more with EMPTOR_SOAK=20.
TEST_F(FlipKillTest, AKillAtAnyCallLeavesOneGenerationWithEveryWrite) {
  const int kills = 20 * SoakFactor();
  ChildProcess unkilled = Begin("0");
  const ChildReport whole = End(unkilled);
  ASSERT_FALSE(whole.is_killed);
  ASSERT_GT(whole.calls, 0);
  const long calls = whole.calls + 12;  // later builds remove old generations as well
  long stride = std::max<long>(1, calls / kills);
  while (std::gcd(stride, calls) != 1) ++stride;
  for (int kill = 0; kill < kills && !HasFailure(); ++kill) {
    const bool is_early = kill % 5 == 4;  // while what an earlier kill left is removed
    const long call = is_early ? -(1 + kill / 5 % 40) : 1 + kill * stride % calls;
    SCOPED_TRACE(::testing::Message() << "killed at call " << call << " of " << calls);
    ChildProcess child = Begin(std::to_string(call));
    const ChildReport report = End(child);
    EXPECT_TRUE(report.is_killed || (report.calls > 0 && report.calls < std::abs(call)))
        << "it has made " << report.calls << " calls and was not killed";
  }
  EXPECT_GE(kills_, kills / 2);
  std::printf("%d kills over %ld calls: %d flips, %zu writes held\n", kills_, calls, flips_,
              writes_);
  EXPECT_GT(writes_, 0u);
}

// 10 kills after writes drawn at random, at any point of any thread; 200 with EMPTOR_SOAK=20.
TEST_F(FlipKillTest, AKillAtAnyMomentLeavesOneGenerationWithEveryWrite) {
  const int kills = 10 * SoakFactor();
  std::mt19937 random(11);
  for (int kill = 0; kill < kills && !HasFailure(); ++kill) {
    const std::string write = "written p" + std::to_string(1 + random() % 14) + " ";
    SCOPED_TRACE(::testing::Message() << "kill " << kill << " after " << write);
    ChildProcess child = Begin("stay");
    EXPECT_TRUE(child.ReadUntil(write, 120000ms).has_value()) << child.output();
    child.Signal(SIGKILL);
    EXPECT_TRUE(End(child).is_killed);
  }
  EXPECT_EQ(kills_, kills);
  std::printf("%d kills: %d flips, %zu writes held\n", kills_, flips_, writes_);
  EXPECT_GT(writes_, 0u);
}

}  // namespace
}  // namespace emptor::services
