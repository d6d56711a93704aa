// The words of each language, and the conditions between them.
#include "services/grounding/relaxation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "retrieval/words/language.h"
#include "services/grounding/fact_formatter.h"

namespace emptor::services {
namespace {

using retrieval::Filter;
using retrieval::FilterPart;
using retrieval::RelaxationStep;

/// The first eleven parts, in the order of FilterPart; the others are never relaxed.
constexpr size_t kParts = 11;

struct Words {
  std::string_view language;
  std::string_view nothing, dropped, widened;  // beginnings of the sentences, before their lists
  std::string_view comma, stop;
  std::array<std::string_view, kParts> parts;
};

constexpr std::array<Words, 6> kWords = {{
    {"en",
     "Nothing meets every condition.",
     " Left out: ",
     " Widened: ",
     ", ",
     ".",
     {"store", "availability", "rating", "condition", "colour", "", "measures", "price", "brand",
      "category", "language"}},
    {"de",
     "Nichts erfüllt alle Bedingungen.",
     " Weggelassen: ",
     " Erweitert: ",
     ", ",
     ".",
     {"Filiale", "Verfügbarkeit", "Bewertung", "Zustand", "Farbe", "", "Maße", "Preis", "Marke",
      "Kategorie", "Sprache"}},
    {"fr",
     "Aucun produit ne remplit toutes les conditions.",
     " Critères ignorés : ",
     " Critères élargis : ",
     ", ",
     ".",
     {"magasin", "disponibilité", "note", "état", "couleur", "", "dimensions", "prix", "marque",
      "catégorie", "langue"}},
    {"es",
     "Ningún producto cumple todas las condiciones.",
     " Sin tener en cuenta: ",
     " Ampliado: ",
     ", ",
     ".",
     {"tienda", "disponibilidad", "valoración", "estado", "color", "", "medidas", "precio", "marca",
      "categoría", "idioma"}},
    {"zh",
     "没有商品满足全部条件。",
     "未限制：",
     "已放宽：",
     "、",
     "。",
     {"门店", "是否有货", "评分", "新旧程度", "颜色", "", "规格", "价格", "品牌", "类别", "语言"}},
    {"ja",
     "すべての条件に合う商品はありません。",
     "外した条件：",
     "広げた条件：",
     "、",
     "。",
     {"店舗", "在庫", "評価", "状態", "色", "", "サイズ", "価格", "ブランド", "カテゴリー",
      "言語"}},
}};

const Words& WordsOf(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find('-'));
  const auto found = std::find_if(kWords.begin(), kWords.end(),
                                  [&](const Words& each) { return each.language == language; });
  return found == kWords.end() ? kWords.front() : *found;
}

class Explanation {
 public:
  Explanation(const Filter& asked, std::string_view locale)
      : asked_(asked), words_(WordsOf(locale)), facts_(locale) {}

  std::string Run(std::span<const RelaxationStep> steps) const {
    std::vector<std::string> dropped, widened;
    for (const RelaxationStep& step : steps) {
      if (step.widened && IsDropped(step.part, steps)) continue;
      (step.widened ? widened : dropped).push_back(Describe(step.part));
    }
    std::string text(words_.nothing);
    AppendList(words_.dropped, dropped, text);
    AppendList(words_.widened, widened, text);
    return text;
  }

 private:
  /// A condition that was widened first and then dropped counts as dropped.
  static bool IsDropped(FilterPart part, std::span<const RelaxationStep> steps) {
    return std::any_of(steps.begin(), steps.end(), [part](const RelaxationStep& step) {
      return step.part == part && !step.widened;
    });
  }

  void AppendList(std::string_view lead, const std::vector<std::string>& items,
                  std::string& text) const {
    if (items.empty()) return;
    text += lead;
    text += Join(items);
    text += words_.stop;
  }

  std::string Join(const std::vector<std::string>& items) const {
    std::string text;
    for (const std::string& item : items) {
      if (!text.empty()) text += words_.comma;
      text += item;
    }
    return text;
  }

  std::string Bounds(const std::string& low, const std::string& high) const {
    if (low.empty()) return "≤ " + high;
    if (high.empty()) return "≥ " + low;
    return low == high ? low : low + " – " + high;
  }

  std::string PriceBounds() const {
    const auto money = [this](const std::optional<int64_t>& amount) {
      return amount ? facts_.RoundMoney({*amount, asked_.currency}) : std::string();
    };
    return Bounds(money(asked_.min_price), money(asked_.max_price));
  }

  std::string RangeBounds() const {
    std::vector<std::string> ranges;
    for (const retrieval::NumericRange& range : asked_.ranges) {
      const auto number = [&](const std::optional<double>& value) {
        if (!value) return std::string();
        return fmt::format("{:.6g}{}{}", *value, range.unit.empty() ? "" : " ", range.unit);
      };
      const std::string bounds = Bounds(number(range.min), number(range.max));
      ranges.push_back(range.attribute.empty() ? bounds : range.attribute + ' ' + bounds);
    }
    return Join(ranges);
  }

  std::string Attributes() const {
    std::vector<std::string> attributes;
    for (const retrieval::AttributeCondition& each : asked_.attributes) {
      attributes.push_back(each.name + ' ' + Join(each.values));
    }
    return Join(attributes);
  }

  /// The value after the name of the condition, if it reads the same in every language.
  std::string ValueOf(FilterPart part) const {
    switch (part) {
      case FilterPart::kLocation:
        return asked_.location;
      case FilterPart::kMinRating:
        return asked_.min_rating ? fmt::format("≥ {:.2g}", *asked_.min_rating) : "";
      case FilterPart::kAttribute:
        return Attributes();
      case FilterPart::kRange:
        return RangeBounds();
      case FilterPart::kPrice:
        return PriceBounds();
      case FilterPart::kBrand:
        return Join(asked_.brands);
      case FilterPart::kCategory:
        return Join(asked_.categories);
      default:
        return {};
    }
  }

  std::string Describe(FilterPart part) const {
    const auto index = static_cast<size_t>(part);
    const std::string name(index < kParts ? words_.parts[index] : std::string_view());
    const std::string value = ValueOf(part);
    return name.empty() || value.empty() ? name + value : name + ' ' + value;
  }

  const Filter& asked_;
  const Words& words_;
  const FactFormatter facts_;
};

/// U+3040 to U+30FF: kana, which only Japanese uses.
bool HasKana(std::string_view text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const auto second = static_cast<unsigned char>(text[i + 1]);
    if (text[i] == '\xE3' && second >= 0x81 && second <= 0x83) return true;
  }
  return false;
}

/// U+4E00 to U+9FFF.
bool HasHan(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '\xE4' && c <= '\xE9'; });
}

}  // namespace

std::string_view DetectedLanguage(std::string_view text) {
  if (HasKana(text)) return "ja";
  if (HasHan(text)) return "zh";
  switch (retrieval::DetectLanguage(text)) {
    case retrieval::Language::kGerman:
      return "de";
    case retrieval::Language::kFrench:
      return "fr";
    case retrieval::Language::kSpanish:
      return "es";
    case retrieval::Language::kEnglish:
      return "en";
    default:
      return "";
  }
}

std::string_view LanguageOfWords(std::string_view text) {
  const std::string_view detected = DetectedLanguage(text);
  return detected.empty() ? "en" : detected;
}

std::string ExplainRelaxation(const Filter& asked, std::span<const RelaxationStep> steps,
                              std::string_view locale) {
  return steps.empty() ? std::string() : Explanation(asked, locale).Run(steps);
}

}  // namespace emptor::services
