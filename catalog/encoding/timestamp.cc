// Calendar arithmetic is std::chrono's; the grammar is RFC 3339, section 5.6.
#include "catalog/encoding/timestamp.h"

#include <algorithm>
#include <chrono>

#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr int64_t kSecondsPerDay = 86400;
constexpr int64_t kFirstSecond = -62167219200;  // 0000-01-01T00:00:00Z
constexpr int64_t kLastSecond = 253402300799;   // 9999-12-31T23:59:59Z

// Reads fixed-width fields from the front of a text. After a failure, every read fails.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int Digits(size_t count) {
    if (rest_.size() < count) return Fail();
    int value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return Fail();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail();
  }
  void SkipDigits() {
    if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') Fail();
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') rest_.remove_prefix(1);
  }
  int Fail() {
    ok_ = false;
    return 0;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// Seconds east of UTC; the reader fails on anything but Z or +hh:mm.
int64_t ReadOffset(Reader& reader) {
  if (reader.Take('Z') || reader.Take('z')) return 0;
  const bool west = reader.Take('-');
  if (!west) reader.Expect('+');
  const int hours = reader.Digits(2);
  reader.Expect(':');
  const int minutes = reader.Digits(2);
  if (hours > 23 || minutes > 59) reader.Fail();
  const int64_t seconds = hours * 3600 + minutes * 60;
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<int64_t> ParseRfc3339(std::string_view text) {
  if (text.size() > 40) return std::nullopt;
  Reader reader(text);
  const int year = reader.Digits(4);
  reader.Expect('-');
  const int month = reader.Digits(2);
  reader.Expect('-');
  const int day = reader.Digits(2);
  if (!reader.Take('T') && !reader.Take('t')) reader.Expect(' ');
  const int hour = reader.Digits(2);
  reader.Expect(':');
  const int minute = reader.Digits(2);
  reader.Expect(':');
  const int second = reader.Digits(2);
  if (reader.Take('.')) reader.SkipDigits();
  const int64_t offset = ReadOffset(reader);
  if (!reader.ok() || !reader.at_end()) return std::nullopt;

  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t seconds = days * kSecondsPerDay + hour * 3600 + minute * 60 + second - offset;
  if (seconds < kFirstSecond || seconds > kLastSecond) return std::nullopt;
  return seconds;
}

std::string FormatRfc3339(int64_t unix_seconds) {
  const std::chrono::sys_seconds time(
      std::chrono::seconds(std::clamp(unix_seconds, kFirstSecond, kLastSecond)));
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace emptor::catalog
