// Text inside of HTML.
#include "catalog/encoding/html.h"

#include <gtest/gtest.h>

namespace emptor::catalog {
namespace {

TEST(EscapeHtmlTest, LeavesNoMarkup) {
  EXPECT_EQ(EscapeHtml("a<b>&\"c'\n"), "a&lt;b&gt;&amp;&quot;c&#39;\n");
  EXPECT_EQ(EscapeHtml(std::string_view("\0", 1)), "\xef\xbf\xbd");
  EXPECT_EQ(EscapeHtml("caf\xc3\xa9"), "caf\xc3\xa9");
}

}  // namespace
}  // namespace emptor::catalog
