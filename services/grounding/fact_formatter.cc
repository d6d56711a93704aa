// Facts for a locale, on ICU's number formatting.
#include "services/grounding/fact_formatter.h"

#include <fmt/format.h>
#include <unicode/currunit.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>

#include <array>
#include <utility>

#include "catalog/money.h"

namespace emptor::services {
namespace {

struct Word {
  std::string_view name, english, chinese;
};
constexpr std::array kWords = {
    Word{"in_stock", "in stock", "有货"},
    Word{"out_of_stock", "out of stock", "缺货"},
    Word{"preorder", "preorder", "预售"},
    Word{"backorder", "backorder", "延期供货"},
    Word{"price", "price", "价格"},
    Word{"was_price", "list price", "原价"},
    Word{"rating", "rating", "评分"},
    Word{"reviews", "reviews", "评论数"},
    Word{"availability", "availability", "库存"},
    Word{"brand", "brand", "品牌"},
    Word{"view product", "view product", "查看商品"},
    Word{"customer writes", "a customer writes", "顾客写道"},
    Word{"seller writes", "the seller writes", "卖家写道"},
};

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
  for (const Word& word : kWords) {
    if (word.name == name) return impl_->is_chinese ? word.chinese : word.english;
  }
  return name;
}

}  // namespace emptor::services
