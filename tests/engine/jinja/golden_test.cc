// The templates and constructs of tests/golden/chat_template, byte for byte as Python's Jinja
// renders them.
#include <fstream>
#include <iterator>
#include <map>

#include "engine/jinja/template.h"
#include "engine/json/json_tree.h"
#include "gtest/gtest.h"

namespace emptor::engine::jinja {
namespace {

// 2026-02-03 12:00 UTC: that day in every zone where people live.
constexpr std::time_t kNow = 1770120000;

std::string ReadGolden(const std::string& name) {
  std::ifstream file(EMPTOR_SOURCE_DIR "/tests/golden/chat_template/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

JsonTree ParseGolden(const std::string& name) {
  absl::StatusOr<JsonTree> tree = JsonTree::Parse(ReadGolden(name));
  EXPECT_TRUE(tree.ok()) << name << ": " << tree.status();
  return std::move(*tree);
}

/// JSON as a template sees it; all texts are content.
Value ToValue(const JsonView& json) {
  switch (json.kind()) {
    case JsonKind::kNull:
      return Value(None{});
    case JsonKind::kBool:
      return Value(json.as_bool());
    case JsonKind::kInt:
      return Value(json.as_int());
    case JsonKind::kDouble:
      return Value(json.as_double());
    case JsonKind::kString:
      return Value::String(json.as_string(), Origin::kContent);
    case JsonKind::kArray: {
      std::vector<Value> items;
      json.ForEachItem([&](const JsonView& item) { items.push_back(ToValue(item)); });
      return Value::ListOf(std::move(items));
    }
    case JsonKind::kObject:
      break;
  }
  std::vector<std::pair<Value, Value>> entries;
  json.ForEachMember([&](std::string_view name, const JsonView& value) {
    entries.emplace_back(Value::String(name, Origin::kContent), ToValue(value));
  });
  return Value::DictOf(std::move(entries));
}

std::vector<std::pair<std::string, Value>> Variables(const JsonView& members) {
  std::map<std::string, Value> variables;
  members.ForEachMember([&](std::string_view name, const JsonView& value) {
    variables[std::string(name)] = ToValue(value);
  });
  variables["bos_token"] = Value(Text("<s>"));
  variables["eos_token"] = Value(Text("</s>"));
  variables["unk_token"] = Value(Text("<unk>"));
  return {variables.begin(), variables.end()};
}

absl::StatusOr<Text> Render(std::string_view source,
                            std::vector<std::pair<std::string, Value>> variables) {
  const absl::StatusOr<Template> parsed = Template::Parse(source);
  if (!parsed.ok()) return parsed.status();
  return parsed->Render(std::move(variables), kNow);
}

/// null: a refusal, by the parser or while rendering.
void Expect(const absl::StatusOr<Text>& text, const JsonView& want, const std::string& what) {
  if (want.is_null()) {
    EXPECT_FALSE(text.ok()) << what << "\nwrote " << text->bytes();
    if (!text.ok()) {
      EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument) << what;
      EXPECT_TRUE(text.status().message().find("line ") == 0) << text.status();
    }
    return;
  }
  ASSERT_TRUE(text.ok()) << what << "\n" << text.status();
  EXPECT_EQ(text->bytes(), want.as_string()) << what;
}

TEST(JinjaGoldenTest, TemplatesOfTheKnownFamiliesRenderAsInPython) {
  const JsonTree want = ParseGolden("want.json");
  const JsonTree conversations = ParseGolden("conversations.json");
  int compared = 0;
  want.root().Find("rendered")->ForEachMember([&](std::string_view name, const JsonView& texts) {
    const std::string source = ReadGolden(std::string(name) + ".jinja");
    const std::vector<JsonView> wanted = texts.Items();
    int index = 0;
    conversations.root().ForEachItem([&](const JsonView& conversation) {
      auto variables = Variables(conversation);
      if (!conversation.Find("tools")) variables.emplace_back("tools", Value(None{}));
      variables.emplace_back("documents", Value(None{}));
      Expect(Render(source, std::move(variables)), wanted[static_cast<size_t>(index)],
             std::string(name) + ", conversation " + std::to_string(index));
      ++index;
      ++compared;
    });
  });
  EXPECT_EQ(compared, 150);
}

TEST(JinjaGoldenTest, ConstructsRenderAsInPython) {
  const JsonTree want = ParseGolden("want.json");
  const JsonTree constructs = ParseGolden("constructs.json");
  const std::vector<JsonView> wanted = want.root().Find("constructs")->Items();
  const auto variables = Variables(*constructs.root().Find("context"));
  size_t index = 0;
  constructs.root().Find("templates")->ForEachItem([&](const JsonView& source) {
    Expect(Render(source.as_string(), variables), wanted[index++],
           "template: " + std::string(source.as_string()));
  });
  EXPECT_GT(index, 100u);
}

}  // namespace
}  // namespace emptor::engine::jinja
