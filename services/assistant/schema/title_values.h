// What titles say where no attribute does: colours, materials and the like, how many pieces a pack
// holds, and by that the price of one (data/lexicon/titles.txt).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The values of a title of the kind that a question asks for: "rayon" of "what fabric is it", and
/// of "is it cotton" (`asks_yes_no`), which the title does not say. Empty: it asks for no such
/// kind, or the title has none, or it asks so of something that the title does not name ("what
/// color is the strap"). `rest` are its words without those of the name and the type. Pure; linear
/// in the title.
std::vector<std::string> ValuesInTitle(const FoldedMessage& question, const FoldedMessage& rest,
                                       std::string_view language, std::string_view title,
                                       bool asks_yes_no);

/// The number of pieces.
struct Pack {
  std::string text;  // "pack of 3"; empty: of an attribute
  int count = 0;
};

/// What the title says of it; nothing for several that differ. Pure.
std::optional<Pack> PackInTitle(std::string_view title);

/// True where a question asks how many pieces there are; `rest` are its words without those of the
/// name and the type: another word than one for pieces, or of the title, is counted itself. Pure.
bool AsksForPack(const FoldedMessage& question, const FoldedMessage& rest, std::string_view title);

/// "Is it a 5 star", of a title with "3 Star": another number of the same. Pure.
bool TitleCountsOtherwise(const FoldedMessage& question, std::string_view title);

/// "5 star" of "how many stars has it": the number before a word of the question, and the word.
/// Empty: the title has none. Pure.
std::string CountInTitle(const FoldedMessage& question, std::string_view title);

/// "Are they fried", of a title with "non fried": it denies a word that the question asks for.
/// Pure.
bool TitleDenies(const FoldedMessage& question, std::string_view title);

/// Of what a question asks the price: one piece, or an amount.
struct PriceOf {
  double share = 0;       // of the product's price
  std::string unit = {};  // "l"; empty: a piece
  std::string count;      // pieces, or units that the product holds
};

/// Nothing: it does not ask so, or the record does not say how many there are. Pure.
std::optional<PriceOf> ReadPriceOf(const FoldedMessage& question, const catalog::Product& product);

}  // namespace emptor::services
