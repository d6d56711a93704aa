// Two line-based formats.
#include "services/bench/trace_reader.h"

#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr std::string_view kAzureHead = "TIMESTAMP,ContextTokens,GeneratedTokens";
constexpr int64_t kMaxTokens = 10'000'000;
constexpr size_t kMaxBytes = size_t{1} << 30;

/// A whole non-negative number, digits only.
std::optional<int64_t> Digits(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text[0] == '-') return {};
  return value;
}

absl::Status Wrong(std::string_view field, std::string_view expected, std::string_view found) {
  return absl::InvalidArgumentError(
      fmt::format("{}: expected {}, found \"{}\"", field, expected, found.substr(0, 60)));
}

/// Days from 1970-01-01 in the Gregorian calendar. Source: Hinnant 2013, "chrono-compatible
/// low-level date algorithms".
int64_t DaysFromCivil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

/// Seconds of `2023-11-16 18:15:46.6805900`; the fraction may be absent.
std::optional<double> ParseTime(std::string_view text) {
  constexpr std::string_view kLayout = "dddd-dd-dd dd:dd:dd";
  if (text.size() < kLayout.size()) return {};
  for (size_t i = 0; i < kLayout.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kLayout[i] == 'd' ? !digit : text[i] != kLayout[i]) return {};
  }
  const auto number = [text](size_t at, size_t n) { return *Digits(text.substr(at, n)); };
  const int64_t month = number(5, 2), day = number(8, 2);
  const int64_t hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  const bool in_range = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 &&
                        minute < 60 && second <= 60;
  if (!in_range) return {};
  const std::string_view fraction = text.substr(kLayout.size());
  double part = 0;
  if (!fraction.empty()) {
    if (fraction[0] != '.' || fraction.size() < 2 || fraction.size() > 10) return {};
    const auto digits = Digits(fraction.substr(1));
    if (!digits) return {};
    part = static_cast<double>(*digits) / std::pow(10, fraction.size() - 1);
  }
  const int64_t days = DaysFromCivil(number(0, 4), month, day);
  return static_cast<double>(days * 86400 + hour * 3600 + minute * 60 + second) + part;
}

absl::StatusOr<int> ParseCount(std::string_view field, std::optional<int64_t> value,
                               std::string_view found) {
  if (value && *value >= 0 && *value <= kMaxTokens) return static_cast<int>(*value);
  return Wrong(field, fmt::format("0 to {}", kMaxTokens), found);
}

absl::StatusOr<PlannedRequest> ParseAzureLine(std::string_view line) {
  const size_t first = line.find(',');
  const size_t second = first == std::string_view::npos ? first : line.find(',', first + 1);
  if (second == std::string_view::npos || line.find(',', second + 1) != std::string_view::npos) {
    return Wrong("line", "three columns", line);
  }
  const auto time = ParseTime(line.substr(0, first));
  if (!time) {
    return Wrong("TIMESTAMP", "a time as 2023-11-16 18:15:46.6805900", line.substr(0, first));
  }
  const std::string_view context = line.substr(first + 1, second - first - 1);
  const std::string_view generated = line.substr(second + 1);
  const auto input = ParseCount("ContextTokens", Digits(context), context);
  if (!input.ok()) return input.status();
  const auto output = ParseCount("GeneratedTokens", Digits(generated), generated);
  if (!output.ok()) return output.status();
  return PlannedRequest{.at_seconds = *time, .input_tokens = *input, .output_tokens = *output};
}

absl::StatusOr<int64_t> IntMember(const catalog::JsonValue& object, const char* field) {
  const catalog::JsonValue* value = object.Find(field);
  if (value == nullptr) return Wrong(field, "a number", "nothing");
  if (!value->is_int()) return Wrong(field, "a whole number", DescribeKind(value->kind()));
  return value->as_int();
}

absl::StatusOr<int> CountMember(const catalog::JsonValue& object, const char* field) {
  const auto value = IntMember(object, field);
  if (!value.ok()) return value.status();
  return ParseCount(field, *value, std::to_string(*value));
}

absl::StatusOr<PlannedRequest> ParseMooncakeLine(std::string_view line) {
  const auto object = catalog::ParseJson(line);
  if (!object.ok()) return object.status();
  if (!object->is_object()) return Wrong("line", "an object", DescribeKind(object->kind()));
  PlannedRequest request;
  const auto time = IntMember(*object, "timestamp");
  if (!time.ok()) return time.status();
  if (*time < 0) return Wrong("timestamp", "at least 0", std::to_string(*time));
  request.at_seconds = static_cast<double>(*time) / 1000;
  const auto input = CountMember(*object, "input_length");
  if (!input.ok()) return input.status();
  request.input_tokens = *input;
  const auto output = CountMember(*object, "output_length");
  if (!output.ok()) return output.status();
  request.output_tokens = *output;
  const catalog::JsonValue* ids = object->Find("hash_ids");
  if (ids == nullptr || !ids->is_array()) return Wrong("hash_ids", "an array", "something else");
  for (const catalog::JsonValue& id : ids->as_array()) {
    if (!id.is_int() || id.as_int() < 0) return Wrong("hash_ids", "numbers from 0", "another");
    request.prefix_blocks.push_back(static_cast<uint64_t>(id.as_int()));
  }
  return request;
}

absl::StatusOr<std::string> Unpack(const std::string& packed, const std::string& path) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  std::string text, piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  size_t rest = 1;
  while (in.pos < in.size || rest != 0) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    rest = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(rest) != 0) {
      return absl::InvalidArgumentError(fmt::format("{}: {}", path, ZSTD_getErrorName(rest)));
    }
    if (in.pos == in.size && out.pos == 0 && rest != 0) {
      return absl::InvalidArgumentError(path + ": the compressed file is cut short");
    }
    text.append(piece, 0, out.pos);
    if (text.size() > kMaxBytes) {
      return absl::InvalidArgumentError(path + ": expected at most a gigabyte of text");
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<PlannedRequest>> ParseTrace(std::string_view text, TraceFormat format,
                                                       std::string_view name) {
  std::vector<PlannedRequest> trace;
  double first = 0;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto refuse = [&](std::string_view why) {
      return absl::InvalidArgumentError(fmt::format("{}:{}: {}", name, number, why));
    };
    if (format == TraceFormat::kAzure && number == 1) {
      if (line == kAzureHead) continue;
      return refuse(std::string(Wrong("head", kAzureHead, line).message()));
    }
    auto request = format == TraceFormat::kAzure ? ParseAzureLine(line) : ParseMooncakeLine(line);
    if (!request.ok()) return refuse(std::string(request.status().message()));
    if (trace.empty()) first = request->at_seconds;
    request->at_seconds -= first;
    if (!trace.empty() && request->at_seconds < trace.back().at_seconds) {
      return refuse("time: earlier than the line before");
    }
    trace.push_back(*std::move(request));
  }
  if (!trace.empty()) return trace;
  return absl::InvalidArgumentError(fmt::format("{}: no requests", name));
}

absl::StatusOr<std::vector<PlannedRequest>> ReadTrace(const std::string& path, TraceFormat format) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (path.ends_with(".zst")) {
    auto unpacked = Unpack(text, path);
    if (!unpacked.ok()) return unpacked.status();
    text = *std::move(unpacked);
  }
  return ParseTrace(text, format, path);
}

}  // namespace emptor::services
