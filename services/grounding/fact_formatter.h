// How facts are written for a locale: money, numbers, availability, the few words around them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "catalog/product.h"

namespace emptor::services {

/// Writes facts for one locale (BCP 47, e.g. "en", "zh-CN"; empty or unknown: "en-US").
/// Thread-safety: const methods from any thread. Numbers follow CLDR; words exist in English and
/// Chinese, other languages get English words.
class FactFormatter {
 public:
  explicit FactFormatter(std::string_view locale);
  ~FactFormatter();
  FactFormatter(FactFormatter&&) noexcept;
  FactFormatter& operator=(FactFormatter&&) noexcept;

  /// "$49.99", "US$49.99", "JP¥5,000". Minor units are those of ISO 4217.
  std::string Money(const catalog::Money& money) const;
  /// The same without ".00", for amounts that the shopper named.
  std::string RoundMoney(const catalog::Money& money) const;
  /// One decimal: "4.5".
  std::string Rating(double value) const;
  std::string Count(int64_t count) const;
  /// "in stock", "有货".
  std::string_view Availability(catalog::Availability availability) const;
  /// A word for a field or connection: "price", "rating", "availability", "view product".
  /// Unknown names are returned unchanged.
  std::string_view Label(std::string_view name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
