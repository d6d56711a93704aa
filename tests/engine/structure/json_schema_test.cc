// Whatever a mask lets a model write is JSON that the schema allows; what cannot be held is
// refused.
#include "engine/structure/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>

#include "engine/json/json_tree.h"
#include "engine/structure/format_constraint.h"
#include "engine/structure/grammar_compiler.h"
#include "engine/structure/schema_terms.h"
#include "fmt/format.h"
#include "tests/engine/structure/grammar_walk.h"

namespace emptor::engine {
namespace {

using Kind = GrammarCompiler::Kind;
using ::testing::HasSubstr;

/// A small validator of its own: what the tests' schemas use.
class Validator {
 public:
  explicit Validator(JsonView root) : root_(root) {}
  bool Allows(JsonView value) const { return Allows(root_, value); }

 private:
  static size_t Characters(std::string_view text) {
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  }
  static bool IsType(JsonView value, std::string_view type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_bool();
    if (type == "integer") return value.is_int();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "array") return value.is_array();
    return value.is_object();
  }
  static bool AllowsType(JsonView type, JsonView value) {
    if (type.is_string()) return IsType(value, type.as_string());
    for (const JsonView one : type.Items()) {
      if (IsType(value, one.as_string())) return true;
    }
    return false;
  }
  bool AllowsMembers(JsonView schema, JsonView value) const {
    bool allowed = true;
    if (const auto required = schema.Find("required")) {
      for (const JsonView name : required->Items())
        allowed &= value.Find(name.as_string()).has_value();
    }
    const auto properties = schema.Find("properties");
    const auto others = schema.Find("additionalProperties");
    value.ForEachMember([&](std::string_view name, JsonView member) {
      const auto known = properties ? properties->Find(name) : std::nullopt;
      if (known) {
        allowed &= Allows(*known, member);
      } else if (others) {
        allowed &= Allows(*others, member);
      }
    });
    return allowed;
  }
  static bool AllowsNumber(JsonView schema, double value) {
    const auto low = schema.Find("minimum"), high = schema.Find("maximum");
    const auto above = schema.Find("exclusiveMinimum"), below = schema.Find("exclusiveMaximum");
    return (!low || value >= low->as_double()) && (!high || value <= high->as_double()) &&
           (!above || value > above->as_double()) && (!below || value < below->as_double());
  }
  static bool AllowsCount(JsonView schema, const char* least, const char* most, size_t count) {
    const auto low = schema.Find(least), high = schema.Find(most);
    return (!low || count >= static_cast<size_t>(low->as_int())) &&
           (!high || count <= static_cast<size_t>(high->as_int()));
  }
  bool Allows(JsonView schema, JsonView value) const {
    if (schema.is_bool()) return schema.as_bool();
    if (const auto reference = schema.Find("$ref")) {
      const std::string name(reference->as_string());
      const JsonView target = name == "#" ? root_ : *root_.Find("$defs")->Find(name.substr(8));
      if (!Allows(target, value)) return false;
    }
    const auto type = schema.Find("type");
    if (type && !AllowsType(*type, value)) return false;
    if (const auto values = schema.Find("enum")) {
      const std::vector<JsonView> items = values->Items();
      if (std::none_of(items.begin(), items.end(),
                       [&](JsonView v) { return WriteJson(v) == WriteJson(value); })) {
        return false;
      }
    }
    if (const auto one = schema.Find("const"); one && WriteJson(*one) != WriteJson(value))
      return false;
    for (const char* name : {"anyOf", "oneOf"}) {
      if (const auto any = schema.Find(name)) {
        const std::vector<JsonView> ways = any->Items();
        if (std::none_of(ways.begin(), ways.end(), [&](JsonView w) { return Allows(w, value); })) {
          return false;
        }
      }
    }
    if (const auto every = schema.Find("allOf")) {
      for (const JsonView part : every->Items()) {
        if (!Allows(part, value)) return false;
      }
    }
    if (value.is_object()) return AllowsMembers(schema, value);
    if (value.is_number()) return AllowsNumber(schema, value.as_double());
    if (value.is_string()) {
      const auto pattern = schema.Find("pattern");
      return AllowsCount(schema, "minLength", "maxLength", Characters(value.as_string())) &&
             (!pattern || std::regex_search(std::string(value.as_string()),
                                            std::regex(std::string(pattern->as_string()))));
    }
    if (!value.is_array()) return true;
    const auto items = schema.Find("items");
    for (const JsonView item : value.Items()) {
      if (items && !Allows(*items, item)) return false;
    }
    return AllowsCount(schema, "minItems", "maxItems", value.size());
  }

