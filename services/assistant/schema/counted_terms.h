// Numbers with the word that they count, where the word is no unit of measure: "5 star", "1.5 ton",
// "3-blade". Apart, the number and the word say nothing of goods: "1.5 ton 5 star" is no "5 ton".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

struct CountedTerm {
  std::string said;  // folded as a message is: "1 5 ton"
  std::string term;  // equal for equal terms: "1.5 ton"
};

/// Sides are a term as well: "70x37" of "70 x 37 mm" and "37 x 70", and
/// so are grades, "5w30" of "5W-30". In the order of the text; of
/// "1,5 ton" and "1.5-ton" the same. Pure.
std::vector<CountedTerm> FindCountedTerms(std::string_view text);

/// The text without the sides of things, "160 x 80 cm": they are one term, no quantities of their
/// own. Pure.
std::string WithoutSides(std::string_view text);

}  // namespace emptor::services
