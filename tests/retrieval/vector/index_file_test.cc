// Damaged, foreign and interrupted index files: all refused before FAISS reads a byte.
#include "retrieval/vector/index_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::HasSubstr;

QuantizedRows Rows(const std::vector<float>& values, size_t count, int dimension) {
  QuantizedRows rows(dimension);
  const auto width = static_cast<size_t>(dimension);
  for (size_t i = 0; i < count; ++i) rows.Add(std::span(values).subspan(i * width, width));
  return rows;
}

VectorIndexOptions OptionsOf(const std::string& factory) {
  return {.spec = *ParseVectorIndex(factory)};
}

absl::Status LoadStatus(const std::string& path, const IndexFileKey& key, QuantizedRows rows) {
  return VectorIndex::Load(path, key, rows, OptionsOf(key.factory)).status();
}

constexpr const char* kKept[] = {"IVF8,SQ8", "IVF8,Flat", "HNSW32,SQ8", "HNSW32,Flat"};

class IndexFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("emptor_index_") + info->name() + std::to_string(::getpid()));
    std::filesystem::create_directories(directory_);
    path_ = (directory_ / "vectors.idx").string();
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void WriteSample() {
    ASSERT_TRUE(WriteIndexFile(path_, key_, [](const PayloadSink& sink) {
                  absl::Status status = sink("pay", 3);
                  return status.ok() ? sink("load", 4) : status;
                }).ok());
  }

  std::string Bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void Overwrite(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::filesystem::path directory_;
  std::string path_;
  IndexFileKey key_{.factory = "HNSW32,SQ8",
                    .model_id = "model-1",
                    .dimension = 8,
                    .count = 3,
                    .source = {1, 2, 3}};
};

TEST_F(IndexFileTest, GivesBackThePayload) {
  WriteSample();
  auto reader = IndexFileReader::Open(path_, key_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->payload_bytes(), 7u);
  char buffer[16] = {};
  EXPECT_EQ((*reader)->Read(buffer, 4), 4u);
  EXPECT_EQ((*reader)->Read(buffer + 4, 12), 3u);
  EXPECT_STREQ(buffer, "payload");
  EXPECT_EQ((*reader)->Read(buffer, 1), 0u);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(IndexFileTest, RefusesAFlippedBitInEveryByte) {
  WriteSample();
  const std::string sound = Bytes();
  for (size_t byte = 0; byte < sound.size(); ++byte) {
    std::string damaged = sound;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << byte % 8));
    Overwrite(damaged);
    EXPECT_FALSE(IndexFileReader::Open(path_, key_).ok()) << "byte " << byte;
  }
}

TEST_F(IndexFileTest, RefusesEveryTruncationAndExtension) {
  WriteSample();
  const std::string sound = Bytes();
  for (size_t length = 0; length < sound.size(); ++length) {
    Overwrite(sound.substr(0, length));
    EXPECT_TRUE(absl::IsDataLoss(IndexFileReader::Open(path_, key_).status())) << length;
  }
  Overwrite(sound + "x");
  EXPECT_TRUE(absl::IsDataLoss(IndexFileReader::Open(path_, key_).status()));
}

TEST_F(IndexFileTest, RefusesZeroedBlocks) {
  WriteSample();
  const std::string sound = Bytes();
  for (const size_t length : {size_t{8}, size_t{64}, size_t{4096}}) {
    for (size_t begin = 0; begin < sound.size(); begin += 8) {
      std::string damaged = sound;
      const size_t count = std::min(length, sound.size() - begin);
      damaged.replace(begin, count, count, '\0');
      if (damaged == sound) continue;  // there were zeros
      Overwrite(damaged);
      EXPECT_FALSE(IndexFileReader::Open(path_, key_).ok()) << begin << " + " << count;
    }
  }
}

TEST_F(IndexFileTest, NamesWhatDiffersFromTheKey) {
  WriteSample();
  IndexFileKey other = key_;
  other.model_id = "model-2";
  EXPECT_THAT(std::string(IndexFileReader::Open(path_, other).status().message()),
              HasSubstr("model id: expected model-2, found model-1"));
  other = key_;
  other.factory = "IVF64,SQ8";
  EXPECT_THAT(std::string(IndexFileReader::Open(path_, other).status().message()),
              HasSubstr("index: expected IVF64,SQ8, found HNSW32,SQ8"));
  other = key_;
  other.count = 4;
  EXPECT_TRUE(absl::IsFailedPrecondition(IndexFileReader::Open(path_, other).status()));
  other = key_;
  other.dimension = 9;
  EXPECT_TRUE(absl::IsFailedPrecondition(IndexFileReader::Open(path_, other).status()));
  other = key_;
  other.source[31] = 1;
  EXPECT_TRUE(absl::IsFailedPrecondition(IndexFileReader::Open(path_, other).status()));
}

// Version 2 held a structure without its codes. Its header has the same first bytes.
TEST_F(IndexFileTest, AnOlderVersionIsTrainedAgain) {
  WriteSample();
  std::string bytes = Bytes();
  bytes[8] = 2;
  Overwrite(bytes);
  const absl::Status status = IndexFileReader::Open(path_, key_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("version: expected 3, found 2"));
}

TEST_F(IndexFileTest, MissingFileIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(IndexFileReader::Open(path_, key_).status()));
}