  JsonView root_;
};

class JsonSchemaTest : public ::testing::Test {
 protected:
  /// Random texts of the schema; gives how many came to an end, all of which are valid.
  int Check(const std::string& schema, int rounds, int check_every = 5) {
    const auto grammar = compiler_.Compile(Kind::kJsonSchema, schema);
    EXPECT_TRUE(grammar.ok()) << schema << "\n" << grammar.status();
    if (!grammar.ok()) return 0;
    const auto tree = JsonTree::Parse(schema);
    int ended = 0;
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
      ::emptor::testing::GrammarWalk walk(**grammar, tokens_, seed_++);
      const auto text = walk.Run(600, check_every);
      if (!text) continue;
      ++ended;
      const auto value = JsonTree::Parse(*text);
      if (!value.ok() && value.status().ToString().find("uplicate") != std::string::npos) continue;
      EXPECT_TRUE(value.ok()) << schema << "\n" << *text << "\n" << value.status();
      if (value.ok()) {
        EXPECT_TRUE(Validator(tree->root()).Allows(value->root())) << schema << "\n" << *text;
      }
    }
    return ended;
  }
  std::string ErrorOf(const std::string& schema) {
    const auto grammar = compiler_.Compile(Kind::kJsonSchema, schema);
    if (grammar.ok()) return "";
    EXPECT_EQ(grammar.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(grammar.status().message());
  }
  bool Accepts(const std::string& schema, const std::string& text) {
    auto pushdown = CompilePushdown(Kind::kJsonSchema, schema);
    EXPECT_TRUE(pushdown.ok()) << pushdown.status();
    if (!pushdown.ok()) return false;
    Pushdown::Position position = pushdown->Start();
    for (const char byte : text) {
      if (!pushdown->Advance(position, static_cast<uint8_t>(byte))) return false;
    }
    return pushdown->accepts(position);
  }

  const std::vector<std::string> tokens_ = ::emptor::testing::JsonTokens();
  GrammarCompiler compiler_{tokens_};
  uint64_t seed_ = 1;
};

TEST_F(JsonSchemaTest, TextsOfManySchemasAreValid) {
  for (
      const char* schema :
      {R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"],
            "additionalProperties":false})",
       R"({"type":"array","items":{"enum":["x",1,null,{"k":[true]},"xy","é"]},"minItems":1,"maxItems":4})",
       R"({"type":["string","null"],"minLength":2,"maxLength":5})",
       R"({"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},
                     {"type":"object","properties":{"a":{"type":"string"},"c":true},"required":["a","c"]}]})",
       R"({"$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[
            {"$ref":"#/$defs/n"},{"type":"null"}]}},"required":["v","next"]}},"$ref":"#/$defs/n"})",
       R"({"type":"object","properties":{"t":{"type":"array","items":{"$ref":"#"}}},"required":["t"]})",
       R"({"type":"string","pattern":"^[a-c\"\\\\\\n]+(é)?$"})",
       R"({"type":"object","additionalProperties":{"type":"boolean"},"properties":{"ab":{"const":7}}})",
       R"({"allOf":[{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]},
                     {"properties":{"a":{"minimum":3},"b":{"type":"null"}},"required":["b"]}]})",
       R"({"type":"number","exclusiveMinimum":-3,"maximum":12})", R"({"type":"object"})",
       R"({"type":"boolean"})", "{}", "true"}) {
    EXPECT_GT(Check(schema, 25), 0) << schema;
  }
}

TEST_F(JsonSchemaTest, IntegersKeepTheirBounds) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 40; ++round) {
    const auto draw = [&] { return static_cast<int>(random() % 4000) - 2000; };
    const int low = draw(), high = low + static_cast<int>(random() % 300);
    const std::string schema =
        fmt::format(R"({{"type":"integer","minimum":{},"maximum":{}}})", low, high);
    auto pushdown = CompilePushdown(Kind::kJsonSchema, schema);
    ASSERT_TRUE(pushdown.ok());
    for (int value = low - 30; value <= high + 30; ++value) {
      Pushdown::Position position = pushdown->Start();
      bool accepted = true;
      for (const char c : fmt::format("{}", value)) {
        accepted = accepted && pushdown->Advance(position, static_cast<uint8_t>(c));
      }
      ASSERT_EQ(accepted && pushdown->accepts(position), low <= value && value <= high)
          << schema << " " << value;
    }
  }
}

