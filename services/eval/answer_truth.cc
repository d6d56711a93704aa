// Each check reads one kind of statement, sentence by sentence.
#include "services/eval/answer_truth.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "catalog/encoding/utf8.h"
#include "fmt/format.h"
#include "retrieval/text/fold.h"
#include "services/eval/answer_words.h"

namespace emptor::services {
namespace {

using catalog::Product;
using View = std::string_view;

constexpr double kCent = 0.0051;
constexpr int kMaxQuantity = 10;
constexpr std::array<View, 9> kSigns = {"$", "€", "£", "₹", "¥", "￥", "Rs. ", "Rs ", "USD "};
constexpr std::array<View, 7> kSignsAfter = {" €", "€", " $", " USD", " INR", "元", " EUR"};
constexpr std::array<View, 20> kMeasures = {"kg",  "g",   "mm",  "cm", "m",  "l",  "ml",
                                            "W",   "kW",  "dB",  "h",  "GB", "TB", "mAh",
                                            "min", "MHz", "GHz", "V",  "°C", "in"};

/// A comparative or superlative: what it ranks by, and whether less is more of it.
struct Rank {
  View word, key;
  bool is_least;
};
constexpr std::array<Rank, 26> kSuperlatives = {{
    {"cheapest", "price", true},
    {"least expensive", "price", true},
    {"most expensive", "price", false},
    {"highest rated", "rating", false},
    {"best rated", "rating", false},
    {"top rated", "rating", false},
    {"lightest", "attr.weight", true},
    {"heaviest", "attr.weight", false},
    {"quietest", "attr.noise level", true},
    {"loudest", "attr.noise level", false},
    {"gunstigste", "price", true},
    {"billigste", "price", true},
    {"teuerste", "price", false},
    {"leiseste", "attr.noise level", true},
    {"leichteste", "attr.weight", true},
    {"moins cher", "price", true},
    {"moins chere", "price", true},
    {"plus cher", "price", false},
    {"plus leger", "attr.weight", true},
    {"mas barato", "price", true},
    {"mas barata", "price", true},
    {"mas caro", "price", false},
    {"mas ligero", "attr.weight", true},
    {"最便宜", "price", true},
    {"最贵", "price", false},
    {"最轻", "attr.weight", true},
}};
constexpr std::array<Rank, 12> kComparatives = {{
    {"is cheaper than", "price", true},
    {"costs less than", "price", true},
    {"is more expensive than", "price", false},
    {"costs more than", "price", false},
    {"is lighter than", "attr.weight", true},
    {"is heavier than", "attr.weight", false},
    {"is quieter than", "attr.noise level", true},
    {"is louder than", "attr.noise level", false},
    {"is rated higher than", "rating", false},
    {"ist gunstiger als", "price", true},
    {"est moins cher que", "price", true},
    {"es mas barato que", "price", true},
}};
constexpr std::array<View, 6> kBounds = {"under",     "below", "within",
                                         "less than", "unter", "moins de"};
constexpr std::array<View, 6> kSales = {"on sale",  "im angebot", "en promotion",
                                        "en solde", "en oferta",  "促销"};
constexpr std::array<View, 5> kInStock = {"in stock", "auf lager", "en stock", "有货", "现货"};
constexpr std::array<View, 4> kOutOfStock = {"out of stock", "ausverkauft", "agotado", "缺货"};

bool Near(double a, double b) { return std::fabs(a - b) < kCent; }

bool HoldsNear(const std::vector<double>& numbers, double wanted) {
  return std::any_of(numbers.begin(), numbers.end(), [&](double n) { return Near(n, wanted); });
}

/// Amounts with a currency sign before or after them.
std::vector<double> AmountsIn(View text) {
  std::vector<double> amounts;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
                        (i == 0 || std::isdigit(static_cast<unsigned char>(text[i - 1])) == 0);
    if (!begins) continue;
    size_t end = text.find_first_not_of("0123456789.,", i);
    end = std::min(end, text.size());
    const View before = text.substr(0, i), after = text.substr(end);
    const bool has_sign = std::any_of(kSigns.begin(), kSigns.end(),
                                      [&](View sign) { return before.ends_with(sign); }) ||
                          std::any_of(kSignsAfter.begin(), kSignsAfter.end(),
                                      [&](View sign) { return after.starts_with(sign); });
    if (const auto amount = NumberIn(text.substr(i, end - i)); has_sign && amount) {
      amounts.push_back(*amount);
    }
    i = end > i ? end - 1 : i;
  }
  return amounts;
}

/// Numbers with a unit of measure.
std::vector<double> MeasuresIn(View text) {
  std::vector<double> measures;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
                        (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0);
    if (!begins) continue;
    const size_t end = std::min(text.find_first_not_of("0123456789.,", i), text.size());
    View after = text.substr(end);
    if (after.starts_with(" ")) after.remove_prefix(1);
    for (const View unit : kMeasures) {
      const bool is_unit = after.starts_with(unit) &&
                           (after.size() == unit.size() ||
                            std::isalnum(static_cast<unsigned char>(after[unit.size()])) == 0);
      if (is_unit) measures.push_back(NumberIn(text.substr(i, end - i)).value_or(0));
    }
    i = end > i ? end - 1 : i;
  }
  return measures;
}

