// The JSON of model files: values, their bounds, and what is refused.
#include "engine/json/json_tree.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

TEST(JsonTreeTest, GivesValuesOfEveryKind) {
  const auto tree = JsonTree::Parse(
      R"( {"a": [1, -2.5, "x\u00e9", true, null, {}], "b": {"c": 9223372036854775807}, "d": 1e0} )");
  ASSERT_TRUE(tree.ok()) << tree.status();
  const JsonView root = tree->root();
  ASSERT_TRUE(root.is_object());
  EXPECT_EQ(root.size(), 3u);
  const auto items = root.Find("a")->Items();
  ASSERT_EQ(items.size(), 6u);
  EXPECT_EQ(items[0].as_int(), 1);
  EXPECT_EQ(items[1].as_double(), -2.5);
  EXPECT_EQ(items[2].as_string(), "x\xc3\xa9");
  EXPECT_TRUE(items[3].as_bool());
  EXPECT_TRUE(items[4].is_null());
  EXPECT_EQ(items[5].size(), 0u);
  EXPECT_EQ(root.Find("b")->Find("c")->as_int(), INT64_MAX);
  EXPECT_EQ(root.Find("d")->as_double(), 1);
  EXPECT_FALSE(root.Find("d")->is_int());
  EXPECT_FALSE(root.Find("c").has_value());
  EXPECT_FALSE(items[0].Find("c").has_value());
}

TEST(JsonTreeTest, WalksMembersInTheOrderOfTheText) {
  const auto tree = JsonTree::Parse(R"({"z": [1, [2, 3]], "": {"q": 1}, "a": 4})");
  ASSERT_TRUE(tree.ok()) << tree.status();
  std::string seen;
  tree->root().ForEachMember([&](std::string_view name, JsonView value) {
    seen += std::string(name) + ":" + std::to_string(value.size()) + " ";
  });
  EXPECT_EQ(seen, "z:2 :1 a:0 ");
}

TEST(JsonTreeTest, SurvivesBeingMoved) {
  auto tree = JsonTree::Parse(R"(["first", "second"])");
  ASSERT_TRUE(tree.ok());
  const JsonTree moved = *std::move(tree);
  EXPECT_EQ(moved.root().Items()[1].as_string(), "second");
}

struct Refused {
  std::string text, message;
};

TEST(JsonTreeTest, RefusesWhatIsNotStrictJson) {
  const Refused cases[] = {
      {"", "empty"},
      {"{\"a\": 1,}", "Missing a name"},
      {"[1] x", "byte 4"},
      {std::string("[1]\0", 4), "text after the JSON value"},
      {"[NaN]", "byte 1"},
      {"[1e999]", "too big"},
      {"[\"\xff\"]", "Invalid encoding"},
      {R"(["\udc00"])", "lone surrogate"},
      {R"(["\ud800"])", "surrogate"},
      {R"({"a": 1, "b": 2, "a": 3})", "member \"a\" appears twice"},
      {std::string(100, '['), "nested deeper than 64"},
      {"\xef\xbb\xbf{}", "byte 0"},
      {"// x\n1", "byte 0"},
  };
  for (const Refused& c : cases) {
    const auto tree = JsonTree::Parse(c.text);
    EXPECT_EQ(tree.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(tree.status().message()), HasSubstr(c.message)) << c.text;
  }
}

TEST(JsonTreeTest, HoldsItsLimits) {
  EXPECT_FALSE(JsonTree::Parse("[1, 2, 3]", {.max_nodes = 3}).ok());
  EXPECT_TRUE(JsonTree::Parse("[1, 2, 3]", {.max_nodes = 4}).ok());
  EXPECT_FALSE(JsonTree::Parse("[1, 2, 3]", {.max_bytes = 8}).ok());
  EXPECT_FALSE(JsonTree::Parse("[[1]]", {.max_depth = 1}).ok());
}

}  // namespace
}  // namespace emptor::engine
