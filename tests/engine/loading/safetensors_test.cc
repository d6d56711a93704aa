// Safetensors files by hand, well-formed and hostile.
#include "engine/loading/safetensors.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::AlignedCopy;

/// A file with that header, filled up with spaces so that the data is aligned.
std::string FileOf(std::string header, const std::string& data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string Entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":{}}})", name, dtype, shape,
                     offsets);
}

const std::string kTwo = Entry("a", "F32", "[2,3]", "[0,24]");
const std::string kThree = Entry("b", "BF16", "[4]", "[24,32]");

TEST(SafetensorsTest, ReadsWhatWasWritten) {
  const std::string data = std::string(24, '\1') + std::string(8, '\2') + std::string(16, '\3');
  const AlignedCopy copy(FileOf("{\"__metadata__\":{\"format\":\"pt\"}," + kThree + "," +
                                    Entry("ids", "I64", "[1,2]", "[32,48]") + "," + kTwo + "}",
                                data));
  const auto file = SafetensorsFile::Parse(copy.bytes(), "f");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ((*file)->tensors().size(), 3u);
  EXPECT_EQ((*file)->tensors()[0].name, "a");
  const SafeTensor* a = (*file)->FindTensor("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->dims, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(a->View().type, DType::kF32);
  EXPECT_EQ(a->View().rows, 2);
  EXPECT_EQ(a->View().cols, 3);
  EXPECT_EQ(a->bytes.front(), std::byte{1});
  const SafeTensor* b = (*file)->FindTensor("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->View().rows, 1);
  EXPECT_EQ(b->View().cols, 4);
  EXPECT_EQ(b->bytes.back(), std::byte{2});
  const SafeTensor* ids = (*file)->FindTensor("ids");
  ASSERT_NE(ids, nullptr);
  EXPECT_EQ(ids->stored_type, "I64");
  EXPECT_FALSE(ids->type.has_value());
  EXPECT_EQ((*file)->FindTensor("__metadata__"), nullptr);
}

TEST(SafetensorsTest, TakesAFileWithoutTensorsAndASingleNumber) {
  const AlignedCopy empty(FileOf("{}", ""));
  EXPECT_TRUE(SafetensorsFile::Parse(empty.bytes(), "f").ok());
  const AlignedCopy one(FileOf("{" + Entry("x", "F16", "[]", "[0,2]") + "}", "ab"));
  const auto file = SafetensorsFile::Parse(one.bytes(), "f");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->tensors()[0].View().cols, 1);
}

TEST(SafetensorsTest, CutAtEveryByteIsRefused) {
  const std::string whole = FileOf("{" + kTwo + "," + kThree + "}", std::string(32, '\1'));
  for (size_t length = 0; length < whole.size(); ++length) {
    const AlignedCopy copy(whole.substr(0, length));
    ASSERT_FALSE(SafetensorsFile::Parse(copy.bytes(), "f").ok()) << length;
  }
}

TEST(SafetensorsTest, LoadsAFileWhoseDataLiesUnaligned) {
  std::string header = "{" + kTwo + "}";
  while (header.size() % 8 != 3) header += ' ';
  const uint64_t length = header.size();
  const std::string path =
      ::testing::TempDir() + "unaligned_" + std::to_string(getpid()) + ".safetensors";
  std::ofstream(path, std::ios::binary)
      << std::string(reinterpret_cast<const char*>(&length), 8) << header << std::string(24, '\5');
  const auto file = SafetensorsFile::Load(path);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto bytes = (*file)->tensors()[0].bytes;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % 8, 0u);
  EXPECT_EQ(std::to_integer<int>(bytes.front()), 5);
  EXPECT_EQ(std::to_integer<int>(bytes.back()), 5);
  std::filesystem::remove(path);
}

struct HostileCase {
  std::string name;
  std::string expected;  // part of the message
  std::string header;    // before a data part of 32 bytes
};

std::vector<HostileCase> Headers() {
  const std::string deep = "{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}";
  return {
      {"NotAnObject", "header: expected an object", "[1]"},
      {"Nothing", "header: expected an object", ""},
      {"SpaceFirst", "header: expected an object", " {" + kTwo + "," + kThree + "}"},
      {"NotJson", "header: byte", "{\"a\":}"},
      {"TwoValues", "header: byte", "{" + kTwo + "," + kThree + "}{}"},
      {"Deep", "nested deeper", deep},
      {"DuplicateName", "appears twice", "{" + kTwo + "," + kTwo + "}"},
      {"BrokenUtf8", "header: byte", "{\"\xff\":1}"},
      {"MetadataOfNumbers", "__metadata__", "{\"__metadata__\":{\"a\":1}}"},
      {"MetadataList", "__metadata__", "{\"__metadata__\":[]}"},
      {"EmptyName", "name: empty", "{" + Entry("", "F32", "[8]", "[0,32]") + "}"},
      {"LongName", "at most 512", "{" + Entry(std::string(513, 'n'), "F32", "[8]", "[0,32]") + "}"},
      {"EntryNumber", "tensor a: expected an object", "{\"a\":1}"},
      {"NoType", "dtype", R"({"a":{"shape":[8],"data_offsets":[0,32]}})"},
      {"NoShape", "shape", R"({"a":{"dtype":"F32","data_offsets":[0,32]}})"},
      {"NoOffsets", "data_offsets", R"({"a":{"dtype":"F32","shape":[8]}})"},
      {"UnknownType", "tensor a: dtype: found \"Q7\"",
       "{" + Entry("a", "Q7", "[8]", "[0,32]") + "}"},
      {"LowerCaseType", "dtype", "{" + Entry("a", "f32", "[8]", "[0,32]") + "}"},
  };
}