std::vector<double> NumbersOf(const Product& product) {
  std::string all = product.title + " ; " + product.description + " ; " + product.brand;
  for (const catalog::Attribute& each : product.attributes) {
    all += " ; " + each.name + " ; " + each.value;
  }
  if (product.rating) {
    all += fmt::format(" ; {} ; {}", product.rating->value, product.rating->count);
  }
  return NumbersIn(all);
}

/// The checks on one answer.
class TruthCheck {
 public:
  TruthCheck(const ShownAnswer& answer, const std::string& question, const GoldRecords& records)
      : answer_(answer), question_(question), records_(records) {}

  std::vector<std::string> Run() {
    CollectAmounts();
    for (const AnswerSentence& sentence : ReadSentences(answer_, records_)) {
      CheckAmounts(sentence);
      CheckMeasures(sentence);
      CheckLabels(sentence);
      CheckSuperlatives(sentence);
      CheckComparisons(sentence);
      CheckBounds(sentence);
      CheckStockAndSale(sentence);
      CheckDenials(sentence);
    }
    return std::move(false_);
  }

 private:
  void Report(const AnswerSentence& sentence, const std::string& what) {
    false_.push_back(fmt::format("\"{}\": {}", catalog::Utf8Prefix(sentence.text, 160), what));
  }

  void CollectAmounts() {
    allowed_ = NumbersIn(question_);
    for (const std::string& quote : answer_.quotes) {
      for (const double number : NumbersIn(quote)) allowed_.push_back(number);
    }
    std::vector<double> prices;
    double sum = 0;  // of what is payable
    std::set<std::string> added;
    const auto add = [&](const std::string& id) {
      if (!added.insert(id).second) return;
      const Product* product = records_.Find(id);
      if (product == nullptr) return;
      if (const auto price = records_.PriceOf(*product)) {
        sum += static_cast<double>(price->amount) / 100 * PiecesOf(id);
      }
      for (const auto& money : {records_.PriceOf(*product), records_.ListPriceOf(*product)}) {
        if (money) prices.push_back(static_cast<double>(money->amount) / 100);
      }
    };
    for (const std::string& id : answer_.cards) add(id);
    for (const std::string& id : NamedProducts(answer_, records_)) add(id);
    allowed_.push_back(sum);
    for (const double price : prices) {
      for (int quantity = 1; quantity <= kMaxQuantity; ++quantity) {
        allowed_.push_back(price * quantity);
        for (const double other : prices) allowed_.push_back(price * quantity + other);
      }
      for (const double other : prices) allowed_.push_back(std::fabs(price - other));
    }
  }

