// Facts for a locale, on ICU's number formatting.
#include "services/grounding/fact_formatter.h"

#include <fmt/format.h>
#include <unicode/currunit.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>

#include <algorithm>
#include <utility>

#include "catalog/money.h"
#include "services/grounding/phrases.h"

namespace emptor::services {
namespace {

icu::UnicodeString FromUtf8(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

}  // namespace

struct FactFormatter::Impl {
  bool is_chinese = false;
  icu::Locale locale;
  icu::number::LocalizedNumberFormatter numbers;
};

FactFormatter::FactFormatter(std::string_view locale) : impl_(std::make_unique<Impl>()) {
  UErrorCode error = U_ZERO_ERROR;
  const std::string tag = locale.empty() || locale == "en" ? "en-US" : std::string(locale);
  impl_->locale = icu::Locale::forLanguageTag(tag, error);
  if (U_FAILURE(error) || impl_->locale.isBogus() || *impl_->locale.getLanguage() == '\0') {
    impl_->locale = icu::Locale::getUS();
  }
  impl_->is_chinese = std::string_view(impl_->locale.getLanguage()) == "zh";
  if (impl_->is_chinese && *impl_->locale.getCountry() == '\0') {
    impl_->locale = icu::Locale::getChina();
  }
  impl_->numbers = icu::number::NumberFormatter::withLocale(impl_->locale);
}
FactFormatter::~FactFormatter() = default;
FactFormatter::FactFormatter(FactFormatter&&) noexcept = default;
FactFormatter& FactFormatter::operator=(FactFormatter&&) noexcept = default;

std::string FactFormatter::Money(const catalog::Money& money) const {
  const std::string decimal = catalog::FormatDecimal(money);
  UErrorCode error = U_ZERO_ERROR;
  std::string result;
  if (catalog::IsCurrencyCode(money.currency)) {
    const icu::CurrencyUnit unit(FromUtf8(money.currency).getTerminatedBuffer(), error);
    const auto text = impl_->numbers.unit(unit).formatDecimal(decimal, error).toString(error);
    if (U_SUCCESS(error)) text.toUTF8String(result);
  }
  // Some locales separate number and symbol by a no-break space; a plain one is safe everywhere.
  for (size_t at; (at = result.find("\u00A0")) != std::string::npos;) result.replace(at, 2, " ");
  return result.empty() ? decimal + " " + money.currency : result;
}

std::string FactFormatter::RoundMoney(const catalog::Money& money) const {
  std::string text = Money(money);
  if (text.ends_with(".00")) text.resize(text.size() - 3);
  return text;
}

std::string FactFormatter::Rating(double value) const { return fmt::format("{:.1f}", value); }

std::string FactFormatter::Count(int64_t count) const {
  UErrorCode error = U_ZERO_ERROR;
  std::string result;
  const auto text = impl_->numbers.formatInt(count, error).toString(error);
  if (U_FAILURE(error)) return std::to_string(count);
  text.toUTF8String(result);
  return result;
}

std::string_view FactFormatter::Availability(catalog::Availability availability) const {
  return Label(catalog::ToString(availability));
}

std::string_view FactFormatter::Label(std::string_view name) const {
  std::string key = "label." + std::string(name);
  std::replace(key.begin(), key.end(), ' ', '_');
  const std::string_view label = Wording(impl_->locale.getLanguage(), key);
  return label.empty() ? name : label;
}

}  // namespace emptor::services
