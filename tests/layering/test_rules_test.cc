// Holds the tests of the repository against the rules for tests.
#include "tests/layering/test_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(HonestTestsTest, EveryTestAssertsSomething) {
  const std::vector<SourceFile> files = ReadSources(EMPTOR_SOURCE_DIR, "tests");
  EXPECT_GT(files.size(), 100u);
  EXPECT_THAT(CheckTestsAssert(files), IsEmpty());
}

TEST(HonestTestsTest, EveryAssertionCanFail) {
  EXPECT_THAT(CheckAssertionsCanFail(ReadSources(EMPTOR_SOURCE_DIR, "tests")), IsEmpty());
}

// The rules themselves, on made-up sources.

TEST(TestRulesTest, ATestWithoutAssertionIsFound) {
  const std::vector<SourceFile> files = {
      MakeSource("tests/a_test.cc",
                 "TEST(A, One) {\n  Go(1);\n}\n\nTEST(A, Two) { Go(2); }\n\n"
                 "TEST_F(A, Three) {\n  EXPECT_EQ(Go(3), 3);\n}\n\n"
                 "TYPED_TEST(A, Four) { ASSERT_TRUE(Go(4)); }\n"),
  };
  EXPECT_THAT(CheckTestsAssert(files), ElementsAre("tests/a_test.cc:1: a test without assertion",
                                                   "tests/a_test.cc:5: a test without assertion"));
}

TEST(TestRulesTest, AFunctionMayAssertForItsTest) {
  const SourceFile helper =
      MakeSource("tests/helper.cc", "void Holds(int x) {\n  EXPECT_GT(x, 1);\n}\n");
  const std::string test =
      "void HoldsTwice(int x) {\n  Holds(x);\n  Holds(x);\n}\n\n"
      "TEST(A, One) {\n  HoldsTwice(2);\n}\n";
  EXPECT_THAT(CheckTestsAssert(
                  {helper, MakeSource("tests/a_test.cc", "#include \"tests/helper.h\"\n" + test)}),
              IsEmpty());
  EXPECT_THAT(CheckTestsAssert({helper, MakeSource("tests/a_test.cc", test)}), SizeIs(1));
}

TEST(TestRulesTest, AssertionsThatCannotFailAreFound) {
  const auto count = [](const std::string& line) {
    return CheckAssertionsCanFail({MakeSource("tests/a_test.cc", "  " + line + "\n")}).size();
  };
  EXPECT_EQ(count("EXPECT_GE(list.size(), 0u);"), 1u);
  EXPECT_EQ(count("EXPECT_GT(metric, -1);"), 1u);
  EXPECT_EQ(count("EXPECT_TRUE(true);"), 1u);
  EXPECT_EQ(count("TEST(A, DISABLED_One) {"), 1u);
  EXPECT_EQ(count("EXPECT_GE(list.size(), 1u);"), 0u);
  EXPECT_EQ(count("EXPECT_GE(signed_number, 0);"), 0u);
}

}  // namespace
}  // namespace emptor::testing
