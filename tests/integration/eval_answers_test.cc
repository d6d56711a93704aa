// `emptor eval answers` as it is typed: files of a shop and of its parts, the gate, bad cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/command_test.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

class EvalAnswersTest : public CommandTest {
 protected:
  EvalAnswersTest() {
    Write("feed.jsonl",
          R"({"id":"k1","title":"Torvane Kettle K1","price":{"amount":4999,"currency":"USD"}})"
          "\n"
          R"({"id":"l1","title":"Glowick Lamp L1","price":{"amount":2999,"currency":"USD"}})"
          "\n");
    EXPECT_EQ(Run({"ingest", Path("feed.jsonl")}), 0) << output_;
    Write("shop.types.json", R"({"kettle":{"title":["kettle"]}})");
  }
  static std::string FindCase(const std::string& say, const std::string& type) {
    return R"({"id":"c-1","turns":[{"say":")" + say +
           R"(","kind":"find","expect":{"cards":{"where":[{"type":")" + type +
           "\"}],\"min\":1}}}]}\n";
  }
  int Eval(const std::string& cases, const std::string& gate = "0") {
    return Run({"eval", "answers", "--model", "none", "--cases", cases, "--gate", gate});
  }
};

TEST_F(EvalAnswersTest, APartOfAShopHasTypesOfItsOwnNextToThoseOfTheShop) {
  Write("shop-lamps.types.json", R"({"lamp":{"title":["lamp"]}})");
  const std::string part = Write("shop-lamps.jsonl", FindCase("show me lamps", "lamp"));
  EXPECT_EQ(Eval(part, "1"), 0) << output_;
  const std::string shared = Write("shop-lamps.jsonl", FindCase("show me kettles", "kettle"));
  EXPECT_EQ(Eval(shared, "1"), 0) << output_;
  const std::string other = Write("shop.jsonl", FindCase("show me lamps", "lamp"));
  EXPECT_NE(Eval(other), 0);
  EXPECT_THAT(output_, HasSubstr("unknown type \"lamp\""));
}

TEST_F(EvalAnswersTest, APartNeedsNoTypesOfItsOwnButTheShopDoes) {
  const std::string part = Write("shop-kettles.jsonl", FindCase("show me kettles", "kettle"));
  EXPECT_EQ(Eval(part, "1"), 0) << output_;
  const std::string stranger = Write("other.jsonl", FindCase("show me kettles", "kettle"));
  EXPECT_NE(Eval(stranger), 0);
  EXPECT_THAT(output_, HasSubstr("other.types.json: cannot be read"));
}

TEST_F(EvalAnswersTest, AGateThatIsMissedEndsWithAnError) {
  Write("shop-none.types.json", R"({"thing":{"title":["kettle","lamp"]}})");
  const std::string wrong = Write("shop-none.jsonl", FindCase("thank you very much", "thing"));
  EXPECT_EQ(Eval(wrong, "0.9"), 1) << output_;
  EXPECT_EQ(Eval(wrong, "0"), 0) << output_;
}

}  // namespace
}  // namespace emptor::testing