  /// 2 where the answer says "2 × [title](/p/id)", else 1.
  double PiecesOf(const std::string& id) const {
    constexpr View kTimes = " \u00d7 [";
    const size_t link = answer_.text.find("(/p/" + id + ")");
    const size_t title = link == std::string::npos ? link : answer_.text.rfind(kTimes, link);
    const bool is_its = title != std::string::npos && answer_.text.find("](", title) == link - 1;
    size_t begin = is_its ? title : 0;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(answer_.text[begin - 1])) != 0) {
      --begin;
    }
    return is_its && begin < title ? std::stod(answer_.text.substr(begin, title - begin)) : 1;
  }

  void CheckAmounts(const AnswerSentence& sentence) {
    for (const double amount : AmountsIn(sentence.text)) {
      if (!HoldsNear(allowed_, amount) && answer_.documents.empty()) {
        Report(sentence, fmt::format("{} is no price of a product named here", amount));
      }
    }
  }

  void CheckMeasures(const AnswerSentence& sentence) {
    if (sentence.subjects.empty()) return;
    std::vector<double> known = MeasuresIn(question_);
    for (const Product* product : sentence.subjects) {
      for (const double number : NumbersOf(*product)) known.push_back(number);
    }
    for (const std::string& quote : answer_.quotes) {
      for (const double number : NumbersIn(quote)) known.push_back(number);
    }
    for (const double measure : MeasuresIn(sentence.text)) {
      bool is_known = HoldsNear(known, measure);
      for (size_t i = 0; !is_known && i < known.size(); ++i) {
        is_known = (sentence.subjects.size() > 1 && HoldsNear(known, known[i] + measure)) ||
                   Near(known[i] * 1000, measure) || Near(known[i], measure * 1000);
      }
      if (!is_known) Report(sentence, fmt::format("no record named here holds {}", measure));
    }
  }

  /// "noise level: 72 dB" and "noise level 72 dB" of a product whose record has that name.
  void CheckLabels(const AnswerSentence& sentence) {
    if (sentence.subjects.size() != 1) return;
    const Product& product = *sentence.subjects.front();
    const std::string text = " " + retrieval::FoldWords(sentence.text) + " ";
    for (const catalog::Attribute& attribute : product.attributes) {
      const std::string name = " " + retrieval::FoldWords(attribute.name) + " ";
      const size_t at = text.find(name);
      if (name.size() < 5 || at == std::string::npos || SaysPhrase(product.title, attribute.name) ||
          IsPartOfLongerName(product, attribute, text))
        continue;
      View rest = View(text).substr(at + name.size());
      for (const View verb : {"is ", "of ", "ist "}) {
        if (rest.starts_with(verb)) rest.remove_prefix(verb.size());
      }
      const auto stated = rest.empty() || std::isdigit(static_cast<unsigned char>(rest[0])) == 0
                              ? std::nullopt
                              : NumberIn(rest);
      const auto values = records_.Values(product, "attr." + attribute.name);
      const double number = stated.value_or(0);
      const bool agrees =
          !stated || std::any_of(values.begin(), values.end(), [&](const auto& value) {
            const std::vector<double> numbers = NumbersIn(value);
            // The folded text has lost its decimal points: "8.5 kg" begins with 8.
            return numbers.empty() || HoldsNear(numbers, number) ||
                   std::any_of(numbers.begin(), numbers.end(),
                               [&](double known) { return std::floor(known) == number; });
          });
      if (!agrees) {
        Report(sentence, fmt::format("{} is {:?} in the record", attribute.name, attribute.value));
      }
    }
  }

  /// "battery life" within "total battery life".
  static bool IsPartOfLongerName(const Product& product, const catalog::Attribute& attribute,
                                 const std::string& text) {
    const std::string name = retrieval::FoldWords(attribute.name);
    return std::any_of(product.attributes.begin(), product.attributes.end(), [&](const auto& each) {
      const std::string other = retrieval::FoldWords(each.name);
      return other.size() > name.size() && other.find(name) != std::string::npos &&
             text.find(other) != std::string::npos;
    });
  }

  void CheckSuperlatives(const AnswerSentence& sentence) {
    if (sentence.subjects.size() != 1 || !sentence.names_products) return;
    std::vector<const Product*> shown;
    for (const std::string& id : answer_.cards) {
      if (const Product* product = records_.Find(id)) shown.push_back(product);
    }
    for (const Rank& rank : kSuperlatives) {
      if (!SaysPhrase(sentence.text, rank.word)) continue;
      const auto best = records_.Best(rank.key, rank.is_least, shown);
      const Product* subject = sentence.subjects.front();
      const bool is_best = best.empty() || records_.Values(*subject, rank.key).empty() ||
                           std::find(best.begin(), best.end(), subject) != best.end() ||
                           std::find(shown.begin(), shown.end(), subject) == shown.end();
      if (!is_best) Report(sentence, fmt::format("it is not the {} of the cards", rank.word));
    }
  }

  void CheckComparisons(const AnswerSentence& sentence) {
    if (sentence.subjects.size() != 2 || !sentence.names_products) return;
    for (const Rank& rank : kComparatives) {
      if (!SaysPhrase(sentence.text, rank.word)) continue;
      const auto best = records_.Best(rank.key, rank.is_least, sentence.subjects);
      const bool holds = best.empty() || best.front() == sentence.subjects.front();
      if (!holds) Report(sentence, fmt::format("by {} it is the other way round", rank.key));
    }
  }

  void CheckBounds(const AnswerSentence& sentence) {
    const std::vector<double> amounts = AmountsIn(sentence.text);
    for (const View word : kBounds) {
      const size_t at = sentence.text.find(word);
      if (at == std::string::npos || amounts.empty() || !sentence.names_products) continue;
      const auto bound = AmountsIn(View(sentence.text).substr(at));
      if (bound.empty()) continue;
      for (const Product* product : sentence.subjects) {
        const auto price = records_.PriceOf(*product);
        if (price && static_cast<double>(price->amount) / 100 > bound.front() + kCent) {
          Report(sentence, fmt::format("{} costs more than that", product->id));
        }
      }
    }
  }

  void CheckStockAndSale(const AnswerSentence& sentence) {
    if (sentence.subjects.size() != 1 || PolarityOf(sentence.text) != Truth::kYes) return;
    const Product& product = *sentence.subjects.front();
    const auto says = [&](const auto& words) {
      return std::any_of(words.begin(), words.end(),
                         [&](View word) { return SaysPhrase(sentence.text, word); });
    };
    const bool says_out = says(kOutOfStock);
    const bool is_in = product.availability == catalog::Availability::kInStock;
    if (says_out && is_in) Report(sentence, "it is in stock");
    if (!says_out && says(kInStock) && !is_in) Report(sentence, "it is not in stock");
    if (says(kSales) && !records_.ListPriceOf(product)) Report(sentence, "it is not on sale");
  }

  /// "The listing does not say its weight" of a record that has one.
  void CheckDenials(const AnswerSentence& sentence) {
    if (sentence.subjects.size() != 1 || !Admits("unknown", sentence.text)) return;
    const Product& product = *sentence.subjects.front();
    for (const catalog::Attribute& attribute : product.attributes) {
      const bool denies =
          SaysPhrase(sentence.text, attribute.name) && attribute.name.size() > 3 &&
          !SaysPhrase(product.title, attribute.name) &&
          !IsPartOfLongerName(product, attribute, retrieval::FoldWords(sentence.text));
      if (denies) Report(sentence, fmt::format("the record says {}", attribute.value));
    }
  }

  const ShownAnswer& answer_;
  const std::string& question_;
  const GoldRecords& records_;
  std::vector<double> allowed_;  // amounts that may be stated
  std::vector<std::string> false_;
};

}  // namespace

std::vector<std::string> FindFalseStatements(const ShownAnswer& answer, const std::string& question,
                                             const GoldRecords& records) {
  return TruthCheck(answer, question, records).Run();
}

int CountFacts(const ShownAnswer& answer, const GoldRecords& records) {
  size_t facts = 0;
  for (const AnswerSentence& sentence : ReadSentences(answer, records)) {
    facts += AmountsIn(sentence.text).size() + MeasuresIn(sentence.text).size();
    for (const View word : kInStock) facts += SaysPhrase(sentence.text, word);
    for (const Product* product : sentence.subjects) {
      for (const catalog::Attribute& each : product->attributes) {
        facts += SaysPhrase(sentence.text, each.name) && !sentence.text.empty();
      }
    }
  }
  return static_cast<int>(facts);
}

}  // namespace emptor::services
