// A setting that is a whole number within bounds.
#pragma once

#include <charconv>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace emptor::services {

template <typename Settings>
struct IntegerSetting {
  int Settings::*member;
  int low, high;
};

/// Errors: kInvalidArgument, `where` in front.
template <typename Settings>
absl::Status SetInteger(const IntegerSetting<Settings>& setting, const std::string& text,
                        const std::string& where, Settings& settings) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < setting.low || value > setting.high) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected a whole number from {} to {}, found \"{}\"", where, setting.low,
                    setting.high, text));
  }
  settings.*setting.member = value;
  return absl::OkStatus();
}

}  // namespace emptor::services