TEST_F(IndexFileTest, FailedWriteLeavesTheOldFile) {
  WriteSample();
  const std::string before = Bytes();
  const absl::Status status = WriteIndexFile(path_, key_, [](const PayloadSink& sink) {
    static_cast<void>(sink("half", 4));
    return absl::InternalError("broken");
  });
  EXPECT_EQ(status, absl::InternalError("broken"));
  EXPECT_EQ(Bytes(), before);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

class SavedIndexTest : public IndexFileTest {
 protected:
  static constexpr size_t kCount = 600;

  /// Trains and saves an index; returns its payload.
  std::string Save(const std::string& factory) {
    key_ = {.factory = factory, .model_id = "m", .dimension = 16, .count = kCount, .source = {}};
    const auto trained = VectorIndex::Build(Rows(values_, kCount, 16), OptionsOf(factory));
    EXPECT_TRUE(trained.ok()) << trained.status();
    EXPECT_TRUE((*trained)->Save(path_, key_).ok());
    const auto reader = IndexFileReader::Open(path_, key_);
    EXPECT_TRUE(reader.ok()) << reader.status();
    std::string payload((*reader)->payload_bytes(), '\0');
    EXPECT_EQ((*reader)->Read(payload.data(), payload.size()), payload.size());
    return payload;
  }

  /// Loads `payload` from a file whose digests are right and whose key is `claimed`.
  absl::Status LoadAs(const IndexFileKey& claimed, const std::string& payload) const {
    EXPECT_TRUE(WriteIndexFile(path_, claimed, [&](const PayloadSink& sink) {
                  return sink(payload.data(), payload.size());
                }).ok());
    return LoadStatus(path_, claimed, Rows(values_, claimed.count, claimed.dimension));
  }

  const std::vector<float> values_ = testing::ClusteredVectors(kCount, 16, 20, 3);
};

TEST_F(SavedIndexTest, DamageIsFoundAndTheRowsAreKept) {
  for (const char* factory : kKept) {
    Save(factory);
    std::string damaged = Bytes();
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
    Overwrite(damaged);
    QuantizedRows rows = Rows(values_, kCount, 16);
    EXPECT_TRUE(
        absl::IsDataLoss(VectorIndex::Load(path_, key_, rows, OptionsOf(factory)).status()));
    EXPECT_EQ(rows.size(), kCount);
  }
}

// Every digest is right, and the payload is a sound index: of other vectors than the key says.
TEST_F(SavedIndexTest, PayloadOfAnotherIndexSizeOrDimensionIsDataLoss) {
  for (const char* factory : kKept) {
    std::string payload = Save(factory);
    EXPECT_TRUE(LoadAs(key_, payload).ok()) << factory;
    for (const char* other : {"IVF8,SQ8", "IVF8,Flat", "IVF9,SQ8", "IVF9,Flat", "HNSW32,SQ8",
                              "HNSW32,Flat", "HNSW31,SQ8"}) {
      if (std::string(other) == factory) continue;
      IndexFileKey claimed = key_;
      claimed.factory = other;
      EXPECT_TRUE(absl::IsDataLoss(LoadAs(claimed, payload))) << factory << " as " << other;
    }
    IndexFileKey claimed = key_;
    claimed.count = kCount - 1;
    EXPECT_TRUE(absl::IsDataLoss(LoadAs(claimed, payload))) << factory;
    claimed = key_;
    claimed.dimension = 8;
    EXPECT_TRUE(absl::IsDataLoss(LoadAs(claimed, payload))) << factory;
    payload.resize(payload.size() - 1);
    EXPECT_TRUE(absl::IsDataLoss(LoadAs(key_, payload))) << factory;
  }
}

// A search follows ids and links of the file, so each must lead to a row.
TEST_F(SavedIndexTest, IdsAndLinksThatLeadNowhereAreDataLoss) {
  for (const char* factory : kKept) {
    const std::string payload = Save(factory);
    size_t refused = 0;
    const size_t step = payload.size() / 97 / 4 * 4;
    for (size_t at = 0; at + 4 <= payload.size(); at += step) {
      std::string changed = payload;
      changed.replace(at, 4, "\x01\x00\x00\x7F", 4);
      ASSERT_TRUE(WriteIndexFile(path_, key_, [&](const PayloadSink& sink) {
                    return sink(changed.data(), changed.size());
                  }).ok());
      QuantizedRows rows = Rows(values_, kCount, 16);
      const auto loaded = VectorIndex::Load(path_, key_, rows, OptionsOf(factory));
      refused += !loaded.ok();
      if (loaded.ok()) {  // a code, or a field that a search does not read
        EXPECT_TRUE((*loaded)->Search(std::span(values_).first(16), 10, nullptr).ok()) << at;
      }
    }
    EXPECT_GE(refused, 5u) << factory;
  }
}

TEST_F(IndexFileTest, SoundFileWithForeignPayloadIsDataLoss) {
  WriteSample();  // "payload" is no FAISS index, though its digest is right
  EXPECT_TRUE(
      absl::IsDataLoss(LoadStatus(path_, key_, Rows(testing::ClusteredVectors(3, 8, 2, 3), 3, 8))));
}

}  // namespace
}  // namespace emptor::retrieval