TEST_F(JsonSchemaTest, NumbersKeepTheirBounds) {
  const std::string schema = R"({"type":"number","exclusiveMinimum":-2,"exclusiveMaximum":10})";
  for (const char* text : {"-1.9", "-1", "0", "0.5", "9.99", "9", "-0.001"}) {
    EXPECT_TRUE(Accepts(schema, text)) << text;
  }
  for (const char* text : {"-2", "-2.0", "10", "10.0", "-0", "11", "1e1", "00", "1."}) {
    EXPECT_FALSE(Accepts(schema, text)) << text;
  }
}

TEST_F(JsonSchemaTest, MembersComeInOrderAndBlanksAreBounded) {
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"},"c":{"type":"null"}},
          "required":["b"]})";
  for (const char* text :
       {R"({"b":null})", R"({"a": null, "b": null})", "{\n  \"b\": null,\n  \"c\": null\n}"}) {
    EXPECT_TRUE(Accepts(schema, text)) << text;
  }
  for (const char* text :
       {"{}", R"({"b":null,"a":null})", R"({"a":null})", R"({"b":null,"d":null})",
        R"({"b":  null})", "{\n\n\"b\":null}", R"({"b":null,})", R"( {"b":null})"}) {
    EXPECT_FALSE(Accepts(schema, text)) << text;
  }
}

TEST_F(JsonSchemaTest, FormatsAreHeld) {
  EXPECT_TRUE(Accepts(R"({"type":"string","format":"date"})", R"("2026-11-22")"));
  EXPECT_FALSE(Accepts(R"({"type":"string","format":"date"})", R"("2026-02-30")"));
  EXPECT_TRUE(Accepts(R"({"type":"string","format":"date-time"})", R"("2026-11-22T03:04:05.5Z")"));
  EXPECT_TRUE(
      Accepts(R"({"type":"string","format":"uuid"})", R"("0f8fad5b-d9cb-469f-a165-70867728950e")"));
  EXPECT_TRUE(Accepts(R"({"type":"string","format":"email"})", R"("a.b@shop.example")"));
  EXPECT_FALSE(Accepts(R"({"type":"string","format":"email"})", R"("a.b")"));
}

TEST_F(JsonSchemaTest, EscapesNeverNameHalfACharacter) {
  EXPECT_TRUE(Accepts(R"({"type":"string"})", R"("\u00e9\ud7ff\n")"));
  EXPECT_FALSE(Accepts(R"({"type":"string"})", R"("\ud800")"));
  EXPECT_FALSE(Accepts(R"({"type":"string"})", "\"\xed\xa0\x80\""));
  EXPECT_FALSE(Accepts(R"({"type":"string"})", "\"\n\""));
}

std::string RandomSchema(std::mt19937_64& random, int depth);

std::string RandomObject(std::mt19937_64& random, int depth) {
  std::string properties, required;
  for (const char* name : {"a", "b\\\"", "é", "abc"}) {
    if (random() % 2 == 0) continue;
    properties += fmt::format(R"({}"{}":{})", properties.empty() ? "" : ",", name,
                              RandomSchema(random, depth - 1));
    if (random() % 2 == 0) required += fmt::format(R"({}"{}")", required.empty() ? "" : ",", name);
  }
  const std::vector<std::string> others = {"", R"(,"additionalProperties":false)",
                                           R"(,"additionalProperties":{"type":"integer"})"};
  return fmt::format(R"({{"type":"object","properties":{{{}}},"required":[{}]{}}})", properties,
                     required, others[random() % 3]);
}

std::string RandomSchema(std::mt19937_64& random, int depth) {
  switch (random() % (depth > 0 ? 11 : 7)) {
    case 0:
      return R"({"type":"boolean"})";
    case 1:
      return fmt::format(R"({{"type":"integer","minimum":{}}})",
                         static_cast<int>(random() % 99) - 50);
    case 2:
      return fmt::format(R"({{"type":"string","maxLength":{}}})", random() % 4);
    case 3:
      return R"({"enum":["a","ab",12,null]})";
    case 4:
      return R"({"type":["null","number"],"maximum":7})";
    case 5:
      return R"({"type":"string","pattern":"^(ab|c)*$"})";
    case 6:
      return R"({"const":{"a":[1,"é"]}})";
    case 7:
      return fmt::format(R"({{"type":"array","items":{},"maxItems":{}}})",
                         RandomSchema(random, depth - 1), random() % 4);
    case 8:
      return fmt::format(R"({{"anyOf":[{},{}]}})", RandomSchema(random, depth - 1),
                         RandomSchema(random, depth - 1));
    default:
      return RandomObject(random, depth);
  }
}

