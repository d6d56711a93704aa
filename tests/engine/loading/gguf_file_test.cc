#include "engine/loading/gguf_file.h"

#include <functional>

#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::AsBytes;
using ::emptor::testing::GgufWriter;

std::string Raw(uint64_t value) { return std::string(reinterpret_cast<const char*>(&value), 8); }
std::string Raw32(uint32_t value) { return std::string(reinterpret_cast<const char*>(&value), 4); }

GgufWriter SmallFile() {
  GgufWriter writer;
  writer.AddString("general.architecture", "llama");
  writer.AddUint32("a.count", 7);
  writer.AddFloat("a.ratio", 0.5f);
  writer.AddBool("a.flag", true);
  writer.AddStrings("a.names", {"x", "yy"});
  writer.AddInts("a.ints", {-1, 2});
  writer.AddTensor("m", {4, 2}, GgufWriter::kF32, std::string(32, '\1'));
  writer.AddTensor("q", {32}, GgufWriter::kQ8, std::string(34, '\2'));
  return writer;
}

TEST(GgufFileTest, ReadsWhatWasWritten) {
  const std::string bytes = SmallFile().Bytes();
  const auto file = GgufFile::Parse(AsBytes(bytes), "f");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->String("general.architecture").value(), "llama");
  EXPECT_EQ((*file)->Integer("a.count", 0, 10).value(), 7);
  EXPECT_EQ((*file)->Number("a.ratio").value(), 0.5);
  EXPECT_EQ((*file)->Bool("a.flag", false).value(), true);
  EXPECT_EQ((*file)->Integer("absent", 0, 10, 3).value(), 3);
  const auto* names = std::get_if<std::vector<std::string_view>>((*file)->FindValue("a.names"));
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(names->at(1), "yy");
  const TensorView m = (*file)->FindTensor("m")->View();
  EXPECT_EQ(m.rows, 2);
  EXPECT_EQ(m.cols, 4);
  EXPECT_EQ((*file)->FindTensor("q")->bytes.size(), 34u);
  EXPECT_EQ((*file)->FindTensor("none"), nullptr);
}

TEST(GgufFileTest, LookUpsNameTheKeyAndWhatIsWrong) {
  const std::string bytes = SmallFile().Bytes();
  const auto file = GgufFile::Parse(AsBytes(bytes), "f.gguf");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->Integer("a.count", 8, 10).status().message(),
            "f.gguf: a.count: expected 8 to 10, found 7");
  EXPECT_EQ((*file)->Integer("none", 0, 1).status().message(), "f.gguf: none: missing");
  EXPECT_FALSE((*file)->Integer("a.ratio", 0, 10).ok());
  EXPECT_FALSE((*file)->String("a.count").ok());
}

TEST(GgufFileTest, CutAtEveryByteIsRefused) {
  const std::string bytes = SmallFile().Bytes();
  // The padding behind the last tensor is the only part that a file can do without.
  const size_t needed = bytes.size() - 30;
  for (size_t length = 0; length < needed; ++length) {
    const auto file = GgufFile::Parse(AsBytes(bytes).first(length), "f");
    ASSERT_FALSE(file.ok()) << length;
  }
  EXPECT_TRUE(GgufFile::Parse(AsBytes(bytes).first(needed), "f").ok());
}

class GgufTypeTest : public ::testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, GgufTypeTest, ::testing::ValuesIn(kAllDTypes),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

TEST_P(GgufTypeTest, ARowIsWholeBlocksAndLiesWithinTheFile) {
  const auto elements = static_cast<uint64_t>(BlockElements(GetParam()));
  const auto row_bytes = static_cast<size_t>(2 * BlockBytes(GetParam()));
  const uint32_t number = GgufTypeNumber(GetParam());
  GgufWriter writer;
  writer.AddTensor("t", {2 * elements, 3}, number, std::string(3 * row_bytes, '\1'));
  const std::string bytes = writer.Bytes();
  const size_t needed = writer.HeadBytes().size() + 3 * row_bytes;
  const auto file = GgufFile::Parse(AsBytes(bytes).first(needed), "f");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->FindTensor("t")->View().row_bytes(), row_bytes);
  EXPECT_EQ((*file)->FindTensor("t")->bytes.size(), 3 * row_bytes);
  EXPECT_EQ(GgufFile::Parse(AsBytes(bytes).first(needed - 1), "f").status().code(),
            absl::StatusCode::kDataLoss);
  if (elements == 1) return;
  GgufWriter odd;
  odd.AddTensor("t", {2 * elements - 1, 3}, number, std::string(3 * row_bytes, '\1'));
  const std::string odd_bytes = odd.Bytes();
  EXPECT_EQ(GgufFile::Parse(AsBytes(odd_bytes), "f").status().message(),
            "f: tensor t: dim[0]: expected a multiple of " + std::to_string(elements) + ", found " +
                std::to_string(2 * elements - 1));
}

