// The verified store: batches, scans, identity, and what it says to files that went missing.
#include "catalog/storage/record_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Code = absl::StatusCode;

size_t ClassByFirstByte(std::string_view key) { return key[0] == 'b' ? 1 : 0; }

class RecordStoreTest : public ::testing::Test {
 protected:
  RecordStoreOptions Options() {
    return {.identity = {.application = "test", .content_version = 1},
            .class_of = ClassByFirstByte,
            .create_if_missing = true,
            .env = env_.get()};
  }
  absl::Status Open(const RecordStoreOptions& options) {
    store_.reset();
    auto store = RecordStore::Open("/store", options);
    if (!store.ok()) return store.status();
    store_ = *std::move(store);
    return absl::OkStatus();
  }
  void OpenOrFail() {
    const absl::Status status = Open(Options());
    ASSERT_TRUE(status.ok()) << status;
  }
  void Put(const std::string& key, const std::string& value) {
    RecordBatch batch;
    batch.Put(key, value);
    ASSERT_TRUE(store_->Write(batch).ok());
  }
  std::vector<std::string> Keys(std::string_view prefix) {
    std::vector<std::string> keys;
    EXPECT_TRUE(store_
                    ->Scan(prefix,
                           [&](std::string_view key, std::string_view) {
                             keys.emplace_back(key);
                             return true;
                           })
                    .ok());
    return keys;
  }
  void Remove(const std::string& name) { ASSERT_TRUE(env_->RemoveFile("/store/" + name).ok()); }

  std::unique_ptr<leveldb::Env> env_{leveldb::NewMemEnv(leveldb::Env::Default())};
  std::unique_ptr<RecordStore> store_;
};

TEST_F(RecordStoreTest, CountsSealsAndReadsBack) {
  OpenOrFail();
  Put("a1", "x");
  RecordBatch batch;
  batch.Put("b1", "y");
  batch.Put("b2", "");
  batch.Put("a1", "z");
  batch.Delete("b1");
  batch.Delete("never");
  ASSERT_TRUE(store_->Write(batch).ok());
  const Seal before = store_->seal();
  EXPECT_EQ(before.sequence, 2u);
  EXPECT_THAT(before.counts, ElementsAre(1, 1, 0, 0));
  OpenOrFail();
  EXPECT_EQ(store_->seal(), before);
  EXPECT_EQ(store_->Get("a1").value(), "z");
  EXPECT_EQ(store_->Get("b1").value(), std::nullopt);
  EXPECT_EQ(store_->Get("b2").value(), "");
}

TEST_F(RecordStoreTest, ScansOnePrefixInOrder) {
  OpenOrFail();
  for (const char* key : {"b", "a2", "a", "a10", "\xff"}) Put(key, "v");
  EXPECT_THAT(Keys("a"), ElementsAre("a", "a10", "a2"));
  EXPECT_THAT(Keys("b"), ElementsAre("b"));
  EXPECT_THAT(Keys(""), ElementsAre("a", "a10", "a2", "b", "\xff"));
}

TEST_F(RecordStoreTest, EmptyBatchIsNoBatch) {
  OpenOrFail();
  EXPECT_TRUE(store_->Write(RecordBatch()).ok());
  EXPECT_EQ(store_->seal().sequence, 0u);
}

TEST_F(RecordStoreTest, RefusesAnotherApplicationAndANewerFormat) {
  OpenOrFail();
  Put("a", "v");
  RecordStoreOptions options = Options();
  options.identity.application = "other";
  EXPECT_EQ(Open(options).code(), Code::kFailedPrecondition);
  options = Options();
  options.identity.content_version = 0;
  const absl::Status status = Open(options);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("format 1"));
  EXPECT_TRUE(Open(Options()).ok());
}

TEST_F(RecordStoreTest, RefusesWhenTheSealIsMissing) {
  OpenOrFail();
  Put("a", "v");
  store_.reset();
  Remove("SEAL");
  const absl::Status status = Open(Options());
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("SEAL is missing"));
}

TEST_F(RecordStoreTest, RefusesWhenCurrentIsMissingInsteadOfStartingEmpty) {
  OpenOrFail();
  Put("a", "v");
  store_.reset();
  Remove("db/CURRENT");
  const absl::Status status = Open(Options());
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("CURRENT is missing"));
}

TEST_F(RecordStoreTest, RefusesWhenTheWholeDatabaseIsMissing) {
  OpenOrFail();
  Put("a", "v");
  store_.reset();
  std::vector<std::string> names;
  env_->GetChildren("/store/db", &names);
  for (const std::string& name : names) env_->RemoveFile("/store/db/" + name);
  EXPECT_EQ(Open(Options()).code(), Code::kDataLoss);
}

