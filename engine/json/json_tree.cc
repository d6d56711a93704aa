// RapidJSON's iterative SAX reader fills the tree; limits and checks that it lacks are here.
#include "engine/json/json_tree.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "rapidjson/error/en.h"
#include "rapidjson/memorystream.h"
#include "rapidjson/reader.h"

namespace emptor::engine {

std::string_view DescribeKind(JsonKind kind) {
  constexpr std::string_view kNames[] = {"null",     "a boolean", "an integer", "a number",
                                         "a string", "an array",  "an object"};
  return kNames[static_cast<size_t>(kind)];
}

JsonKind JsonView::kind() const { return tree_->nodes_[index_].kind; }
uint32_t JsonView::after() const { return tree_->nodes_[index_].after; }

bool JsonView::as_bool() const {
  assert(is_bool());
  return tree_->nodes_[index_].boolean;
}

int64_t JsonView::as_int() const {
  assert(is_int());
  return tree_->nodes_[index_].integer;
}

double JsonView::as_double() const {
  assert(is_number());
  return is_int() ? static_cast<double>(as_int()) : tree_->nodes_[index_].number;
}

std::string_view JsonView::as_string() const {
  assert(is_string());
  const JsonTree::Node& node = tree_->nodes_[index_];
  return std::string_view(tree_->strings_).substr(node.offset, node.count);
}

size_t JsonView::size() const {
  return is_array() || is_object() ? tree_->nodes_[index_].count : 0;
}

std::vector<JsonView> JsonView::Items() const {
  std::vector<JsonView> items;
  items.reserve(size());
  ForEachItem([&](JsonView item) { items.push_back(item); });
  return items;
}

std::optional<JsonView> JsonView::Find(std::string_view name) const {
  if (!is_object()) return std::nullopt;
  const uint32_t end = after();
  for (uint32_t at = index_ + 1; at < end; at = JsonView(*tree_, at + 1).after()) {
    if (JsonView(*tree_, at).as_string() == name) return JsonView(*tree_, at + 1);
  }
  return std::nullopt;
}

namespace {

/// A surrogate from an escape: ED A0..BF, which UTF-8 excludes.
bool HoldsSurrogate(std::string_view text) {
  for (size_t i = text.find('\xed'); i != std::string_view::npos; i = text.find('\xed', i + 1)) {
    if (i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0xa0) return true;
  }
  return false;
}

/// RapidJSON requires these handler events for numbers. It calls none when numbers arrive as text.
struct NoNumbers {
  static bool Int(int) { return false; }
  static bool Uint(unsigned) { return false; }
  static bool Int64(int64_t) { return false; }
  static bool Uint64(uint64_t) { return false; }
  static bool Double(double) { return false; }
};

}  // namespace

/// Receives the events. Returning false stops the reader; error() then says why.
class JsonTreeBuilder : public NoNumbers {
 public:
  explicit JsonTreeBuilder(const JsonLimits& limits) : limits_(limits) {}

  bool Null() { return Add(JsonKind::kNull) != nullptr; }
  bool Bool(bool value) {
    JsonTree::Node* node = Add(JsonKind::kBool);
    if (node != nullptr) node->boolean = value;
    return node != nullptr;
  }
  bool RawNumber(const char* text, size_t size, bool) {
    const char* const end = text + size;
    int64_t integer = 0;
    const auto whole = std::from_chars(text, end, integer);
    const bool is_whole = whole.ec == std::errc() && whole.ptr == end;
    double number = 0;
    if (!is_whole && std::from_chars(text, end, number).ec != std::errc()) {
      return Fail("a number that no double holds");
    }
    JsonTree::Node* node = Add(is_whole ? JsonKind::kInt : JsonKind::kDouble);
    if (node == nullptr) return false;
    if (is_whole) node->integer = integer;
    if (!is_whole) node->number = number;
    return true;
  }
  bool String(const char* text, size_t size, bool) {
    if (HoldsSurrogate({text, size})) return Fail("a string holds a lone surrogate");
    JsonTree::Node* node = Add(JsonKind::kString);
    if (node == nullptr) return false;
    node->offset = tree_.strings_.size();
    node->count = static_cast<uint32_t>(size);
    tree_.strings_.append(text, size);
    return true;
  }
  bool Key(const char* text, size_t size, bool copy) { return String(text, size, copy); }
  bool StartObject() { return Open(JsonKind::kObject); }
  bool StartArray() { return Open(JsonKind::kArray); }
  bool EndObject(size_t members) {
    const uint32_t index = Close(members);
    const std::string_view twin = FindTwin(JsonView(tree_, index));
    return twin.data() == nullptr ||
           Fail(fmt::format("member {:?} appears twice", std::string(twin.substr(0, 64))));
  }
  bool EndArray(size_t items) {
    Close(items);
    return true;
  }

  JsonTree Take() { return std::move(tree_); }
  const std::string& error() const { return error_; }

 private:
  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  JsonTree::Node* Add(JsonKind kind) {
    if (tree_.nodes_.size() >= limits_.max_nodes) {
      Fail(fmt::format("more than {} values", limits_.max_nodes));
      return nullptr;
    }
    JsonTree::Node& node = tree_.nodes_.emplace_back();
    node.kind = kind;
    node.after = static_cast<uint32_t>(tree_.nodes_.size());
    node.integer = 0;
    return &node;
  }

  bool Open(JsonKind kind) {
    if (open_.size() >= static_cast<size_t>(limits_.max_depth)) {
      return Fail(fmt::format("nested deeper than {}", limits_.max_depth));
    }
    if (Add(kind) == nullptr) return false;
    open_.push_back(static_cast<uint32_t>(tree_.nodes_.size() - 1));
    return true;
  }

  uint32_t Close(size_t count) {
    const uint32_t index = open_.back();
    open_.pop_back();
    tree_.nodes_[index].count = static_cast<uint32_t>(count);
    tree_.nodes_[index].after = static_cast<uint32_t>(tree_.nodes_.size());
    return index;
  }

  /// The name that the object holds twice; its data is null when there is none.
  std::string_view FindTwin(JsonView object) {
    names_.clear();
    object.ForEachMember([&](std::string_view name, JsonView) { names_.push_back(name); });
    std::sort(names_.begin(), names_.end());
    const auto twin = std::adjacent_find(names_.begin(), names_.end());
    return twin == names_.end() ? std::string_view() : *twin;
  }

  const JsonLimits& limits_;
  JsonTree tree_;
  std::vector<uint32_t> open_;
  std::vector<std::string_view> names_;
  std::string error_;
};

absl::StatusOr<JsonTree> JsonTree::Parse(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return absl::InvalidArgumentError(
        fmt::format("expected at most {} bytes, found {}", limits.max_bytes, text.size()));
  }
  JsonTreeBuilder builder(limits);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  std::string what;
  if (result.IsError()) {
    what = builder.error().empty() ? rapidjson::GetParseError_En(result.Code()) : builder.error();
  } else if (stream.Tell() != text.size()) {  // RapidJSON takes a NUL byte for the end
    what = "text after the JSON value";
  } else {
    return builder.Take();
  }
  const size_t offset = result.IsError() ? result.Offset() : stream.Tell();
  return absl::InvalidArgumentError(fmt::format("byte {}: {}", offset, what));
}

}  // namespace emptor::engine
