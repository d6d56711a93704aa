// Through the project's JSON gate, with bounds that follow from what was asked for.
#include "services/embedding/embedding_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "catalog/encoding/base64.h"
#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

static_assert(std::endian::native == std::endian::little);

using catalog::JsonValue;

constexpr size_t kBytesOfNumber = 32;       // as text; the longest that servers write have 24
constexpr size_t kOverheadBytes = 1 << 16;  // of a reply without its numbers
constexpr size_t kBytesOfRow = 256;         // of a row without its numbers
constexpr size_t kNodesOfRow = 16;
constexpr int kMaxDimension = 1 << 16;
constexpr size_t kMaxErrorBytes = 200;

absl::Status Bad(std::string_view where, std::string_view why) {
  return absl::DataLossError(fmt::format("{}: {}", where, why));
}

absl::StatusOr<JsonValue> ParseReply(std::string_view json, size_t texts, int dimension) {
  catalog::JsonLimits limits;
  limits.max_bytes = MaxEmbeddingReplyBytes(texts, dimension);
  limits.max_depth = 8;
  limits.max_nodes = texts * (static_cast<size_t>(dimension) + kNodesOfRow) + 1000;
  auto value = catalog::ParseJson(json, limits);
  if (!value.ok()) return Bad("reply", std::string(value.status().message()));
  return value;
}

absl::StatusOr<const JsonValue::Array*> RowsOf(const JsonValue& reply) {
  const JsonValue* data = reply.Find("data");
  if (data == nullptr || !data->is_array()) return Bad("data", "expected an array");
  return &data->as_array();
}

/// The numbers of one row, in either form.
absl::StatusOr<std::vector<float>> ReadVector(const std::string& where, const JsonValue& row) {
  const JsonValue* embedding = row.Find("embedding");
  std::vector<float> vector;
  if (embedding != nullptr && embedding->is_string()) {
    const auto bytes = catalog::DecodeBase64(embedding->as_string());
    if (!bytes || bytes->size() % sizeof(float) != 0) {
      return Bad(where, "expected base64 of little-endian floats");
    }
    vector.resize(bytes->size() / sizeof(float));
    if (!vector.empty()) std::memcpy(vector.data(), bytes->data(), bytes->size());
    return vector;
  }
  if (embedding == nullptr || !embedding->is_array()) {
    return Bad(where, "expected an array of numbers or base64");
  }
  vector.reserve(embedding->as_array().size());
  for (const JsonValue& number : embedding->as_array()) {
    if (!number.is_number()) return Bad(where, "expected numbers");
    vector.push_back(static_cast<float>(number.as_double()));
  }
  return vector;
}

/// Copies `vector` at length 1.
absl::Status NormalizeInto(const std::string& where, const std::vector<float>& vector,
                           std::span<float> out) {
  if (vector.size() != out.size()) {
    return Bad(where, fmt::format("expected {} numbers, found {}", out.size(), vector.size()));
  }
  double squares = 0;
  for (const float value : vector) squares += double{value} * double{value};
  if (!std::isfinite(squares)) return Bad(where, "expected finite numbers");
  if (squares <= 0) return Bad(where, "expected a vector, found zeros");
  const double scale = 1 / std::sqrt(squares);
  std::transform(vector.begin(), vector.end(), out.begin(),
                 [scale](float value) { return static_cast<float>(value * scale); });
  return absl::OkStatus();
}

/// A line of printable text.
std::string LineOf(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  if (text.size() > kMaxErrorBytes) text.resize(kMaxErrorBytes);
  return text;
}

}  // namespace

std::string EmbeddingCallJson(const EmbeddingCall& call) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("model", call.model).Key("input").BeginArray();
  for (const std::string& text : call.texts) writer.String(text);
  writer.EndArray().Member("encoding_format", call.base64 ? "base64" : "float");
  if (call.dimensions > 0) writer.Member("dimensions", call.dimensions);
  if (!call.input_type.empty()) writer.Member("input_type", call.input_type);
  return writer.EndObject().Take();
}

size_t MaxEmbeddingReplyBytes(size_t texts, int dimension) {
  return kOverheadBytes +
         texts * (kBytesOfRow + kBytesOfNumber * static_cast<size_t>(std::max(dimension, 0)));
}

absl::Status ReadEmbeddingReply(std::string_view json, size_t texts, int dimension,
                                std::span<float> out) {
  const auto reply = ParseReply(json, texts, dimension);
  if (!reply.ok()) return reply.status();
  const auto rows = RowsOf(*reply);
  if (!rows.ok()) return rows.status();
  if ((*rows)->size() != texts) {
    return Bad("data", fmt::format("expected {} rows, found {}", texts, (*rows)->size()));
  }
  const auto width = static_cast<size_t>(dimension);
  std::vector<bool> is_there(texts);
  for (size_t i = 0; i < texts; ++i) {
    const JsonValue& row = (**rows)[i];
    const JsonValue* index = row.Find("index");
    const bool is_place = index != nullptr && index->is_int() && index->as_int() >= 0 &&
                          index->as_int() < static_cast<int64_t>(texts);
    if (!is_place) {
      return Bad(fmt::format("data[{}].index", i),
                 fmt::format("expected a number from 0 to {}", texts - 1));
    }
    const auto place = static_cast<size_t>(index->as_int());
    if (is_there[place]) return Bad(fmt::format("data[{}].index", i), "appears twice");
    is_there[place] = true;
    const std::string where = fmt::format("data[{}].embedding", i);
    const auto vector = ReadVector(where, row);
    if (!vector.ok()) return vector.status();
    absl::Status status = NormalizeInto(where, *vector, out.subspan(place * width, width));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<int> ReadEmbeddingDimension(std::string_view json) {
  const auto reply = ParseReply(json, 1, kMaxDimension);
  if (!reply.ok()) return reply.status();
  const auto rows = RowsOf(*reply);
  if (!rows.ok()) return rows.status();
  if ((*rows)->size() != 1) return Bad("data", "expected one row");
  const auto vector = ReadVector("data[0].embedding", (*rows)->front());
  if (!vector.ok()) return vector.status();
  if (vector->empty() || vector->size() > kMaxDimension) {
    return Bad("data[0].embedding",
               fmt::format("expected 1 to {} numbers, found {}", kMaxDimension, vector->size()));
  }
  return static_cast<int>(vector->size());
}

std::string ReadEmbeddingError(std::string_view json) {
  const auto body = catalog::ParseJson(json);
  if (!body.ok()) return "";
  for (const JsonValue* at : {body->Find("error"), &*body}) {  // OpenAI's form, and others'
    if (at == nullptr) continue;
    if (at->is_string()) return LineOf(at->as_string());
    const JsonValue* message = at->Find("message");
    if (message != nullptr && message->is_string()) return LineOf(message->as_string());
  }
  return "";
}

}  // namespace emptor::services
