// Reading of model shapes.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "engine/conversion/random_model.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

struct NamedShape {
  std::string_view name;
  ModelShape shape;
};

constexpr std::array<NamedShape, 4> kShapes = {{
    // The shipped model.
    {"emptor-lm",
     {.hidden_size = 256,
      .layers = 6,
      .heads = 4,
      .kv_heads = 2,
      .head_dim = 64,
      .intermediate_size = 512,
      .vocabulary = 4096,
      .context = 1024}},
    {"stories260k",
     {.hidden_size = 64,
      .layers = 5,
      .heads = 8,
      .kv_heads = 4,
      .head_dim = 8,
      .intermediate_size = 172,
      .vocabulary = 512,
      .context = 512}},
    {"smollm-135m",
     {.hidden_size = 576,
      .layers = 30,
      .heads = 9,
      .kv_heads = 3,
      .head_dim = 64,
      .intermediate_size = 1536,
      .vocabulary = 49152,
      .context = 2048}},
    {"tinyllama-1.1b",
     {.hidden_size = 2048,
      .layers = 22,
      .heads = 32,
      .kv_heads = 4,
      .head_dim = 64,
      .intermediate_size = 5632,
      .vocabulary = 32000,
      .context = 2048,
      .tied = false}},
}};

struct IntegerKey {
  std::string_view name;
  int ModelShape::*member;
  int min, max;
};

// The bounds are those of engine/loading/config_bounds.h. The last two are earlier names.
constexpr std::array<IntegerKey, 10> kIntegers = {{
    {"hidden_size", &ModelShape::hidden_size, 1, 1 << 16},
    {"layers", &ModelShape::layers, 1, 512},
    {"heads", &ModelShape::heads, 1, 1024},
    {"kv_heads", &ModelShape::kv_heads, 1, 1024},
    {"head_dim", &ModelShape::head_dim, 2, 1024},
    {"intermediate_size", &ModelShape::intermediate_size, 1, 1 << 18},
    {"vocabulary", &ModelShape::vocabulary, 259, 300000},
    {"context", &ModelShape::context, 1, 1 << 22},
    {"width", &ModelShape::hidden_size, 1, 1 << 16},
    {"feed_forward", &ModelShape::intermediate_size, 1, 1 << 18},
}};

absl::Status Invalid(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("shape: {}", what));
}

template <typename T>
absl::StatusOr<T> ParseNumber(std::string_view key, std::string_view text, T min, T max) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !(value >= min && value <= max)) {
    return Invalid(fmt::format("{}: expected {} to {}, found {:?}", key, min, max, text));
  }
  return value;
}

absl::Status Set(std::string_view key, std::string_view text, ModelShape& shape) {
  for (const IntegerKey& known : kIntegers) {
    if (known.name != key) continue;
    const absl::StatusOr<int> value = ParseNumber(key, text, known.min, known.max);
    if (value.ok()) shape.*known.member = *value;
    return value.status();
  }
  if (key == "tied") {
    if (text != "true" && text != "false") {
      return Invalid(fmt::format("tied: expected true or false, found {:?}", text));
    }
    shape.tied = text == "true";
    return absl::OkStatus();
  }
  if (key != "rope_base") return Invalid(fmt::format("unknown key {:?}", key));
  const absl::StatusOr<float> value = ParseNumber(key, text, 1.0f, 1e12f);
  if (value.ok()) shape.rope_base = *value;
  return value.status();
}

absl::Status Check(const ModelShape& shape) {
  if (shape.heads % shape.kv_heads != 0) {
    return Invalid(fmt::format("{} heads cannot share {}", shape.heads, shape.kv_heads));
  }
  if (shape.head_dim % 2 != 0) {
    return Invalid(fmt::format("head_dim: expected an even number, found {}", shape.head_dim));
  }
  return absl::OkStatus();
}

}  // namespace

std::string ModelShapeNames() {
  std::string names;
  for (const NamedShape& known : kShapes) {
    if (!names.empty()) names += ", ";
    names += known.name;
  }
  return names;
}

absl::StatusOr<ModelShape> ModelShape::Parse(std::string_view text) {
  if (text.ends_with(',')) return Invalid("ends with a comma");
  ModelShape shape;
  for (bool first = true; first || !text.empty(); first = false) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const size_t equals = part.find('=');
    if (equals != std::string_view::npos) {
      const absl::Status set = Set(part.substr(0, equals), part.substr(equals + 1), shape);
      if (!set.ok()) return set;
      continue;
    }
    const auto* known =
        std::find_if(kShapes.begin(), kShapes.end(),
                     [&](const NamedShape& candidate) { return candidate.name == part; });
    if (!first || known == kShapes.end()) {
      return Invalid(
          fmt::format("expected one of {} or key=value, found {:?}", ModelShapeNames(), part));
    }
    shape = known->shape;
  }
  const absl::Status checked = Check(shape);
  if (!checked.ok()) return checked;
  return shape;
}

}  // namespace emptor::engine
