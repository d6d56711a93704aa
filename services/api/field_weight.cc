// The parameter "q".
#include "services/api/field_weight.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace emptor::services {

double WeightOf(std::string_view parameters) {
  const absl::string_view text(parameters.data(), parameters.size());
  for (absl::string_view parameter : absl::StrSplit(text, ';')) {
    parameter = absl::StripAsciiWhitespace(parameter);
    if (!absl::ConsumePrefix(&parameter, "q=") && !absl::ConsumePrefix(&parameter, "Q=")) continue;
    double weight = 0;
    return absl::SimpleAtod(parameter, &weight) ? weight : 0;
  }
  return 1;
}

}  // namespace emptor::services
