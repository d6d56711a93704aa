// Backups of a store that goes on writing, and the way back to any moment of them.
#include "catalog/backup/backup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

RecordStoreOptions StoreOptions() {
  RecordStoreOptions options;
  options.identity = {.application = "test", .content_version = 1};
  options.create_if_missing = true;
  return options;
}

class BackupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = RecordStore::Open(Path("store"), StoreOptions());
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  void Put(const std::string& key, const std::string& value) {
    RecordBatch batch;
    batch.Put(key, value);
    ASSERT_TRUE(store_->Write(batch).ok());
  }
  /// `count` records in one batch.
  void PutMany(int count, size_t bytes) {
    RecordBatch batch;
    for (int i = 0; i < count; ++i) {
      batch.Put("k" + std::to_string(i), std::string(bytes, static_cast<char>('a' + i % 26)));
    }
    ASSERT_TRUE(store_->Write(batch).ok());
  }
  void Delete(const std::string& key) {
    RecordBatch batch;
    batch.Delete(key);
    ASSERT_TRUE(store_->Write(batch).ok());
  }
  BackupReport Backup(bool full = false, int keep_bases = 0) {
    BackupOptions options;
    options.identity = StoreOptions().identity;
    options.staging_directory = Path("staging");
    options.full = full;
    options.keep_bases = keep_bases;
    auto report = RunBackup(*store_, target_, options);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : BackupReport();
  }
  absl::StatusOr<RestoreReport> RestoreTo(const std::string& name,
                                          std::optional<int64_t> until_ms = {}) {
    RestoreOptions options;
    options.directory = Path(name);
    options.staging_directory = Path("staging");
    options.store = StoreOptions();
    options.until_ms = until_ms;
    return Restore(target_, options);
  }
  std::map<std::string, std::string> Content(const RecordStore& store) {
    std::map<std::string, std::string> content;
    EXPECT_TRUE(store
                    .Scan("",
                          [&](std::string_view key, std::string_view value) {
                            content.emplace(key, value);
                            return true;
                          })
                    .ok());
    return content;
  }
  std::map<std::string, std::string> ContentOf(const std::string& name) {
    auto store = RecordStore::Open(Path(name), StoreOptions());
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? Content(**store) : std::map<std::string, std::string>();
  }
  std::vector<BackupEntry> List() { return *ListBackups(target_, Path("staging")); }

  const emptor::testing::TemporaryDirectory folder_;
  DirectoryTarget target_{folder_.path() + "/target"};
  std::unique_ptr<RecordStore> store_;
};

