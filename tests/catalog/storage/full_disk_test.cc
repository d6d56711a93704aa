// A disk that fills up and is given room again: reads go on, writes are refused, then taken again
// without a restart.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "catalog/storage/record_store.h"
#include "leveldb/helpers/memenv.h"
#include "tests/catalog/storage/fault_env.h"
#include "tests/support/child_process.h"
#include "tests/support/file_size_limit.h"

namespace emptor::catalog {
namespace {

using testing::FaultEnv;
using Code = absl::StatusCode;

// Appends, syncs, creations and renames.
constexpr unsigned kWriting = 15;
constexpr uint64_t kForEver = uint64_t{1} << 40;

RecordStoreOptions OptionsOn(leveldb::Env* env) {
  return {.identity = {.application = "test", .content_version = 1},
          .create_if_missing = true,
          .env = env,
          .write_buffer_bytes = 1u << 20,
          .block_cache_bytes = 0};
}

/// What a store ought to hold, and writes that keep it in step with the store.
struct Model {
  std::map<std::string, std::string> records;
  int next = 0;

  absl::Status Write(RecordStore& store) {
    const std::string key = "k" + std::to_string(next % 50);
    const std::string value = std::to_string(next) + std::string(3000, 'v');
    RecordBatch batch;
    batch.Put(key, value);
    batch.Put("twin" + key, value);
    absl::Status status = store.Write(batch);
    if (!status.ok()) return status;
    records[key] = records["twin" + key] = value;
    ++next;
    return status;
  }

  /// Every acknowledged record is there, unless the batch that failed has replaced it whole.
  void Check(const RecordStore& store) const {
    for (const auto& [key, value] : records) {
      const auto found = store.Get(key);
      ASSERT_TRUE(found.ok()) << found.status();
      ASSERT_TRUE(found->has_value()) << key;
      const std::string in_doubt = std::to_string(next) + std::string(3000, 'v');
      EXPECT_TRUE(**found == value || **found == in_doubt) << key;
    }
  }
};

class FullDiskTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<RecordStore>> Open() {
    return RecordStore::Open("/store", OptionsOn(&env_));
  }
  void FillUp(uint64_t after) {
    env_.FailFrom(after, kForEver, kWriting, "No space left on device");
  }

