// `emptor ingest` through a service with a mapping that is longer than a request line may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

TEST(LongMappingTest, GoesThroughAService) {
  const TemporaryDirectory directory;
  const std::string shop = directory.path() + "/shop";
  std::string head = "Nr;Name", row = "1;Lamp";
  std::ofstream mapping(directory.path() + "/mapping.yaml");
  mapping << "columns:\n  Nr: id\n  Name: title\n";
  for (int i = 0; i < 190; ++i) {
    const std::string column = "Spalte " + std::string(50, 'x') + std::to_string(i);
    mapping << "  " << column << ": attributes.a" << i << "\n";
    head += ";" + column;
    row += ";v" + std::to_string(i);
  }
  mapping.close();
  std::ofstream(directory.path() + "/feed.csv") << head << "\n" << row << "\n";
  const ServiceProcess service(shop);
  std::string output;
  EXPECT_EQ(RunEmptor({"ingest", "--data-dir", shop, "--columns",
                       directory.path() + "/mapping.yaml", directory.path() + "/feed.csv"},
                      &output),
            0)
      << output;
  EXPECT_THAT(output, HasSubstr("1 created"));
  const auto product = service.GetJson("/v1/products/1");
  ASSERT_NE(product.Find("attributes"), nullptr);
  EXPECT_EQ(product.Find("attributes")->as_object().size(), 190u);
}

}  // namespace
}  // namespace emptor::testing
