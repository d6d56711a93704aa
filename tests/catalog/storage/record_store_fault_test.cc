// A disk that fails or loses power at any step: nothing acknowledged is lost, nothing is half.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/storage/record_store.h"
#include "leveldb/helpers/memenv.h"
#include "tests/catalog/storage/fault_env.h"

namespace emptor::catalog {
namespace {

using testing::FaultEnv;
using Code = absl::StatusCode;

constexpr int kBatches = 30;
constexpr unsigned kAppends = 1, kSyncs = 2, kCreations = 4, kRenames = 8, kReads = 16,
                   kRemovals = 32, kAll = 15;

// Every batch puts the same number under two keys, so that a half batch would show.
class RecordStoreFaultTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<RecordStore>> Open() {
    return RecordStore::Open("/store", {.identity = {.application = "test", .content_version = 1},
                                        .create_if_missing = true,
                                        .env = &env_,
                                        .write_buffer_bytes = 64u << 10});
  }
  static RecordBatch MakeBatch(int number) {
    RecordBatch batch;
    const std::string value = std::to_string(number) + std::string(4000, 'v');
    batch.Put("left", value);
    batch.Put("right", value);
    return batch;
  }
  static int ReadNumber(const RecordStore& store, std::string_view key) {
    const auto value = store.Get(key);
    EXPECT_TRUE(value.ok()) << value.status();
    if (!value.ok() || !value->has_value()) return 0;
    return std::stoi(**value);
  }
  // Writes until the first error; the number of the last acknowledged batch.
  static int WriteUntilError(RecordStore& store, int first) {
    int acknowledged = first - 1;
    for (int number = first; number < first + kBatches; ++number) {
      const absl::Status status = store.Write(MakeBatch(number));
      if (!status.ok()) {
        EXPECT_FALSE(store.health().ok());
        EXPECT_EQ(store.Write(MakeBatch(number)).code(), Code::kFailedPrecondition);
        EXPECT_GE(ReadNumber(store, "left"), acknowledged);
        return acknowledged;
      }
      acknowledged = number;
    }
    return acknowledged;
  }
  // Opens on the mended disk; the number of the last batch that is there.
  int CheckAfterwards(int acknowledged) {
    env_.StopFailing();
    auto store = Open();
    EXPECT_TRUE(store.ok()) << store.status();
    if (!store.ok()) return 0;
    const int number = ReadNumber(**store, "left");
    EXPECT_EQ(ReadNumber(**store, "right"), number);
    EXPECT_GE(number, acknowledged);
    EXPECT_LE(number, acknowledged + 1);
    return number;
  }

