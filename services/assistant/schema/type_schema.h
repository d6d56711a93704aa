// What products of one type state: the attributes, their kinds and values, and the words for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/schema/record_words.h"

namespace emptor::services {

/// A folded value that stands for yes: "true", "是". Pure.
bool MeansYes(std::string_view folded);
/// For no, also "none". Pure.
bool MeansNo(std::string_view folded);

/// A value of an attribute, as records write it.
struct SchemaValue {
  std::string text;
  std::string folded;
  /// The first quantity, in the base unit of its dimension ("g"); a plain number keeps its scale.
  std::optional<double> number = {};
  std::optional<double> number_to = {};  // of "58 to 62 cm": 620 mm
  std::string unit = {};                 // that base unit; empty: the record names none
  std::optional<double> plain =
      {};  // the number as written, where its unit was learned from titles
  size_t records = 0;

  bool is_yes() const { return MeansYes(folded); }
  bool is_no() const { return MeansNo(folded); }
};

/// One attribute of the type.
struct SchemaKey {
  enum class Kind {
    kBoolean,  // yes and no, perhaps other words for yes
    kNumber,   // most values are quantities
    kText,
  };
  std::string name;  // as records write it
  std::string folded;
  Kind kind = Kind::kText;
  std::vector<SchemaValue> values;  // distinct
  size_t records = 0;
  /// Folded phrases of data/lexicon that speak of it, its own name first.
  std::vector<std::string> phrases;
  /// Phrases about a property of whose name this key's is a longer form: those about the noise
  /// level, for "noise level (spin)".
  std::vector<std::string> part_phrases;
  size_t place = 0;  // of its name among those that the lexicon gives the property
  /// The telling words of its name, singular: "button" of "buttons quantity".
  std::vector<std::string> words;
  size_t head_words = 0;  // of them before a bracket: "print speed (black) normal quality"
  std::vector<std::string> less, more;      // words that rank: "quieter", "louder"
  std::vector<std::string> low, high, yes;  // wishes: "quiet", "powerful", "survives rain"

  /// The values that mean no; or, for `wanted`, all others.
  std::vector<std::string> ValuesThatMean(bool wanted) const;
};

/// Immutable once learned. Thread-safety: const methods.
class TypeSchema {
 public:
  /// From records of the type.
  static TypeSchema Learn(const std::vector<const catalog::Product*>& products);

  const std::vector<SchemaKey>& keys() const { return keys_; }  // by name
  const SchemaKey* Find(std::string_view name) const;
  bool empty() const { return keys_.empty(); }
  /// Positions are those of the products from which it was learned.
  const RecordWords& words() const { return words_; }
  size_t product_count() const { return product_count_; }  // from which it was learned

 private:
  std::vector<SchemaKey> keys_;
  RecordWords words_;
  size_t product_count_ = 0;
};

/// "buttons" gives "button". Pure.
std::string SingularOf(std::string word);

/// The first quantity of a value in the base unit of its dimension, with that unit.
struct Quantity {
  double number = 0;
  std::string unit;
  std::optional<double> number_to = {};  // the end of an interval
};
std::optional<Quantity> QuantityOf(std::string_view value);

/// A number by which products are compared: "price" (payable now, minor units), "rating",
/// "reviews", or the quantity of the attribute of that name. Nothing where the record states none.
std::optional<double> NumberOf(const catalog::Product& product, std::string_view key,
                               int64_t now_unix, const catalog::Market& market);

/// The name of an attribute in `language`, by data/lexicon/attributes.txt; the name itself where
/// the lexicon has none.
std::string LabelOf(const std::string& name, std::string_view language);

/// The attribute's value, as an option of a variant or as an attribute.
const std::string* ValueOf(const catalog::Product& product, std::string_view key);

}  // namespace emptor::services
