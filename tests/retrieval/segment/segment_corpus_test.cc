// The fuzz corpus of segment files is of the current format: each file decodes, and encodes to the
// same bytes. UPDATE_GOLDEN=1 writes the corpus again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/segment/segment_file.h"
#include "retrieval/segment/word_state_codec.h"
#include "retrieval/vector/vector_index.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval {
namespace {

constexpr int kDimension = 4;  // as in segment_file_fuzzer.cc

std::string PathOf(const std::string& name) {
  return std::string(EMPTOR_SOURCE_DIR "/tests/fuzz/corpus/segment_file/") + name;
}

catalog::Product MakeProduct(size_t number) {
  static constexpr const char* kTitles[] = {"Red kettle 2.5 l", "Noise-cancelling kettle",
                                            "Red steel kettle 1,7 Liter"};
  catalog::Product product;
  product.id = "p" + std::to_string(100 + number);
  product.title = kTitles[number % 3];
  product.brand = number % 2 == 0 ? "velsar" : "acme";
  product.categories = {"Home > Kitchen"};
  product.description = "a red kettle for the kitchen";
  product.mpn = "MPN-" + std::to_string(1000 + number);
  product.price = catalog::Money{static_cast<int64_t>(999 + number), "USD"};
  product.item_group_id = number % 4 == 0 ? "kettles" : "";
  product.popularity = static_cast<int64_t>(number);
  product.locale = "en";
  return product;
}

SegmentView MakeView(const Analyzer& analyzer, size_t begin, size_t end) {
  std::vector<IndexedProduct> records;
  for (size_t i = begin; i < end; ++i) {
    const bool even = i % 2 == 0;
    records.push_back({MakeProduct(i), {even ? 1.0f : 0.6f, even ? 0.0f : 0.8f, 0, 0}});
  }
  SegmentBuildOptions options;
  options.dimension = kDimension;
  options.make_vectors =
      [](std::span<const std::string>, QuantizedRows rows,
         const std::stop_token&) -> absl::StatusOr<std::unique_ptr<const VectorIndex>> {
    return std::make_unique<VectorIndex>(std::move(rows));
  };
  return ViewOf(*BuildSegment(analyzer, records, options));
}

std::string Encode(const StoredSegments& segments) {
  std::string bytes;
  const auto append = [&bytes](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
    return absl::OkStatus();
  };
  EXPECT_TRUE(WriteSegments(segments.views, segments.attachment, append).ok());
  return bytes;
}

void Write(const std::string& name, const std::string& bytes) {
  std::ofstream(PathOf(name), std::ios::binary) << bytes;
}

void WriteCorpus() {
  const Analyzer analyzer = *Analyzer::Create();
  Write("one", Encode({{MakeView(analyzer, 0, 1)}, "a"}));
  Write("two_segments", Encode({{MakeView(analyzer, 0, 3), MakeView(analyzer, 3, 5)}, "a"}));
  Write("blocks", Encode({{MakeView(analyzer, 0, 140)}, "a"}));
  ShopWords words(analyzer);
  for (size_t i = 0; i < 4; ++i) words.Put(MakeProduct(i));
  words.WaitUntilCurrent();
  Write("words", EncodeWordState(*words.state()));
}

std::string Read(const std::string& name) {
  std::ifstream file(PathOf(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SegmentCorpusTest, IsOfTheCurrentFormat) {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) WriteCorpus();
  for (const char* name : {"one", "two_segments", "blocks"}) {
    const std::string text = Read(name);
    const auto bytes = std::make_shared<const std::vector<uint8_t>>(text.begin(), text.end());
    const auto stored =
        ReadSegments({*bytes, bytes}, kDimension,
                     [](size_t, std::span<const std::string>,
                        QuantizedRows rows) -> absl::StatusOr<std::unique_ptr<const VectorIndex>> {
                       return std::make_unique<VectorIndex>(std::move(rows));
                     });
    ASSERT_TRUE(stored.ok()) << name << ": " << stored.status();
    EXPECT_EQ(Encode(*stored), text) << name;
  }
  const std::string words = Read("words");
  const auto state = DecodeWordState(words);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(EncodeWordState(*state), words);
}

}  // namespace
}  // namespace emptor::retrieval
