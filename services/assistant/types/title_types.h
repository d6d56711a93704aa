// What a title says that its product is: the name of goods that ends its head.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/types/goods_names.h"
#include "services/assistant/types/product_types.h"

namespace emptor::services {

/// What a title names before what it is for, folded: "battery" of "battery for laptops".
std::string HeadOf(std::string_view title);

/// The head of the first part of a title: "kettle" of "Kettle - 1.7 l | fast". Pure.
std::string FirstHeadOf(std::string_view title);

/// A name of goods in the head of a title.
struct TitleName {
  size_t begin = 0, end = 0;  // into the words of the head
  std::string text;           // as it stands, singular
  std::string name;           // of the lexicon's type, else the text: "canopy"
  bool is_type = false;       // else it names what belongs to a product
  bool is_measured = false;   // it follows an amount: "1000 GB HDD" may be a disk or a PC's
  bool is_component = false;  // so it does behind what the product is called: "Phone X (8 GB RAM"
};

/// The names in the first part of a title that holds any, in their order; the last one says what
/// the product is. What follows an amount is a component of what stands before: "laptop 8 GB RAM".
/// `type`: whose names count, too, where the lexicon lacks them, and `own` names of the shop's
/// goods; both may be null. Pure.
std::vector<TitleName> NamesInTitle(std::string_view title, const ProductType* type = nullptr,
                                    const GoodsNames* own = nullptr);

/// True when the title names the type, and not what belongs to it. Pure.
bool IsOfType(std::string_view title, const ProductType& type, const GoodsNames* own = nullptr);

/// True where the name is the type's, or of a kind of it: "garden glove" of "glove", but no "water
/// heater" of "heater" (data/lexicon/kinds.txt). Pure.
bool IsKindOf(std::string_view name, const ProductType& type);

/// True when its head names a product of another type. Pure.
bool NamesOtherType(std::string_view title, const ProductType& type);

/// True when the last name in it is that of another type, and none the type's. Pure.
bool EndsWithOtherType(std::string_view title, const ProductType& type);

/// True when what belongs to a product follows the type's name at once: "headphone case". Pure.
bool NamesPartOf(std::string_view title, const ProductType& type);

/// True for an attribute that says what a product is: "product type". Pure.
bool StatesType(std::string_view attribute);

/// "Mini tablet" ends with a name of tablets. Pure.
bool EndsWithType(std::string_view value, const ProductType& type);

/// The word behind the name of the type in the head of a title: "regulator" of "ceiling fan
/// regulator"; empty: the name ends it. Pure.
std::string WordBehindName(std::string_view title, const ProductType& type);

/// True when it names what belongs to the type: "washing machine cover", "gasket for cookers".
bool IsForType(std::string_view title, const ProductType& type);

}  // namespace emptor::services