struct HostileCase {
  std::string name;
  std::string expected;  // part of the message
  std::function<void(GgufWriter&)> spoil;
};

std::vector<HostileCase> HostileHeaders() {
  return {
      {"Magic", "magic", [](GgufWriter& w) { w.magic = "GGML"; }},
      {"Version1", "version", [](GgufWriter& w) { w.version = 1; }},
      {"Version4", "version", [](GgufWriter& w) { w.version = 4; }},
      {"BigEndianVersion", "version", [](GgufWriter& w) { w.version = 3u << 24; }},
      {"TensorCountHuge", "tensor_count", [](GgufWriter& w) { w.tensor_count = 1ull << 63; }},
      {"TensorCountMax", "tensor_count", [](GgufWriter& w) { w.tensor_count = ~0ull; }},
      {"PairCountHuge", "metadata_kv_count", [](GgufWriter& w) { w.pair_count = 1ull << 62; }},
      {"PairCountOneTooMany", "", [](GgufWriter& w) { ++w.pair_count; }},
      {"PairCountOneTooFew", "", [](GgufWriter& w) { --w.pair_count; }},
      {"TensorCountOneTooMany", "", [](GgufWriter& w) { ++w.tensor_count; }},
  };
}

std::vector<HostileCase> HostilePairs() {
  return {
      {"EmptyKey", "key: empty", [](GgufWriter& w) { w.AddUint32("", 1); }},
      {"LongKey", "at most 256", [](GgufWriter& w) { w.AddUint32(std::string(257, 'k'), 1); }},
      {"DuplicateKey", "a.count: key: twice", [](GgufWriter& w) { w.AddUint32("a.count", 1); }},
      {"ValueType13", "value type", [](GgufWriter& w) { w.AddRaw("k", 13, "abcd"); }},
      {"ValueTypeMax", "value type", [](GgufWriter& w) { w.AddRaw("k", ~0u, "abcd"); }},
      {"Bool2", "bool", [](GgufWriter& w) { w.AddScalar("k", 7, uint8_t{2}); }},
      {"StringLengthMax", "k: length", [](GgufWriter& w) { w.AddRaw("k", 8, Raw(~0ull)); }},
      {"StringLength2To63", "k: length", [](GgufWriter& w) { w.AddRaw("k", 8, Raw(1ull << 63)); }},
      {"ArrayOfArrays", "array element type",
       [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(9) + Raw(1)); }},
      {"ArrayElementType99", "array element type",
       [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(99) + Raw(1)); }},
      {"ArrayLengthMax", "k: length",
       [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(4) + Raw(~0ull)); }},
      {"ArrayLengthOverflowsBytes",
       "k: ", [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(10) + Raw(1ull << 61)); }},
      {"ArrayLongerThanFile", "k: the file ends",
       [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(4) + Raw(1 << 20)); }},
      {"StringArrayLongerThanFile", "k: the file ends",
       [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(8) + Raw(1 << 20)); }},
      {"BoolArrayWith7", "bool", [](GgufWriter& w) { w.AddRaw("k", 9, Raw32(7) + Raw(1) + "\7"); }},
      {"Alignment0", "general.alignment",
       [](GgufWriter& w) { w.AddUint32("general.alignment", 0); }},
      {"Alignment3", "general.alignment",
       [](GgufWriter& w) { w.AddUint32("general.alignment", 3); }},
      {"Alignment24", "general.alignment",
       [](GgufWriter& w) { w.AddUint32("general.alignment", 24); }},
      {"AlignmentHuge", "general.alignment",
       [](GgufWriter& w) { w.AddUint32("general.alignment", 1u << 31); }},
      {"AlignmentString", "general.alignment",
       [](GgufWriter& w) { w.AddString("general.alignment", "32"); }},
  };
}

