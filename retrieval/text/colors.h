// Base colours by colour words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

/// The base colour that a folded word names ("grey" -> "gray", "schwarz" -> "black",
/// "navy" -> "blue"); empty when it is no colour. English, German, French, Spanish, Chinese.
std::string_view FindColor(std::string_view word);

/// The distinct base colours named in a text ("Midnight Black/Rot" -> black, red), in its order.
std::vector<std::string> ColorsIn(std::string_view text);

/// True for the name of a property that holds colours: "colour", "product colour", "Farbe".
/// `name` is folded. "Colour display: yes" and "printing colours" mean something else.
bool IsColorProperty(std::string_view name);

}  // namespace emptor::retrieval
