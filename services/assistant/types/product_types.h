// Which type of product a message is about, in the words of the shop's categories.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"
#include "services/shop/shop_profile.h"

namespace emptor::services {

struct ProductType {
  std::string name;                     // as the lexicon or the category has it: "kettle"
  std::vector<std::string> categories;  // of the shop; empty: it has none of that name
  std::vector<std::string> words;       // that name it in titles, folded, singular
  bool is_whole = false;                // the message names it in full, not its last word alone
  /// Several types that help in a situation: `name` is the need of data/lexicon/needs.txt, which
  /// has the types. Neither categories nor words.
  bool is_advised = false;
  /// The noun of the message, where the words of the name stand apart: "box" of "a box for lunch".
  std::string noun = {};
  std::vector<std::string> advised = {};       // the types, where no need of that name has them
  std::vector<std::string> alternatives = {};  // types that may help in its place, none shown
};

/// Goods of one kind: of the same name, or of the same categories. Pure.
bool IsSameType(const ProductType& one, const ProductType& other);

/// The longest name of a type in the message: of a category's last element ("running shoes"), of
/// the last word of one ("shoes": every kind of them), or of data/lexicon/types.txt in five
/// languages
/// ("Laufschuhe"). In a message of another language, short English names do not count: "hat" is a
/// German verb. Nothing where no word names a type. Pure; linear in the message.
std::optional<ProductType> FindProductType(std::string_view message, std::string_view language,
                                           const ShopProfile& profile);

/// All types that a message names, the longest name first.
std::vector<ProductType> FindProductTypes(std::string_view message, std::string_view language,
                                          const ShopProfile& profile);

/// The listed type of `goods` for `purpose`, by canonical names: "tablet case" of "phone case" and
/// "tablet", as in "funda para tableta". Nothing where the lexicon has none. Pure.
std::optional<ProductType> TypeOfBoth(const std::string& purpose, const std::string& goods,
                                      const ShopProfile& profile);

/// The last element of a category: "Kettles" of "Kitchen > Kettles". Pure.
std::string_view LeafOf(std::string_view category);

/// Every type of data/lexicon, with the shop's categories of that name.
std::vector<ProductType> LexiconTypes(const ShopProfile& profile);

/// Where a message names the type, without what qualifies it: "printer" of "laser printer". Pure.
FoldedMessage::Span HeadOfName(const FoldedMessage& message,
                               const std::vector<std::string>& type_words);

}  // namespace emptor::services