std::vector<HostileCase> HostileTensors() {
  const std::string one(4, 0);
  return {
      {"NoDims", "n_dims", [](GgufWriter& w) { w.AddTensorAt("t", {}, 0, 128); }},
      {"FiveDims", "n_dims",
       [](GgufWriter& w) {
         w.AddTensorAt("t", {1, 1, 1, 1, 1}, 0, 128);
       }},
      {"ZeroDim", "dim[1]: zero",
       [](GgufWriter& w) {
         w.AddTensorAt("t", {4, 0}, 0, 128);
       }},
      {"DimMax", "overflow", [](GgufWriter& w) { w.AddTensorAt("t", {~0ull}, 0, 128); }},
      {"DimsOverflowTo0", "overflow",
       [](GgufWriter& w) {
         w.AddTensorAt("t", {1ull << 32, 1ull << 32}, 0, 128);
       }},
      {"DimsOverflowToSmall", "overflow",
       [](GgufWriter& w) {
         w.AddTensorAt("t", {(1ull << 32) + 1, 1ull << 32}, 0, 128);
       }},
      {"BytesOverflow", "do not fit",
       [](GgufWriter& w) { w.AddTensorAt("t", {1ull << 61}, 0, 128); }},
      {"TypeIq2Xs",
       "type: expected one of F32, F16, Q8_0, BF16, Q4_0, Q4_K, Q6_K, Q4_1, Q5_0, Q5_1, Q2_K, "
       "Q3_K, Q5_K, IQ4_NL, IQ4_XS, found IQ2_XS",
       [](GgufWriter& w) { w.AddTensorAt("t", {256}, 17, 128); }},
      {"TypeOfNoName", "IQ4_XS, found number 4",
       [](GgufWriter& w) { w.AddTensorAt("t", {256}, 4, 128); }},
      {"Q4KRowNotOfWholeBlocks", "multiple of 256",
       [](GgufWriter& w) { w.AddTensorAt("t", {128}, 12, 128); }},
      {"TypeMax", "type", [](GgufWriter& w) { w.AddTensorAt("t", {4}, ~0u, 128); }},
      {"Q8RowNotOfWholeBlocks", "multiple of 32",
       [](GgufWriter& w) { w.AddTensorAt("t", {31}, 8, 128); }},
      {"OffsetUnaligned", "aligned", [](GgufWriter& w) { w.AddTensorAt("t", {4}, 0, 100); }},
      {"OffsetInAnotherTensor", "overlaps another",
       [](GgufWriter& w) { w.AddTensorAt("t", {4}, 0, 0); }},
      {"ReachesIntoAnotherTensor", "overlaps another",
       [one](GgufWriter& w) {
         w.AddTensor("t", {16}, 0, std::string(64, 0));
         w.AddTensorAt("u", {1}, 0, 128);
       }},
      {"OffsetBeyondTheEnd", "beyond",
       [](GgufWriter& w) { w.AddTensorAt("t", {4}, 0, 1ull << 40); }},
      {"OffsetPlusSizeOverflows", "beyond",
       [](GgufWriter& w) { w.AddTensorAt("t", {4}, 0, ~0ull - 31); }},
      {"DuplicateTensor", "tensor m: name: twice",
       [one](GgufWriter& w) { w.AddTensor("m", {1}, 0, one); }},
      {"EmptyName", "name: empty", [one](GgufWriter& w) { w.AddTensor("", {1}, 0, one); }},
      {"LongName", "at most 64",
       [one](GgufWriter& w) { w.AddTensor(std::string(65, 'n'), {1}, 0, one); }},
  };
}

class HostileGgufTest : public ::testing::TestWithParam<HostileCase> {};

TEST_P(HostileGgufTest, IsRefusedAndNamed) {
  GgufWriter writer = SmallFile();
  GetParam().spoil(writer);
  const std::string bytes = writer.Bytes();
  const auto file = GgufFile::Parse(AsBytes(bytes), "bad.gguf");
  ASSERT_FALSE(file.ok());
  const std::string message(file.status().message());
  EXPECT_NE(message.find("bad.gguf"), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().expected), std::string::npos) << message;
}

std::string NameOf(const ::testing::TestParamInfo<HostileCase>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Header, HostileGgufTest, ::testing::ValuesIn(HostileHeaders()), NameOf);
INSTANTIATE_TEST_SUITE_P(Metadata, HostileGgufTest, ::testing::ValuesIn(HostilePairs()), NameOf);
INSTANTIATE_TEST_SUITE_P(Tensors, HostileGgufTest, ::testing::ValuesIn(HostileTensors()), NameOf);

}  // namespace
}  // namespace emptor::engine