  std::unique_ptr<leveldb::Env> memory_{leveldb::NewMemEnv(leveldb::Env::Default())};
  FaultEnv env_{memory_.get()};
  Model model_;
};

TEST_F(FullDiskTest, ReadsContinueAndWritesResumeWhereverTheDiskFilledUp) {
  auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  for (uint64_t after = 1; after < 40; after += 1 + after / 8) {
    SCOPED_TRACE(::testing::Message() << "full after " << after << " operations");
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(model_.Write(**store).ok());
    FillUp(after);
    absl::Status refused;
    while (refused.ok()) refused = model_.Write(**store);
    EXPECT_EQ(refused.code(), Code::kResourceExhausted) << refused;
    EXPECT_EQ(model_.Write(**store).code(), Code::kFailedPrecondition);
    EXPECT_EQ((*store)->Resume().code(), Code::kResourceExhausted) << "there is no room yet";
    model_.Check(**store);
    env_.StopFailing();
    ASSERT_TRUE((*store)->Resume().ok()) << (*store)->health();
    EXPECT_TRUE((*store)->health().ok());
    model_.Check(**store);
    ASSERT_TRUE(model_.Write(**store).ok());
  }
  store->reset();
  store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  model_.Check(**store);
}

// The room that was there is gone again while the store is being opened.
TEST_F(FullDiskTest, RoomThatVanishesDuringResumeCostsNoAcknowledgedRecord) {
  auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  int resumed_late = 0;
  for (uint64_t step = 1; step < 45; step += 1 + step / 10) {
    SCOPED_TRACE(::testing::Message() << "step " << step);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(model_.Write(**store).ok());
    FillUp(1);
    ASSERT_FALSE(model_.Write(**store).ok());
    FillUp(step);
    const absl::Status first = (*store)->Resume();
    if (!first.ok()) {
      EXPECT_EQ(first.code(), Code::kResourceExhausted) << first;
      const auto read = (*store)->Get("k0");
      if (read.ok()) {
        model_.Check(**store);
      } else {
        EXPECT_EQ(read.status().code(), Code::kUnavailable) << read.status();
      }
      env_.StopFailing();
      ASSERT_TRUE((*store)->Resume().ok()) << (*store)->health();
      ++resumed_late;
    }
    env_.StopFailing();
    ASSERT_TRUE((*store)->Resume().ok()) << "a failure in the background shows later";
    model_.Check(**store);
  }
  EXPECT_GT(resumed_late, 5);
}

TEST_F(FullDiskTest, ResumeRefusesDuringAScanAndDoesNothingWithoutAnError) {
  auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  ASSERT_TRUE(model_.Write(**store).ok());
  EXPECT_TRUE((*store)->Resume().ok()) << "nothing is wrong, nothing happens";
  FillUp(1);
  ASSERT_FALSE(model_.Write(**store).ok());
  env_.StopFailing();
  const absl::Status scanned = (*store)->Scan("", [&](std::string_view, std::string_view) {
    EXPECT_EQ((*store)->Resume().code(), Code::kUnavailable) << "a scan holds the handle";
    return false;
  });
  EXPECT_TRUE(scanned.ok());
  EXPECT_TRUE((*store)->Resume().ok());
}

TEST_F(FullDiskTest, FilesReplacedBeforeResumeAreNotAcceptedAsTheStore) {
  auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  ASSERT_TRUE(model_.Write(**store).ok());
  FillUp(1);
  ASSERT_FALSE(model_.Write(**store).ok());
  env_.StopFailing();
  for (const std::string folder : {"/store", "/store/db"}) {
    std::vector<std::string> names;
    memory_->GetChildren(folder, &names);
    for (const std::string& name : names) memory_->RemoveFile(folder + "/" + name);
  }
  const absl::Status status = (*store)->Resume();
  EXPECT_EQ(status.code(), Code::kDataLoss) << status;
  EXPECT_FALSE((*store)->Get("k0").ok()) << "an error, not an empty store";
  EXPECT_EQ((*store)->health().code(), Code::kDataLoss);
}

TEST_F(FullDiskTest, OtherErrorsRequireReopeningTheStore) {
  auto store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  env_.FailFrom(1, 1u << 30, kWriting, "Input/output error");
  ASSERT_FALSE(model_.Write(**store).ok());
  env_.StopFailing();
  const absl::Status status = (*store)->Resume();
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_NE(std::string(status.message()).find("until it is reopened"), std::string::npos);
  EXPECT_NE(std::string(status.message()).find("Input/output error"), std::string::npos);
}

// The kernel's own refusal, in the middle of a record of the log.
TEST_F(FullDiskTest, RealFilesThatMayNotGrowGiveTheSame) {
  const testing::TemporaryDirectory directory;
  auto store = RecordStore::Open(directory.path(), OptionsOn(nullptr));
  ASSERT_TRUE(store.ok()) << store.status();
  testing::FileSizeLimit limit;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(limit.Set(100000 + 777 * static_cast<rlim_t>(round)));
    absl::Status refused;
    while (refused.ok()) refused = model_.Write(**store);
    EXPECT_EQ(refused.code(), Code::kResourceExhausted) << refused;
    model_.Check(**store);
    EXPECT_EQ((*store)->Resume().code(), Code::kResourceExhausted);
    model_.Check(**store);
    limit.Lift();
    ASSERT_TRUE((*store)->Resume().ok());
    EXPECT_FALSE(std::filesystem::exists(directory.path() + "/ROOM"));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(model_.Write(**store).ok());
    model_.Check(**store);
  }
  store->reset();
  store = RecordStore::Open(directory.path(), OptionsOn(nullptr));
  ASSERT_TRUE(store.ok()) << store.status();
  model_.Check(**store);
}

}  // namespace
}  // namespace emptor::catalog