std::vector<HostileCase> Shapes() {
  const auto f32 = [](const char* shape, const char* offsets) {
    return "{" + Entry("a", "F32", shape, offsets) + "}";
  };
  return {
      {"ZeroDim", "positive integers", f32("[0]", "[0,0]")},
      {"NegativeDim", "positive integers", f32("[-8]", "[0,32]")},
      {"NegativeDims", "positive integers", f32("[-2,-4]", "[0,32]")},
      {"FractionalDim", "positive integers", f32("[8.0]", "[0,32]")},
      {"HugeDim", "positive integers", f32("[18446744073709551616]", "[0,32]")},
      {"DimsOverflowTo0", "overflow", f32("[4294967296,4294967296]", "[0,0]")},
      {"DimsOverflowToSmall", "overflow", f32("[4294967297,4294967296,2]", "[0,32]")},
      {"DimsOverflowInBytes", "overflow", f32("[4611686018427387904]", "[0,0]")},
      {"NineDims", "at most 8", f32("[1,1,1,1,1,1,1,1,8]", "[0,32]")},
      {"ShapeString", "shape: expected an array", f32("\"8\"", "[0,32]")},
      {"TooFewBytes", "expected 36 bytes, found 32", f32("[9]", "[0,32]")},
      {"TooManyBytes", "expected 28 bytes, found 32", f32("[7]", "[0,32]")},
      {"OffsetsDescend", "ascending", f32("[8]", "[32,0]")},
      {"NegativeOffset", "ascending", f32("[8]", "[-4,28]")},
      {"FractionalOffset", "ascending", f32("[8]", "[0,32.0]")},
      {"OneOffset", "array of two", f32("[8]", "[32]")},
      {"ThreeOffsets", "array of two", f32("[8]", "[0,32,64]")},
      {"HugeOffset", "ascending", f32("[8]", "[0,18446744073709551615]")},
      {"BeyondTheEnd", "beyond the data", f32("[9]", "[0,36]")},
      {"FarBeyondTheEnd", "beyond the data",
       f32("[8]", "[9223372036854775744,9223372036854775776]")},
      {"HoleBefore", "leaves a hole", f32("[7]", "[4,32]")},
      {"HoleAfter", "data: expected 28 bytes, found 32", f32("[7]", "[0,28]")},
      {"NothingForTheData", "data: expected 0 bytes, found 32", "{}"},
      {"Overlap", "overlaps another", "{" + kTwo + "," + Entry("b", "F32", "[4]", "[16,32]") + "}"},
      {"SamePlace", "overlaps another",
       "{" + Entry("a", "F32", "[8]", "[0,32]") + "," + Entry("b", "F32", "[8]", "[0,32]") + "}"},
      {"Unaligned", "not aligned to 4",
       "{" + Entry("a", "BF16", "[3]", "[0,6]") + "," + Entry("b", "F32", "[6]", "[6,30]") + "," +
           Entry("c", "BF16", "[1]", "[30,32]") + "}"},
  };
}

class HostileSafetensorsTest : public ::testing::TestWithParam<HostileCase> {};

TEST_P(HostileSafetensorsTest, IsRefusedAndNamed) {
  const AlignedCopy copy(FileOf(GetParam().header, std::string(32, '\1')));
  const auto file = SafetensorsFile::Parse(copy.bytes(), "bad.safetensors");
  ASSERT_FALSE(file.ok());
  const std::string message(file.status().message());
  EXPECT_NE(message.find("bad.safetensors: "), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().expected), std::string::npos) << message;
}

std::string NameOf(const ::testing::TestParamInfo<HostileCase>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Headers, HostileSafetensorsTest, ::testing::ValuesIn(Headers()), NameOf);
INSTANTIATE_TEST_SUITE_P(Shapes, HostileSafetensorsTest, ::testing::ValuesIn(Shapes()), NameOf);

TEST(HostileHeaderLengthTest, IsRefusedBeforeMemoryIsTaken) {
  const std::pair<uint64_t, std::string> cases[] = {{uint64_t{1} << 63, "at most 100000000"},
                                                    {~uint64_t{0}, "at most 100000000"},
                                                    {100'000'001, "at most 100000000"},
                                                    {100'000'000, "expected 100000000 bytes"},
                                                    {3, "unaligned"}};
  for (const auto& [length, expected] : cases) {
    std::string bytes = FileOf("{" + kTwo + "}", std::string(24, '\1'));
    std::memcpy(bytes.data(), &length, sizeof(length));
    const AlignedCopy copy(bytes);
    const auto file = SafetensorsFile::Parse(copy.bytes(), "f");
    ASSERT_FALSE(file.ok()) << length;
    EXPECT_NE(file.status().message().find(expected), std::string::npos) << file.status();
  }
}

}  // namespace
}  // namespace emptor::engine
