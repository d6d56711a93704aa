// Damage to every kind of file: the store refuses and says why, or answers exactly as before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>

#include "catalog/storage/record_store.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

namespace fs = std::filesystem;

using Content = std::map<std::string, std::string>;
using Files = std::map<std::string, std::string>;  // path below the store to bytes

enum class Damage { kFlip, kZero, kCut, kDelete };

const std::string kStore = "/store";

// A store whose files lie in memory, so that hundreds of damaged copies are cheap.
class RecordStoreDamageTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    good_.clear();
    const std::unique_ptr<leveldb::Env> env(leveldb::NewMemEnv(leveldb::Env::Default()));
    content_ = BuildGoodStore(env.get(), kStore);
    for (const std::string& folder : {std::string(), std::string("/db")}) {
      std::vector<std::string> names;
      env->GetChildren(kStore + folder, &names);
      for (const std::string& name : names) {
        if (name.starts_with("LO") || name.find('/') != std::string::npos) continue;  // LOCK, LOG
        const std::string path = folder + "/" + name;
        ASSERT_TRUE(leveldb::ReadFileToString(env.get(), kStore + path, &good_[path]).ok());
      }
    }
    ASSERT_EQ(good_.size(), 6u);  // SEAL, CURRENT, MANIFEST, a log, two tables
  }

  static absl::StatusOr<std::unique_ptr<RecordStore>> Open(leveldb::Env* env,
                                                           const std::string& directory) {
    return RecordStore::Open(directory, {.identity = {.application = "test", .content_version = 1},
                                         .create_if_missing = true,
                                         .env = env,
                                         .write_buffer_bytes = 64u << 10,
                                         .block_cache_bytes = 0});
  }

  // Two tables, overwritten and deleted records, and a last part that is only in the log. Each part
  // fits the write buffer and becomes a table when the store is opened again: LevelDB then has
  // nothing to do in the background, and the same files lie there in every run. (A store closed in
  // the middle of background work leaves files of which damage is rightly not noticed.)
  static Content BuildGoodStore(leveldb::Env* env, const std::string& directory) {
    Content content;
    std::mt19937_64 random(1);
    for (int part = 0; part < 3; ++part) {
      auto store = Open(env, directory);
      EXPECT_TRUE(store.ok()) << store.status();
      for (int round = 0; round < 8 && store.ok(); ++round) {
        EXPECT_TRUE((*store)->Write(RandomBatch(random, content)).ok());
      }
    }
    return content;
  }

  static RecordBatch RandomBatch(std::mt19937_64& random, Content& content) {
    RecordBatch batch;
    for (int i = 0; i < 10; ++i) {
      const std::string key = "k" + std::to_string(random() % 120);
      std::string value(1 + random() % 1000, ' ');
      for (char& c : value) c = static_cast<char>(random());
      content[key] = value;
      batch.Put(key, value);
    }
    const std::string gone = "k" + std::to_string(random() % 120);
    content.erase(gone);
    batch.Delete(gone);
    return batch;
  }

  static std::unique_ptr<leveldb::Env> MakeDisk(const Files& files) {
    std::unique_ptr<leveldb::Env> env(leveldb::NewMemEnv(leveldb::Env::Default()));
    for (const auto& [name, bytes] : files) {
      leveldb::WriteStringToFile(env.get(), bytes, kStore + name);
    }
    return env;
  }

  // Nothing when the store refuses or the scan ends in an error; else what it holds.
  static std::optional<Content> TryReadAll(const Files& files, std::string* refusal) {
    const std::unique_ptr<leveldb::Env> env = MakeDisk(files);
    const auto store = Open(env.get(), kStore);
    if (!store.ok()) {
      *refusal = store.status().ToString();
      return std::nullopt;
    }
    Content content;
    const absl::Status scanned = (*store)->Scan("", [&](std::string_view key, std::string_view v) {
      content.emplace(key, v);
      return true;
    });
    *refusal = scanned.ToString();
    if (!scanned.ok()) return std::nullopt;
    return content;
  }

  static void Apply(Damage damage, const std::string& name, std::mt19937_64& random, Files& files) {
    std::string& bytes = files.at(name);
    const size_t at = random() % bytes.size();
    const size_t block = std::min<size_t>(4096, bytes.size() - at);
    switch (damage) {
      case Damage::kFlip:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
        break;
      case Damage::kZero:
        bytes.replace(at, block, block, '\0');
        break;
      case Damage::kCut:
        bytes.resize(at);
        break;
      case Damage::kDelete:
        files.erase(name);
        break;
    }
  }

  static Files good_;
  static Content content_;
};

