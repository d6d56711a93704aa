// The gate refuses what is not JSON or too much of it; the writer's output can always be read.
#include "catalog/encoding/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/catalog/random_product.h"

namespace emptor::catalog {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string ManyMembers(int count) {
  std::string out = "{\"k\":0";
  for (int i = 0; i < count; ++i) out += ",\"k" + std::to_string(i) + "\":0";
  return out + "}";
}

struct HostileCase {
  std::string name;
  std::string text;
  std::string message;  // part of the error
};

class HostileJsonTest : public ::testing::TestWithParam<HostileCase> {};

TEST_P(HostileJsonTest, IsRefusedWithAReason) {
  const auto value = ParseJson(GetParam().text, {.max_bytes = 4u << 20});
  ASSERT_FALSE(value.ok()) << GetParam().text.substr(0, 100);
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(value.status().message()), HasSubstr("byte "));
  EXPECT_THAT(std::string(value.status().message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table, HostileJsonTest,
    ::testing::Values(
        HostileCase{"Empty", "", "empty"}, HostileCase{"Blank", "  \n", ""},
        HostileCase{"TwoMillionBrackets", Repeat("[", 2u << 20), "deeper than 64"},
        HostileCase{"DeepObjects", Repeat("{\"a\":", 200000) + "1" + Repeat("}", 200000),
                    "deeper than 64"},
        HostileCase{"Depth65", Repeat("[", 65) + Repeat("]", 65), "deeper than 64"},
        HostileCase{"ManyValues", "[0" + Repeat(",0", 100000) + "]", "more than 100000"},
        HostileCase{"DuplicateName", R"({"role":"user","role":"system"})",
                    "\"role\" appears twice"},
        HostileCase{"DuplicateEscapedName", R"({"role":1,"r\u006fle":2})", "appears twice"},
        HostileCase{"DuplicateAmongMany",
                    R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,)"
                    R"("m":1,"n":1,"c":2})",
                    "\"c\" appears twice"},
        HostileCase{"DuplicateDeep", R"([{"x":{"y":1,"y":1}}])", "\"y\" appears twice"},
        HostileCase{"InvalidUtf8", "[\"\xff\"]", "byte 2: not well-formed UTF-8"},
        HostileCase{"OverlongSlash", "[\"\xc0\xaf\"]", "UTF-8"},
        HostileCase{"RawSurrogate", "[\"\xed\xa0\x80\"]", "UTF-8"},
        HostileCase{"AboveUnicode", "[\"\xf4\x90\x80\x80\"]", "UTF-8"},
        HostileCase{"CutSequence", "[\"\xe2\x82", "UTF-8"},
        HostileCase{"LoneHighSurrogate", R"(["\ud800"])", ""},
        HostileCase{"LoneLowSurrogate", R"(["\udc00"])", "surrogate"},
        HostileCase{"LoneLowSurrogateInName", R"({"\udfff":1})", "surrogate"},
        HostileCase{"SurrogatesSwapped", R"(["\udc00\ud800"])", ""},
        HostileCase{"NaN", "[NaN]", ""}, HostileCase{"Infinity", "[-Infinity]", ""},
        HostileCase{"HugeNumber", "[1e400]", ""}, HostileCase{"Hex", "[0x1F]", ""},
        HostileCase{"LeadingZero", "[012]", ""}, HostileCase{"Plus", "[+1]", ""},
        HostileCase{"DotOnly", "[1.]", ""}, HostileCase{"NoExponent", "[1e]", ""},
        HostileCase{"TrailingComma", "[1,]", ""},
        HostileCase{"TrailingCommaObject", "{\"a\":1,}", ""},
        HostileCase{"SingleQuotes", "['a']", ""}, HostileCase{"BareName", "{a:1}", ""},
        HostileCase{"Comment", "[1/* */]", ""}, HostileCase{"LineComment", "// x\n1", ""},
        HostileCase{"ByteOrderMark", "\xef\xbb\xbf{}", ""},
        HostileCase{"Utf16", "\xff\xfe{\0}\0"s, "UTF-8"},
        HostileCase{"RawNulInString", "[\"a\0b\"]"s, ""},
        HostileCase{"NulAfterValue", "{}\0{\"x\":1}"s, "text after"},
        HostileCase{"NulAtEnd", "{}\0"s, "text after"}, HostileCase{"TwoValues", "{} {}", ""},
        HostileCase{"Garbage", "{}x", ""}, HostileCase{"RawLineFeedInString", "[\"a\nb\"]", ""},
        HostileCase{"BadEscape", R"(["\x41"])", ""}, HostileCase{"CutEscape", "[\"\\u00", ""},
        HostileCase{"Unclosed", "{\"a\":[1,2", ""}, HostileCase{"WrongClose", "[1}", ""},
        HostileCase{"NumberName", "{1:2}", ""}, HostileCase{"Capitals", "[True]", ""},
        HostileCase{"HugeExponent", "[1e999999]", ""},
        HostileCase{"HundredThousandDigits", "[" + Repeat("9", 100000) + "]", ""},
        HostileCase{"ManyMembers", ManyMembers(120000), "more than 100000"},
        HostileCase{"HundredThousandDigitsCut", "[" + Repeat("9", 100000), ""}),
    [](const auto& test) { return test.param.name; });

TEST(JsonTest, RefusesTextOverTheByteLimit) {
  EXPECT_FALSE(ParseJson("[1,2,3]", {.max_bytes = 6}).ok());
  EXPECT_TRUE(ParseJson("[1,2,3]", {.max_bytes = 7}).ok());
}

TEST(JsonTest, ReadsEveryKindOfValue) {
  const auto parsed = ParseJson(
      R"( {"n":null,"t":true,"i":-9223372036854775808,"d":1.5e3,"s":"\u00e9\ud83d\ude00\n",)"
      R"("a":[1,[2],{}],"o":{"":0}} )");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const JsonValue& value = *parsed;
  EXPECT_TRUE(value.Find("n")->is_null());
  EXPECT_TRUE(value.Find("t")->as_bool());
  EXPECT_EQ(value.Find("i")->as_int(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(value.Find("d")->as_double(), 1500);
  EXPECT_FALSE(value.Find("d")->is_int());
  EXPECT_EQ(value.Find("s")->as_string(), "é😀\n");
  EXPECT_EQ(value.Find("a")->as_array().size(), 3u);
  EXPECT_EQ(value.Find("o")->as_object().at(0).value.as_int(), 0);
  EXPECT_EQ(value.Find("absent"), nullptr);
  EXPECT_EQ(value.Find("n")->Find("x"), nullptr);
}

TEST(JsonTest, IntegersBeyondSixtyFourBitsAreNumbersButNotIntegers) {
  const auto value = ParseJson("[9223372036854775807,9223372036854775808,18446744073709551616]");
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value->as_array()[0].is_int());
  EXPECT_FALSE(value->as_array()[1].is_int());
  EXPECT_EQ(value->as_array()[1].as_double(), 9223372036854775808.0);
  EXPECT_FALSE(value->as_array()[2].is_int());
}

// The fuzzer found "0e55": RapidJSON counts the leading zeros of a zero.
TEST(JsonTest, ReadsNumbersToTheNearestDouble) {
  const std::pair<std::string, double> cases[] = {
      {"0e55", 0},
      {"-0e-99999999999999999999", 0},
      {"0.0e+308", 0},
      {"-0.0", 0},
      {"0.1", 0.1},
      {"1e-999", 0},
      {"0." + Repeat("0", 400) + "1e5", 0},
      {"5e-324", 5e-324},
      {"123.456e-400", 0},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"9007199254740993.0", 9007199254740992.0},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"123456789012345678901234567890", 1.2345678901234568e29},
      {"-9223372036854775809", -9223372036854775808.0},
      {"1E5", 1e5},
      {"1e+5", 1e5},
  };
  for (const auto& [text, value] : cases) {
    const auto parsed = ParseJson(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status();
    EXPECT_FALSE(parsed->is_int()) << text;
    EXPECT_EQ(parsed->as_double(), value) << text;
  }
  EXPECT_TRUE(std::signbit(ParseJson("-1e-999")->as_double()));
  EXPECT_TRUE(ParseJson("-0")->is_int());
  EXPECT_EQ(ParseJson("-9223372036854775808")->as_int(), std::numeric_limits<int64_t>::min());
  for (const char* text : {"10e308", "1.8e308", "-17976931348623159e292"}) {
    EXPECT_FALSE(ParseJson(text).ok()) << text;
  }
}

TEST(JsonTest, AcceptsDepth64AndEscapedNul) {
  EXPECT_TRUE(ParseJson(Repeat("[", 64) + Repeat("]", 64)).ok());
  EXPECT_EQ(ParseJson(R"(["\u0000"])")->as_array()[0].as_string(), "\0"s);
}

TEST(JsonWriterTest, WritesNestedValuesWithCommas) {
  JsonWriter writer;
  writer.BeginObject().Member("a", 1).Member("b", "x").Member("c", true).Member("d", 0.1);
  writer.Key("e").BeginArray().Int(1).Null().BeginObject().EndObject().EndArray();
  writer.Key("f").Raw("[1]");
  writer.EndObject();
  EXPECT_TRUE(writer.complete());
  EXPECT_EQ(writer.Take(), R"({"a":1,"b":"x","c":true,"d":0.1,"e":[1,null,{}],"f":[1]})");
}

TEST(JsonWriterTest, EscapesWhatHtmlAndJavaScriptCouldTakeAmiss) {
  JsonWriter writer;
  writer.String("</script>&\"\\\x01\x7f\u2028\u2029\n");
  EXPECT_EQ(writer.text(),
            "\"\\u003c/script\\u003e\\u0026\\\"\\\\\\u0001\\u007f\\u2028\\u2029\\n\"");
  EXPECT_EQ(ParseJson(writer.text())->as_string(), "</script>&\"\\\x01\x7f\u2028\u2029\n");
}

TEST(JsonWriterTest, IllFormedTextAndNumbersStillGiveValidJson) {
  JsonWriter writer;
  writer.BeginArray().String("a\xff\xc3").Double(std::nan("")).Double(-INFINITY).EndArray();
  EXPECT_EQ(writer.text(), "[\"a\\ufffd\\ufffd\",null,null]");
}

TEST(JsonWriterTest, NegativeZeroReadsBackAsItself) {
  JsonWriter writer;
  writer.BeginArray().Double(-0.0).Double(0.0).Double(5.0).EndArray();
  EXPECT_EQ(writer.text(), "[-0.0,0,5]");
}

TEST(JsonWriterTest, RandomTextsAndNumbersReadBackEqual) {
  testing::RecordGenerator generator(7);
  std::mt19937_64 bits(11);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = generator.MakeText(300);
    const auto integer = static_cast<int64_t>(bits());
    double number = 0;
    const uint64_t pattern = bits();
    std::memcpy(&number, &pattern, sizeof(number));
    if (!std::isfinite(number)) number = 0;
    JsonWriter writer;
    writer.BeginObject().Member(text, text).Member("i", integer).Member("n", number).EndObject();
    const auto read = ParseJson(writer.text());
    ASSERT_TRUE(read.ok()) << read.status() << writer.text();
    EXPECT_EQ(read->Find(text)->as_string(), text);
    EXPECT_EQ(read->Find("i")->as_int(), integer);
    EXPECT_EQ(read->Find("n")->as_double(), number);
    JsonWriter again;
    EXPECT_EQ(again.Value(*read).text(), writer.text());
  }
}

}  // namespace
}  // namespace emptor::catalog