TEST_F(RecordStoreTest, InterruptedCreationIsFinished) {
  OpenOrFail();
  store_.reset();
  std::vector<std::string> names;
  env_->GetChildren("/store/db", &names);
  for (const std::string& name : names) env_->RemoveFile("/store/db/" + name);
  EXPECT_TRUE(Open(Options()).ok());
}

TEST_F(RecordStoreTest, RefusedStoreKeepsItsFiles) {
  OpenOrFail();
  for (int i = 0; i < 50; ++i) Put("a" + std::to_string(i), std::string(1000, 'v'));
  store_.reset();
  std::string seal;
  ASSERT_TRUE(leveldb::ReadFileToString(env_.get(), "/store/SEAL", &seal).ok());
  std::vector<std::string> before;
  env_->GetChildren("/store/db", &before);
  // An older seal of the same store: the database is ahead of it by more than one batch.
  ASSERT_TRUE(leveldb::WriteStringToFile(
                  env_.get(), leveldb::Slice(seal.data(), kSealHeaderBytes + kSealEntryBytes),
                  "/store/SEAL")
                  .ok());
  const absl::Status status = Open(Options());
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cut or replaced"));
  for (const std::string& name : before) EXPECT_TRUE(env_->FileExists("/store/db/" + name)) << name;
  ASSERT_TRUE(leveldb::WriteStringToFile(env_.get(), seal, "/store/SEAL").ok());
  EXPECT_TRUE(Open(Options()).ok());
}

TEST_F(RecordStoreTest, SealFileStaysSmallOverManyBatches) {
  OpenOrFail();
  for (int i = 0; i < 9000; ++i) Put("a", std::to_string(i));
  uint64_t size = 0;
  ASSERT_TRUE(env_->GetFileSize("/store/SEAL", &size).ok());
  EXPECT_LE(size, kSealHeaderBytes + 4096 * kSealEntryBytes);
  OpenOrFail();
  EXPECT_EQ(store_->seal().sequence, 9000u);
  EXPECT_EQ(store_->Get("a").value(), "8999");
}

TEST_F(RecordStoreTest, CompactionRemovesDeletedAndReplacedValuesFromTheFiles) {
  const auto files_hold = [&](const std::string& text) {
    std::vector<std::string> names;
    env_->GetChildren("/store/db", &names);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      std::string bytes;
      leveldb::ReadFileToString(env_.get(), "/store/db/" + name, &bytes);
      return bytes.find(text) != std::string::npos;
    });
  };
  OpenOrFail();
  // The second round finds tables of the first one below it, the third one after a restart.
  for (const std::string round : {"1", "2", "3"}) {
    for (int i = 0; i < 50; ++i) Put("a" + round + std::to_string(i), std::string(1000, 'v'));
    Put("a" + round + "-secret", "qzjxkwvb-deleted" + round);
    Put("b-replaced", "qzjxkwvb-replaced" + round);
    Put("b-replaced", "qzjxkwvb-kept" + round);
    RecordBatch batch;
    batch.Delete("a" + round + "-secret");
    ASSERT_TRUE(store_->Write(batch).ok());
    if (round == "3") OpenOrFail();
    ASSERT_TRUE(files_hold("qzjxkwvb-deleted" + round));
    ASSERT_TRUE(store_->Compact().ok());
    EXPECT_FALSE(files_hold("qzjxkwvb-deleted")) << round;
    EXPECT_FALSE(files_hold("qzjxkwvb-replaced")) << round;
    EXPECT_TRUE(files_hold("qzjxkwvb-kept" + round));
  }
  EXPECT_EQ(store_->Get("b-replaced").value(), "qzjxkwvb-kept3");
  OpenOrFail();
  EXPECT_EQ(store_->seal().counts[0], 150u);
}

TEST_F(RecordStoreTest, ReportedDamageMakesItReadOnly) {
  OpenOrFail();
  Put("a", "v");
  store_->ReportDamage(absl::DataLossError("undecodable"));
  RecordBatch batch;
  batch.Put("a", "w");
  EXPECT_EQ(store_->Write(batch).code(), Code::kFailedPrecondition);
  EXPECT_EQ(store_->Get("a").value(), "v");
  EXPECT_EQ(store_->health().code(), Code::kDataLoss);
}

}  // namespace
}  // namespace emptor::catalog