  std::unique_ptr<leveldb::Env> memory_{leveldb::NewMemEnv(leveldb::Env::Default())};
  FaultEnv env_{memory_.get()};
};

struct FaultKind {
  const char* name;
  unsigned mask;
  uint64_t count;  // operations that fail, from the n-th on
  bool power_cut;
};

class RecordStoreFaultTable : public RecordStoreFaultTest,
                              public ::testing::WithParamInterface<FaultKind> {};

TEST_P(RecordStoreFaultTable, NothingAcknowledgedIsLostWhereverItFails) {
  const FaultKind& kind = GetParam();
  int last = 0;
  int faults = 0;
  for (uint64_t n = 1; n <= 130; n += 1 + n / 16) {
    SCOPED_TRACE(::testing::Message() << "operation " << n);
    env_.FailFrom(n, kind.count, kind.mask);
    auto store = Open();
    const int acknowledged = store.ok() ? WriteUntilError(**store, last + 1) : last;
    if (store.ok()) store->reset();
    faults += env_.failures() > 0 ? 1 : 0;
    if (kind.power_cut) env_.LoseUnsyncedData();
    last = CheckAfterwards(acknowledged);
  }
  EXPECT_GT(faults, 5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RecordStoreFaultTable,
                         ::testing::Values(FaultKind{"OneAppend", kAppends, 1, false},
                                           FaultKind{"AllAppends", kAppends, 1u << 30, false},
                                           FaultKind{"OneSync", kSyncs, 1, false},
                                           FaultKind{"AllSyncs", kSyncs, 1u << 30, false},
                                           FaultKind{"OneOfAll", kAll, 1, false},
                                           FaultKind{"EverythingThenPowerCut", kAll, 1u << 30,
                                                     true},
                                           FaultKind{"SyncThenPowerCut", kSyncs, 1, true},
                                           FaultKind{"AppendThenPowerCut", kAppends, 1, true}),
                         [](const auto& test) { return test.param.name; });

TEST_F(RecordStoreFaultTest, FailedCreationsAndRenamesRefuseToOpenAndHarmNothing) {
  int last = 0;
  {
    auto store = Open();
    ASSERT_TRUE(store.ok());
    last = WriteUntilError(**store, 1);
  }
  for (uint64_t n = 1; n < 12; ++n) {
    env_.FailFrom(n, 1, kCreations | kRenames);
    { const auto store = Open(); }
    last = CheckAfterwards(last);
  }
}

// A read that fails is an error, wherever it comes: never an absent or an older record.
TEST_F(RecordStoreFaultTest, FailedReadsAreErrorsNeverAnswers) {
  int last = 0;
  for (int round = 0; round < 3; ++round) {  // opening again moves the log into a table
    auto store = Open();
    ASSERT_TRUE(store.ok());
    last = WriteUntilError(**store, last + 1);
  }
  int refused = 0, errors = 0, answers = 0;
  for (uint64_t n = 1; n < 60; ++n) {
    SCOPED_TRACE(::testing::Message() << "read " << n);
    env_.FailFrom(n, 1, kReads);
    auto store = Open();
    if (!store.ok()) {
      ++refused;
      continue;
    }
    for (const char* key : {"left", "right"}) {
      const auto value = (*store)->Get(key);
      if (!value.ok()) {
        ++errors;
        EXPECT_FALSE((*store)->health().ok());
        EXPECT_FALSE((*store)->Write(MakeBatch(last + 1)).ok());
        continue;
      }
      ASSERT_TRUE(value->has_value()) << key;
      EXPECT_EQ(std::stoi(**value), last);
      ++answers;
    }
  }
  EXPECT_GT(refused, 3);
  EXPECT_GT(errors + answers, 0);
  EXPECT_EQ(CheckAfterwards(last), last);
}

// What cannot be deleted is in the way of nobody.
TEST_F(RecordStoreFaultTest, FailedRemovalsHarmNothing) {
  int last = 0;
  env_.FailFrom(1, 1u << 30, kRemovals);
  for (int round = 0; round < 3; ++round) {
    auto store = Open();
    ASSERT_TRUE(store.ok()) << store.status();
    last = WriteUntilError(**store, last + 1);
  }
  EXPECT_EQ(last, 3 * kBatches);
  EXPECT_GT(env_.failures(), 0u);
  EXPECT_EQ(CheckAfterwards(last), last);
}

TEST_F(RecordStoreFaultTest, AFullDiskIsReportedAsResourceExhausted) {
  auto store = Open();
  ASSERT_TRUE(store.ok());
  ASSERT_EQ(WriteUntilError(**store, 1), kBatches);
  env_.FailFrom(1, 1u << 30, kAppends, "No space left on device");  // whoever appends
  EXPECT_EQ((*store)->Write(MakeBatch(kBatches + 1)).code(), Code::kResourceExhausted);
  env_.StopFailing();
  EXPECT_EQ((*store)->Write(MakeBatch(kBatches + 1)).code(), Code::kFailedPrecondition);
  EXPECT_EQ(ReadNumber(**store, "left"), kBatches);
  store->reset();
  store = Open();
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_TRUE((*store)->Write(MakeBatch(kBatches + 1)).ok());
}

// LevelDB alone goes on acknowledging writes after a failed append to its log, and loses them.
TEST_F(RecordStoreFaultTest, WritesAfterAFailedOneAreNeverAcknowledged) {
  auto store = Open();
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE((*store)->Write(MakeBatch(1)).ok());
  env_.FailFrom(1, 1u << 30, kAppends);  // LevelDB's other thread may append as well
  EXPECT_FALSE((*store)->Write(MakeBatch(2)).ok());
  env_.StopFailing();
  for (int i = 0; i < 10; ++i) EXPECT_FALSE((*store)->Write(MakeBatch(3)).ok());
}

}  // namespace
}  // namespace emptor::catalog
