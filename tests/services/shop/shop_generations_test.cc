// Which generation is served, before, between and after.
#include "services/shop/shop_generations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class ShopGenerationsTest : public ::testing::Test {
 protected:
  ShopGenerations Open() {
    auto opened = ShopGenerations::Open(folder_.path(), /*create=*/true);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }
  const emptor::testing::TemporaryDirectory folder_;
  const std::function<bool(const std::string&)> no_ = [](const std::string&) { return false; };
};

TEST_F(ShopGenerationsTest, BeginsWithOneAndAdvancesToTheNext) {
  ShopGenerations generations = Open();
  EXPECT_EQ(generations.current(), "gen-000001");
  EXPECT_EQ(generations.previous(), std::nullopt);
  EXPECT_EQ(*generations.Begin(), "gen-000002");
  EXPECT_EQ(Open().current(), "gen-000001");
  ASSERT_TRUE(generations.Activate("gen-000002").ok());
  EXPECT_EQ(Open().current(), "gen-000002");
  EXPECT_EQ(generations.previous(), "gen-000001");
}

TEST_F(ShopGenerationsTest, KeepsOneToGoBackTo) {
  ShopGenerations generations = Open();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(generations.Activate(*generations.Begin()).ok());
  ASSERT_TRUE(generations.RemoveOld(no_).ok());
  EXPECT_THAT(generations.All(), ElementsAre("gen-000003", "gen-000004"));
  ASSERT_TRUE(generations.Activate("gen-000003").ok());
  EXPECT_EQ(generations.previous(), std::nullopt);
  EXPECT_EQ(*generations.Begin(), "gen-000005") << "no name is given twice";
  EXPECT_THAT(generations.All(), ElementsAre("gen-000003", "gen-000005"));
}

TEST_F(ShopGenerationsTest, WhatIsInUseStays) {
  ShopGenerations generations = Open();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(generations.Activate(*generations.Begin()).ok());
  ASSERT_TRUE(generations.RemoveOld([](const auto& name) { return name == "gen-000001"; }).ok());
  EXPECT_THAT(generations.All(), ElementsAre("gen-000001", "gen-000003", "gen-000004"));
}

TEST_F(ShopGenerationsTest, TakesADirectoryOfBeforeThereWereGenerations) {
  fs::create_directories(folder_.path() + "/catalog");
  ShopGenerations generations = Open();
  EXPECT_EQ(generations.current(), ".");
  EXPECT_EQ(generations.PathOf("."), folder_.path());
  ASSERT_TRUE(generations.Activate(*generations.Begin()).ok());
  EXPECT_EQ(generations.previous(), ".");
  ASSERT_TRUE(generations.Activate(*generations.Begin()).ok());
  ASSERT_TRUE(generations.RemoveOld(no_).ok());
  EXPECT_FALSE(fs::exists(folder_.path() + "/catalog"));
  EXPECT_THAT(generations.All(), ElementsAre("gen-000001", "gen-000002"));
}

TEST_F(ShopGenerationsTest, RefusesWhatNamesNothing) {
  EXPECT_EQ(ShopGenerations::Open(folder_.path(), false).status().code(),
            absl::StatusCode::kNotFound);
  for (const char* name : {"gen-000009", "../../etc", "gen-1x", "catalog"}) {
    std::ofstream(folder_.path() + "/CURRENT") << name << "\n";
    EXPECT_EQ(ShopGenerations::Open(folder_.path(), true).status().code(),
              absl::StatusCode::kDataLoss)
        << name;
  }
  fs::remove(folder_.path() + "/CURRENT");
  ShopGenerations generations = Open();
  EXPECT_EQ(generations.Activate("gen-000007").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(generations.Remove("gen-000001").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(generations.Remove("../x").code(), absl::StatusCode::kFailedPrecondition);
}

// A damaged or missing CURRENT never leads to the generation before, or to an empty one.
TEST_F(ShopGenerationsTest, NoDamageOfCurrentServesAnotherGeneration) {
  ShopGenerations generations = Open();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(generations.Activate(*generations.Begin()).ok());
  for (const std::string& name : generations.All()) {
    fs::create_directories(generations.PathOf(name) + "/catalog");
  }
  const std::string path = folder_.path() + "/CURRENT";
  std::string sound(fs::file_size(path), '\0');
  std::ifstream(path).read(sound.data(), static_cast<std::streamsize>(sound.size()));
  const auto expect_refused = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    const auto opened = ShopGenerations::Open(folder_.path(), /*create=*/true);
    const bool is_refused = absl::IsDataLoss(opened.status());
    EXPECT_TRUE(is_refused || (opened.ok() && opened->current() == "gen-000003")) << bytes;
    return is_refused;
  };
  for (size_t at = 0; at < sound.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = sound;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_TRUE(expect_refused(damaged)) << at;
    }
    EXPECT_TRUE(expect_refused(sound.substr(0, at))) << at;
  }
  std::ofstream(path, std::ios::trunc) << "gen-000002\n";  // as versions before the hash wrote it
  EXPECT_EQ(Open().current(), "gen-000002");
  fs::remove(path);
  EXPECT_TRUE(absl::IsDataLoss(ShopGenerations::Open(folder_.path(), true).status()));
}

}  // namespace
}  // namespace emptor::services
