// How an answer is printed on a terminal.
#include "services/cli/answer_printer.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

TEST(AnswerPrinterTest, ShowsLinksAsAddresses) {
  EXPECT_EQ(PlainMarkdown("The [Kettle](/p/k1) is **good** [1].", "http://h"),
            "The Kettle (http://h/p/k1) is good [1].");
  EXPECT_EQ(PlainMarkdown("[1] [2](x", "http://h"), "[1] [2](x");
}

}  // namespace
}  // namespace emptor::services