TEST_F(BackupTest, AFullBackupIsRestoredWithTheSealedDigest) {
  PutMany(3000, 200);
  const BackupReport report = Backup();
  ASSERT_TRUE(report.written);
  EXPECT_EQ(report.written->kind, BackupKind::kBase);
  EXPECT_EQ(report.written->entries, 3000u);
  EXPECT_LT(report.written->bytes, 300'000u);
  const auto restored = RestoreTo("restored");
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_TRUE(restored->is_sealed);
  EXPECT_EQ(restored->seal.digest, store_->seal().digest);
  EXPECT_EQ(ContentOf("restored"), Content(*store_));
  EXPECT_TRUE(VerifyBackups(target_, Path("staging")).ok());
  EXPECT_TRUE(fs::is_empty(Path("staging")));
}

TEST_F(BackupTest, WhatChangesFollowsTheBase) {
  Put("a", "1");
  Put("b", "1");
  Backup();
  EXPECT_FALSE(Backup().written) << "nothing has changed";
  Put("a", "2");
  Delete("b");
  Put("c", "3");
  const BackupReport second = Backup();
  ASSERT_TRUE(second.written);
  EXPECT_EQ(second.written->kind, BackupKind::kChanges);
  EXPECT_EQ(second.written->entries, 3u);
  Put("d", "4");
  Backup();
  ASSERT_EQ(List().size(), 3u);
  const auto restored = RestoreTo("restored");
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_TRUE(restored->is_sealed);
  EXPECT_EQ(ContentOf("restored"), Content(*store_));
}

TEST_F(BackupTest, ContinuesWithChangesAfterTheStoreWasReopened) {
  Put("a", "1");
  Backup();
  store_.reset();
  store_ = *RecordStore::Open(Path("store"), StoreOptions());
  Put("a", "2");
  EXPECT_EQ(Backup().written->kind, BackupKind::kChanges);
  ASSERT_TRUE(RestoreTo("restored").ok());
  EXPECT_EQ(ContentOf("restored"), Content(*store_));
}

TEST_F(BackupTest, RestoresTheStateOfAnyTime) {
  Put("a", "1");
  Backup();
  std::vector<std::pair<int64_t, std::map<std::string, std::string>>> moments;
  for (int i = 0; i < 5; ++i) {
    const std::string number = std::to_string(i);
    Put("a", number);
    Put("only" + number, number);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    moments.emplace_back(std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
                         Content(*store_));
    while (std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
               .count() <= moments.back().first) {
      std::this_thread::yield();  // the next batch is of another millisecond
    }
    if (i % 2 == 1) Backup();
  }
  Backup();
  for (size_t i = 0; i < moments.size(); ++i) {
    const std::string name = "at" + std::to_string(i);
    const auto restored = RestoreTo(name, moments[i].first);
    ASSERT_TRUE(restored.ok()) << restored.status();
    EXPECT_LE(restored->time_ms, moments[i].first);
    EXPECT_EQ(ContentOf(name), moments[i].second) << i;
  }
  EXPECT_EQ(RestoreTo("before", 1000).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(BackupTest, AStoreOfAnotherLineageBeginsWithABase) {
  Put("a", "1");
  Backup();
  Put("a", "2");
  Backup();
  store_.reset();
  ASSERT_TRUE(RestoreTo("restored").ok());
  store_ = *RecordStore::Open(Path("restored"), StoreOptions());
  for (int i = 0; i < 5; ++i) Put("a", "x" + std::to_string(i));
  EXPECT_EQ(Backup().written->kind, BackupKind::kBase);
}

TEST_F(BackupTest, ALogThatGrewTooLongMakesWayForABase) {
  store_.reset();
  RecordStoreOptions options = StoreOptions();
  options.max_change_log_bytes = 1000;
  store_ = *RecordStore::Open(Path("store"), options);
  Put("a", "1");
  Backup();
  Put("a", std::string(500, 'b'));
  Put("b", std::string(800, 'c'));
  Put("c", "d");
  EXPECT_EQ(Backup().written->kind, BackupKind::kBase);
  ASSERT_TRUE(RestoreTo("restored").ok());
  EXPECT_EQ(ContentOf("restored"), Content(*store_));
}

TEST_F(BackupTest, OldBasesGoWithWhatFollowsThem) {
  Put("a", "1");
  Backup();
  Put("a", "2");
  Backup();
  Put("a", "3");
  const BackupReport report = Backup(/*full=*/true, /*keep_bases=*/1);
  EXPECT_EQ(report.removed, 2);
  ASSERT_EQ(List().size(), 1u);
  size_t files = 0;
  for ([[maybe_unused]] const auto& file : fs::directory_iterator(Path("target"))) ++files;
  EXPECT_EQ(files, 2u);  // the base and the list
  ASSERT_TRUE(RestoreTo("restored").ok());
}

TEST_F(BackupTest, RefusesToWriteOverAStore) {
  Put("a", "1");
  Backup();
  const auto over = RestoreTo("store");
  EXPECT_EQ(over.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(over.status().message()), HasSubstr("already exists"));
  DirectoryTarget empty(Path("nowhere"));
  RestoreOptions options{Path("r"), Path("staging"), StoreOptions(), {}};
  EXPECT_EQ(Restore(empty, options).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(VerifyBackups(empty, Path("staging")).code(), absl::StatusCode::kNotFound);
}

TEST_F(BackupTest, BacksUpWhileTheStoreWrites) {
  PutMany(500, 1);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) Put("k" + std::to_string(i % 700), std::to_string(i));
  });
  for (int i = 0; i < 6; ++i) Backup(/*full=*/i % 3 == 0);
  stop = true;
  writer.join();
  Backup();
  const auto restored = RestoreTo("restored");
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_TRUE(restored->is_sealed);
  EXPECT_EQ(restored->seal.digest, store_->seal().digest);
}

/// Each damage to each file of a target is found; none gives a wrong store.
TEST_F(BackupTest, DamageIsFoundAndNothingWrongIsRestored) {
  PutMany(200, 50);
  Backup();
  for (int i = 0; i < 20; ++i) Put("k" + std::to_string(i * 7), "new");
  Backup();
  const auto right = Content(*store_);
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(Path("target"))) names.push_back(file.path());
  std::sort(names.begin(), names.end());
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::string& name = names[static_cast<size_t>(round) % names.size()];
    std::ifstream in(name, std::ios::binary);
    const std::string whole(std::istreambuf_iterator<char>(in), {});
    std::string bytes = whole;
    const size_t at = random() % bytes.size();
    if (round % 4 == 3) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    }
    std::ofstream(name, std::ios::binary) << bytes;
    const std::string to = "damaged" + std::to_string(round);
    if (const auto restored = RestoreTo(to); restored.ok()) {
      EXPECT_EQ(ContentOf(to), right) << name << " at " << at;
    } else {
      EXPECT_FALSE(fs::exists(Path(to)));
      EXPECT_FALSE(fs::exists(Path(to) + ".restoring"));
    }
    std::ofstream(name, std::ios::binary) << whole;
  }
  EXPECT_TRUE(VerifyBackups(target_, Path("staging")).ok());
}

TEST_F(BackupTest, ReportsWhichFileIsDamagedOrMissing) {
  Put("a", "1");
  Backup();
  const std::string name = List().front().name;
  fs::resize_file(Path("target/" + name), 40);
  EXPECT_THAT(std::string(VerifyBackups(target_, Path("staging")).message()), HasSubstr(name));
  fs::remove(Path("target/" + name));
  EXPECT_THAT(std::string(VerifyBackups(target_, Path("staging")).message()), HasSubstr(name));
}

}  // namespace
}  // namespace emptor::catalog
