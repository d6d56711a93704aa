// Child of flip_kill_test: builds the next generation of a shop while a thread writes prices, and
// is killed at a given system call of the build: counted from the first row on, or, if the number
// is negative, from the start of the build. 0: it is not killed. "stay": it waits for a signal.
// Usage: services_flip_child DIRECTORY GENERATION CALL
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop_directory.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/kill_at_call.h"

namespace {

using namespace emptor::services;

constexpr int kProducts = 20;
constexpr int kMinWrites = 4;  // that fall into a build

int Run(const std::string& directory, const std::string& generation, const std::string& when) {
  const long call = std::atol(when.c_str());
  const emptor::retrieval::HashingEmbedder embedder(16);
  ShopDirectoryOptions options;
  options.data_directory = directory;
  options.shop.create_if_missing = true;
  ShopDirectory shops(options, embedder);
  std::atomic<int> written{0};
  std::atomic<bool> stop{false};
  std::jthread writer;
  const auto write = [&] {
    for (int n = 1; !stop; ++n) {
      const auto shop = shops.Find(kDefaultShop);
      const std::string id = fmt::format("p{}", n % kProducts);
      const absl::Status status = shop.ok() ? testing::SetPrice(**shop, id, n) : shop.status();
      if (!status.ok()) continue;  // the generation changed, or the product is not there yet
      std::printf("written %s %d\n", id.c_str(), n);
      ++written;
    }
  };
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (const auto shop = shops.Find(kDefaultShop);
      !shop.ok() || (*shop)->reader().info().products == 0) {
    if (!shop.ok() || !testing::FillShop(**shop, kProducts, "0").ok()) return 1;
  }
  if (call < 0) emptor::testing::KillAtCall(-call);
  const absl::Status status = shops.Rebuild(kDefaultShop, {}, [&](Shop& next) {
    if (call >= 0) emptor::testing::KillAtCall(call);
    writer = std::jthread(write);
    absl::Status filled = testing::FillShop(next, kProducts, generation);
    while (written < kMinWrites) std::this_thread::yield();
    return filled;
  });
  std::printf("served %s\ncalls %ld\n", status.ToString().c_str(), emptor::testing::CountedCalls());
  while (when == "stay") pause();
  stop = true;
  writer.join();
  return status.ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return argc == 4 ? Run(argv[1], argv[2], argv[3]) : 2; }