TEST_F(JsonSchemaTest, TextsOfRandomSchemasAreValid) {
  std::mt19937_64 random(42);
  int ended = 0;
  for (int round = 0; round < 120 && !HasFailure(); ++round) {
    ended += Check(RandomSchema(random, 3), 4, 9);
  }
  EXPECT_GT(ended, 300);
}

TEST_F(JsonSchemaTest, AnyObjectIsJsonAndNeverDeeperThanItMayBe) {
  const auto grammar = compiler_.Compile(Kind::kJsonObject, "");
  ASSERT_TRUE(grammar.ok());
  for (uint64_t seed = 0; seed < 30; ++seed) {
    ::emptor::testing::GrammarWalk walk(**grammar, tokens_, seed);
    const auto text = walk.Run(500, 7);
    if (text) {
      EXPECT_EQ((*text)[0], '{');
    }
  }
  // A model that only ever opens brackets is stopped in time to close them all.
  OutputGrammar::Position position = (*grammar)->Start();
  const std::string head = "{\"a\":";
  std::string text = head;
  for (const char c : head) ASSERT_TRUE((*grammar)->Accept(position, static_cast<uint8_t>(c)));
  int opened = 0;
  for (; opened < 200; ++opened) {
    std::vector<float> logits(tokens_.size(), 0.0f);
    (*grammar)->MaskInto(position, {}, logits);
    OutputGrammar::Position next = position;
    const bool accepted = (*grammar)->Accept(next, '[');
    ASSERT_EQ(accepted, !std::isinf(logits['[']));
    if (!accepted) break;
    position = next;
    text += '[';
  }
  EXPECT_GT(opened, 50);
  EXPECT_LE(opened, Pushdown::kMaxDepth);
  text += std::string(static_cast<size_t>(opened), ']') + "}";
  for (int i = 0; i < opened; ++i) ASSERT_TRUE((*grammar)->Accept(position, ']'));
  ASSERT_TRUE((*grammar)->Accept(position, '}'));
  EXPECT_TRUE((*grammar)->complete(position));
  EXPECT_TRUE(JsonTree::Parse(text, {.max_depth = 128}).ok());
}

