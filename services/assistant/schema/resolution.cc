// Two numbers with a sign of multiplication between them.
#include "services/assistant/schema/resolution.h"

#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;

constexpr double kMinSide = 100;        // pixels; "10 x 15" is a size of paper
constexpr size_t kMostResolutions = 2;  // one value in so many

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The digits at `at`; `at` moves behind them.
std::optional<double> NumberAt(std::string_view text, size_t& at) {
  double number = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
  if (read.ec != std::errc() || number < kMinSide) return std::nullopt;
  at = static_cast<size_t>(read.ptr - text.data());
  return number;
}

/// Behind the sign at `at`, or npos.
size_t BehindSign(std::string_view text, size_t at) {
  constexpr std::array<std::string_view, 5> kSigns = {" x ", "x", " by ", " par ", " mal "};
  for (const std::string_view sign : kSigns) {
    if (text.substr(at).starts_with(sign)) return at + sign.size();
  }
  return std::string_view::npos;
}

std::optional<Resolution> FindIn(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (!IsDigit(text[at]) || (at > 0 && text[at - 1] != ' ')) continue;
    size_t end = at;
    const auto width = NumberAt(text, end);
    if (!width || (end = BehindSign(text, end)) == std::string_view::npos) continue;
    if (end >= text.size() || !IsDigit(text[end])) continue;
    const auto height = NumberAt(text, end);
    if (!height) continue;
    return Resolution{*width, *height, {at, end}};
  }
  return std::nullopt;
}

/// What people call a resolution by.
struct NamedResolution {
  std::string_view name;
  double width, height;
};
constexpr std::array<NamedResolution, 14> kNamed = {{{"8k", 7680, 4320},
                                                     {"4k", 3840, 2160},
                                                     {"uhd", 3840, 2160},
                                                     {"ultra hd", 3840, 2160},
                                                     {"2160p", 3840, 2160},
                                                     {"wqhd", 2560, 1440},
                                                     {"qhd", 2560, 1440},
                                                     {"quad hd", 2560, 1440},
                                                     {"1440p", 2560, 1440},
                                                     {"full hd", 1920, 1080},
                                                     {"fullhd", 1920, 1080},
                                                     {"fhd", 1920, 1080},
                                                     {"1080p", 1920, 1080},
                                                     {"hd ready", 1280, 720}}};

}  // namespace

std::optional<Resolution> FindNamedResolution(const FoldedMessage& message) {
  for (const NamedResolution& each : kNamed) {
    const Span span = message.FindLongest({std::string(each.name)});
    if (span.found()) return Resolution{each.width, each.height, span};
  }
  return std::nullopt;
}

std::optional<bool> HasResolution(const Resolution& asked, std::string_view stated) {
  const FoldedMessage text(stated);
  auto own = FindResolution(text);
  if (!own) own = FindNamedResolution(text);
  if (!own) return std::nullopt;
  // Tall screens have the width of their name and another height: 3840 x 1600.
  return own->width >= asked.width && own->height >= asked.height;
}

std::optional<Resolution> FindResolution(const FoldedMessage& message) {
  return FindIn(message.text());
}

std::vector<std::string> ValuesOfResolution(const SchemaKey& key, const Resolution& asked,
                                            const WordedBound& bound) {
  std::vector<std::string> found;
  size_t resolutions = 0;
  for (const SchemaValue& value : key.values) {
    const auto stated = FindIn(value.folded);
    if (!stated) continue;
    ++resolutions;
    const bool is_same = stated->width == asked.width && stated->height == asked.height;
    const bool is_more = stated->width >= asked.width && stated->height >= asked.height;
    const bool is_less = stated->width <= asked.width && stated->height <= asked.height;
    if (bound.is_min ? is_more : bound.is_max ? is_less : is_same) found.push_back(value.text);
  }
  if (kMostResolutions * resolutions < key.values.size()) found.clear();
  return found;
}

}  // namespace emptor::services
