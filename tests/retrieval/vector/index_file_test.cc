// Damaged, foreign and interrupted index files: all refused before FAISS sees a byte.
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

#include "retrieval/vector/faiss_index.h"
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

absl::Status LoadStatus(const std::string& path, const IndexFileKey& key, QuantizedRows rows) {
  return FaissIndex::Load(path, key, rows, {}).status();
}

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
    ASSERT_TRUE(WriteIndexFile(path_, key_, IndexKind::kGraph, [](const PayloadSink& sink) {
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
  IndexFileKey key_{.model_id = "model-1", .dimension = 8, .count = 3, .source = {1, 2, 3}};
};

TEST_F(IndexFileTest, GivesBackThePayload) {
  WriteSample();
  auto reader = IndexFileReader::Open(path_, key_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->kind(), IndexKind::kGraph);
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
  other.count = 4;
  EXPECT_TRUE(absl::IsFailedPrecondition(IndexFileReader::Open(path_, other).status()));
  other = key_;
  other.dimension = 9;
  EXPECT_TRUE(absl::IsFailedPrecondition(IndexFileReader::Open(path_, other).status()));
  other = key_;
  other.source[31] = 1;
  EXPECT_TRUE(absl::IsFailedPrecondition(IndexFileReader::Open(path_, other).status()));
}

TEST_F(IndexFileTest, MissingFileIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(IndexFileReader::Open(path_, key_).status()));
}

TEST_F(IndexFileTest, FailedWriteLeavesTheOldFile) {
  WriteSample();
  const std::string before = Bytes();
  const absl::Status status =
      WriteIndexFile(path_, key_, IndexKind::kGraph, [](const PayloadSink& sink) {
        static_cast<void>(sink("half", 4));
        return absl::InternalError("broken");
      });
  EXPECT_EQ(status, absl::InternalError("broken"));
  EXPECT_EQ(Bytes(), before);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(IndexFileTest, FaissStructuresComeBackAnsweringAlike) {
  constexpr size_t kCount = 600;
  const std::vector<float> values = testing::ClusteredVectors(kCount, 16, 20, 3);
  for (const auto structure : {FaissOptions::Structure::kLists, FaissOptions::Structure::kGraph}) {
    const FaissOptions options{.structure = structure};
    const auto trained = FaissIndex::Train(Rows(values, kCount, 16), options);
    ASSERT_TRUE(trained.ok()) << trained.status();
    const IndexFileKey key{.model_id = "m", .dimension = 16, .count = kCount, .source = {}};
    ASSERT_TRUE((*trained)->Save(path_, key).ok());
    QuantizedRows rows = Rows(values, kCount, 16);
    const auto loaded = FaissIndex::Load(path_, key, rows, options);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ((*loaded)->kind(), (*trained)->kind());
    for (size_t q = 0; q < 20; ++q) {
      const auto query = std::span(values).subspan(q * 16, 16);
      EXPECT_EQ((*loaded)->Search(query, 10, nullptr)->best,
                (*trained)->Search(query, 10, nullptr)->best);
    }
    std::string damaged = Bytes();
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
    Overwrite(damaged);
    EXPECT_TRUE(absl::IsDataLoss(LoadStatus(path_, key, Rows(values, kCount, 16))));
  }
}

// Every digest is right, and the payload is a sound structure: over other rows than the key says.
TEST_F(IndexFileTest, PayloadOfAnotherSizeOrDimensionIsDataLoss) {
  constexpr size_t kCount = 600;
  const std::vector<float> values = testing::ClusteredVectors(kCount, 16, 20, 3);
  for (const auto structure : {FaissOptions::Structure::kLists, FaissOptions::Structure::kGraph}) {
    const auto trained = FaissIndex::Train(Rows(values, kCount, 16), {.structure = structure});
    ASSERT_TRUE(trained.ok()) << trained.status();
    IndexFileKey key{.model_id = "m", .dimension = 16, .count = kCount, .source = {}};
    ASSERT_TRUE((*trained)->Save(path_, key).ok());
    std::string payload;
    {
      const auto reader = IndexFileReader::Open(path_, key);
      ASSERT_TRUE(reader.ok());
      payload.resize((*reader)->payload_bytes());
      ASSERT_EQ((*reader)->Read(payload.data(), payload.size()), payload.size());
    }
    const auto load_as = [&](const IndexFileKey& claimed, IndexKind kind) {
      EXPECT_TRUE(WriteIndexFile(path_, claimed, kind, [&](const PayloadSink& sink) {
                    return sink(payload.data(), payload.size());
                  }).ok());
      return LoadStatus(path_, claimed, Rows(values, claimed.count, claimed.dimension));
    };
    const IndexKind kind = (*trained)->kind();
    EXPECT_TRUE(load_as(key, kind).ok());
    const IndexKind other = kind == IndexKind::kGraph ? IndexKind::kLists : IndexKind::kGraph;
    EXPECT_TRUE(absl::IsDataLoss(load_as(key, other)));
    key.count = kCount - 1;
    EXPECT_TRUE(absl::IsDataLoss(load_as(key, kind)));
    key.count = kCount;
    key.dimension = 8;
    EXPECT_TRUE(absl::IsDataLoss(load_as(key, kind)));
    key.dimension = 16;
    payload.resize(payload.size() - 1);
    EXPECT_TRUE(absl::IsDataLoss(load_as(key, kind)));
  }
}

// A walk over the graph follows the links of the file, so each must lead to a row.
TEST_F(IndexFileTest, LinksThatLeadNowhereAreDataLoss) {
  constexpr size_t kCount = 300;
  const std::vector<float> values = testing::ClusteredVectors(kCount, 16, 20, 3);
  const auto trained =
      FaissIndex::Train(Rows(values, kCount, 16), {.structure = FaissOptions::Structure::kGraph});
  ASSERT_TRUE(trained.ok()) << trained.status();
  const IndexFileKey key{.model_id = "m", .dimension = 16, .count = kCount, .source = {}};
  ASSERT_TRUE((*trained)->Save(path_, key).ok());
  std::string payload;
  {
    const auto reader = IndexFileReader::Open(path_, key);
    ASSERT_TRUE(reader.ok());
    payload.resize((*reader)->payload_bytes());
    ASSERT_EQ((*reader)->Read(payload.data(), payload.size()), payload.size());
  }
  size_t refused = 0;
  for (size_t at = 0; at + 4 <= payload.size(); at += 4) {
    std::string changed = payload;
    changed.replace(at, 4, "\x01\x00\x00\x7F", 4);
    ASSERT_TRUE(WriteIndexFile(path_, key, IndexKind::kGraph, [&](const PayloadSink& sink) {
                  return sink(changed.data(), changed.size());
                }).ok());
    QuantizedRows rows = Rows(values, kCount, 16);
    const auto loaded = FaissIndex::Load(path_, key, rows, {});
    refused += !loaded.ok();
    if (loaded.ok()) {  // a field that a walk does not follow
      EXPECT_TRUE((*loaded)->Search(std::span(values).first(16), 10, nullptr).ok()) << at;
    }
    at += payload.size() / 40 / 4 * 4;
  }
  EXPECT_GE(refused, 10u);
}

TEST_F(IndexFileTest, SoundFileWithForeignPayloadIsDataLoss) {
  WriteSample();  // "payload" is no FAISS structure, though its digest is right
  EXPECT_TRUE(
      absl::IsDataLoss(LoadStatus(path_, key_, Rows(testing::ClusteredVectors(3, 8, 2, 3), 3, 8))));
}

}  // namespace
}  // namespace emptor::retrieval