TEST_F(JsonSchemaTest, RefusesWhatItWouldPassOverAndSaysWhere) {
  EXPECT_THAT(ErrorOf(R"({"type":"object","properties":{"a":{"not":{}}}})"),
              HasSubstr("format: json_schema: #/properties/a/not: this keyword is not supported"));
  EXPECT_THAT(ErrorOf(R"({"type":"array","uniqueItems":true})"), HasSubstr("#/uniqueItems"));
  EXPECT_THAT(ErrorOf(R"({"type":"text"})"), HasSubstr("#/type: expected the name of a type"));
  EXPECT_THAT(ErrorOf(R"({"type":"string","format":"hostname"})"), HasSubstr("hostname"));
  EXPECT_THAT(ErrorOf(R"x({"type":"string","pattern":"a(?=b)"})x"),
              HasSubstr("byte 1: look-around"));
  EXPECT_THAT(ErrorOf(R"({"type":"string","pattern":"a","maxLength":3})"), HasSubstr("at once"));
  EXPECT_THAT(ErrorOf(R"({"enum":["a"],"minLength":3})"), HasSubstr("enum or const with other"));
  EXPECT_THAT(ErrorOf(R"({"type":"number","minimum":0.5})"), HasSubstr("#/minimum"));
  EXPECT_THAT(ErrorOf(R"({"$ref":"#/$defs/x"})"), HasSubstr("#/$ref: points to nothing"));
  EXPECT_THAT(ErrorOf(R"({"$ref":"http://a/b"})"), HasSubstr("within the document"));
  EXPECT_THAT(ErrorOf(R"({"type":"string","minLength":-1})"), HasSubstr("#/minLength"));
  EXPECT_THAT(ErrorOf(R"({"type":)"), HasSubstr("byte "));
  EXPECT_THAT(ErrorOf("7"), HasSubstr("expected a schema"));
  EXPECT_THAT(ErrorOf("false"), HasSubstr("can match"));
  EXPECT_THAT(ErrorOf(R"({"type":"integer","minimum":5,"maximum":4})"), HasSubstr("can match"));
}

TEST_F(JsonSchemaTest, RefusesRecursionWithoutABase) {
  EXPECT_THAT(ErrorOf(R"({"$ref":"#"})"), HasSubstr("refers to itself"));
  EXPECT_THAT(ErrorOf(R"({"anyOf":[{"$ref":"#"},{"type":"string"}]})"),
              HasSubstr("refers to itself"));
  EXPECT_THAT(ErrorOf(R"({"allOf":[{"anyOf":[{"$ref":"#"}]}]})"), HasSubstr("refers to itself"));
  EXPECT_THAT(ErrorOf(R"({"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]})"),
              HasSubstr("can match"));
}

TEST_F(JsonSchemaTest, HostileSchemasAreRefused) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += R"({"items":)";
  EXPECT_NE(ErrorOf(deep), "");
  std::string values = R"({"enum":[0)";
  for (int i = 1; i < 100'000; ++i) values += fmt::format(",{}", i);
  EXPECT_THAT(ErrorOf(values + "]}"), HasSubstr("at most 65536 bytes"));
  std::string many = R"({"enum":[0)";
  for (int i = 1; i < 9000; ++i) many += fmt::format(",{}", i);
  EXPECT_THAT(ErrorOf(many + "]}"), HasSubstr("1 to 4096 values"));
  std::string product = R"({"allOf":[)";
  for (int i = 0; i < 40; ++i) {
    product += fmt::format(R"({}{{"oneOf":[{{"title":"a"}},{{"title":"b"}},{{"title":"c"}}]}})",
                           i == 0 ? "" : ",");
  }
  EXPECT_NE(ErrorOf(product + "]}"), "");
  EXPECT_NE(ErrorOf(R"({"type":"string","maxLength":1000000})"), "");
  EXPECT_NE(ErrorOf(R"({"type":"string","pattern":"((a{500}){500}){500}"})"), "");
  EXPECT_NE(ErrorOf(R"({"type":"array","minItems":100000000})"), "");
  std::string doubling = R"({"$defs":{"d0":{"type":"null"})";
  for (int i = 1; i < 60; ++i) {
    doubling += fmt::format(
        R"(,"d{0}":{{"type":"array","items":{{"allOf":[{{"$ref":"#/$defs/d{1}"}},{{"$ref":"#/$defs/d{1}"}}]}}}})",
        i, i - 1);
  }
  EXPECT_EQ(ErrorOf(doubling + R"(},"$ref":"#/$defs/d59"})"), "");  // shared, hence small
  std::string nested = R"({"type":"null"})";
  for (int i = 0; i < 12; ++i) nested = fmt::format(R"({{"oneOf":[{0},{0}]}})", nested);
  EXPECT_NE(ErrorOf(nested), "");
}

TEST_F(JsonSchemaTest, GrammarsAreKeptAndBrokenAnswersStayBroken) {
  const auto first = compiler_.Compile(Kind::kJsonSchema, R"({"type":"null"})");
  const auto second = compiler_.Compile(Kind::kJsonSchema, R"({"type":"null"})");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
  const std::vector<int32_t> ends = {static_cast<int32_t>(tokens_.size()) - 1};
  FormatConstraint constraint(*first, ends);
  constraint.Accept('x');
  std::vector<float> logits(tokens_.size(), 1.0f);
  constraint.MaskInto(logits);
  EXPECT_TRUE(std::all_of(logits.begin(), logits.end(), [](float x) { return std::isinf(x); }));
  EXPECT_FALSE(constraint.complete());
}

TEST_F(JsonSchemaTest, EndIsAllowedOnlyWhereTheTextIsWhole) {
  const auto grammar = compiler_.Compile(Kind::kJsonSchema, R"({"type":"integer"})");
  const std::vector<int32_t> ends = {static_cast<int32_t>(tokens_.size()) - 1};
  FormatConstraint constraint(*grammar, ends);
  const auto end_allowed = [&] {
    std::vector<float> logits(tokens_.size(), 1.0f);
    constraint.MaskInto(logits);
    return !std::isinf(logits.back());
  };
  EXPECT_FALSE(end_allowed());
  constraint.Accept('-');
  EXPECT_FALSE(end_allowed());
  constraint.Accept('1');
  EXPECT_TRUE(end_allowed());
  EXPECT_FALSE(constraint.complete());
}

}  // namespace
}  // namespace emptor::engine
