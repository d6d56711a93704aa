// The word lists; sorted, searched by bisection.
#include "retrieval/text/stop_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace emptor::retrieval {
namespace {

using Word = std::string_view;

constexpr std::array kStopWords = {
    Word{"a"},    Word{"an"},   Word{"and"},   Word{"any"},   Word{"are"},   Word{"as"},
    Word{"at"},   Word{"avec"}, Word{"be"},    Word{"but"},   Word{"by"},    Word{"can"},
    Word{"das"},  Word{"dem"},  Word{"der"},   Word{"des"},   Word{"do"},    Word{"does"},
    Word{"du"},   Word{"ein"},  Word{"eine"},  Word{"einen"}, Word{"et"},    Word{"for"},
    Word{"from"}, Word{"fur"},  Word{"has"},   Word{"have"},  Word{"how"},   Word{"i"},
    Word{"if"},   Word{"in"},   Word{"into"},  Word{"is"},    Word{"it"},    Word{"its"},
    Word{"le"},   Word{"les"},  Word{"me"},    Word{"mit"},   Word{"my"},    Word{"no"},
    Word{"not"},  Word{"of"},   Word{"on"},    Word{"or"},    Word{"our"},   Word{"pour"},
    Word{"that"}, Word{"the"},  Word{"their"}, Word{"there"}, Word{"these"}, Word{"this"},
    Word{"to"},   Word{"un"},   Word{"und"},   Word{"une"},   Word{"was"},   Word{"we"},
    Word{"what"}, Word{"when"}, Word{"which"}, Word{"who"},   Word{"will"},  Word{"with"},
    Word{"you"},  Word{"your"}, Word{"zum"},   Word{"zur"},
};

constexpr std::array kRequestWords = {
    Word{"about"},   Word{"below"},     Word{"best"},     Word{"between"}, Word{"buy"},
    Word{"cheap"},   Word{"cheaper"},   Word{"cheapest"}, Word{"could"},   Word{"find"},
    Word{"get"},     Word{"give"},      Word{"good"},     Word{"hello"},   Word{"help"},
    Word{"hi"},      Word{"less"},      Word{"like"},     Word{"looking"}, Word{"max"},
    Word{"maximum"}, Word{"more"},      Word{"most"},     Word{"need"},    Word{"over"},
    Word{"please"},  Word{"recommend"}, Word{"search"},   Word{"sell"},    Word{"show"},
    Word{"some"},    Word{"something"}, Word{"than"},     Word{"under"},   Word{"want"},
    Word{"would"},
};

static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));
static_assert(std::is_sorted(kRequestWords.begin(), kRequestWords.end()));

}  // namespace

bool IsStopWord(std::string_view word) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), word);
}

bool IsRequestWord(std::string_view word) {
  return std::binary_search(kRequestWords.begin(), kRequestWords.end(), word);
}

}  // namespace emptor::retrieval