Files RecordStoreDamageTest::good_;
Content RecordStoreDamageTest::content_;

class RecordStoreDamageTable : public RecordStoreDamageTest,
                               public ::testing::WithParamInterface<Damage> {};

std::string NameOf(const ::testing::TestParamInfo<Damage>& test) {
  constexpr const char* kNames[] = {"Flip", "Zero", "Cut", "Delete"};
  return kNames[static_cast<int>(test.param)];
}

TEST_P(RecordStoreDamageTable, GivesNeverAWrongAnswer) {
  std::mt19937_64 random(42);
  int refused = 0;
  int tried = 0;
  for (const auto& [name, unused] : good_) {
    const int rounds = GetParam() == Damage::kDelete ? 1 : 100;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE(name + " round " + std::to_string(round));
      Files files = good_;
      Apply(GetParam(), name, random, files);
      std::string refusal;
      const std::optional<Content> found = TryReadAll(files, &refusal);
      refused += found ? 0 : 1;
      ++tried;
      EXPECT_FALSE(refusal.empty());
      if (!found) continue;
      // The last entry of SEAL and the padding of a table's footer may go unharmed.
      ASSERT_TRUE(*found == content_);
      ASSERT_NE(GetParam(), Damage::kDelete);
    }
  }
  std::printf("%d of %d damaged stores refused, the others unharmed\n", refused, tried);
  EXPECT_GE(refused * 100, tried * 95);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RecordStoreDamageTable,
                         ::testing::Values(Damage::kFlip, Damage::kZero, Damage::kCut,
                                           Damage::kDelete),
                         NameOf);

// A log that is cut at a record's end is what LevelDB calls a clean log.
TEST_F(RecordStoreDamageTest, EveryLostAcknowledgedBatchIsNoticed) {
  int logs = 0;
  for (const auto& [name, bytes] : good_) {
    if (!name.ends_with(".log")) continue;
    ++logs;
    Files files = good_;
    std::string refusal;
    for (size_t size = 0; size < bytes.size(); size += 53) {
      files[name] = bytes.substr(0, size);
      EXPECT_FALSE(TryReadAll(files, &refusal).has_value()) << size;
      EXPECT_THAT(refusal, ::testing::HasSubstr("lost")) << size;
    }
  }
  EXPECT_EQ(logs, 1);
}

// Damage that comes while the store is open, behind its back; on a real file system.
TEST_F(RecordStoreDamageTest, DamageUnderAnOpenStoreIsAnErrorAndMakesItReadOnly) {
  const testing::TemporaryDirectory directory;
  const Content content = BuildGoodStore(nullptr, directory.path());
  // Reopening moves the log into a table, so that all records lie in tables.
  auto store = Open(nullptr, directory.path());
  ASSERT_TRUE(store.ok()) << store.status();
  for (const auto& entry : fs::directory_iterator(directory.path() + "/db")) {
    if (entry.path().extension() != ".ldb") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    const auto size = static_cast<long>(fs::file_size(entry.path()));
    for (long at = 100; at < size - 4096; at += 512) {
      file.seekp(at);
      file.put('\x55');
    }
  }
  int errors = 0;
  for (const auto& [key, value] : content) {
    const auto found = (*store)->Get(key);
    if (!found.ok()) {
      ++errors;
    } else {
      EXPECT_EQ(*found, value) << key;
    }
  }
  EXPECT_GT(errors, 0);
  EXPECT_FALSE((*store)->health().ok());
  RecordBatch batch;
  batch.Put("k", "v");
  EXPECT_EQ((*store)->Write(batch).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE((*store)->Scan("", [](std::string_view, std::string_view) { return true; }).ok());
}

TEST_F(RecordStoreDamageTest, SecondHandleIsUnavailable) {
  const testing::TemporaryDirectory directory;
  const auto first = Open(nullptr, directory.path());
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(Open(nullptr, directory.path()).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace emptor::catalog
