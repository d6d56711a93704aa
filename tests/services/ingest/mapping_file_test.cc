// Mapping files: YAML with lines in its errors, and bounded.
#include "services/ingest/mapping_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "catalog/feed/column_mapping.h"
#include "services/ingest/job.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMapping = R"(# of the wholesaler's export
delimiter: ";"
decimal_mark: ","
currency: EUR
columns:
  Artikelnummer: id
  Bezeichnung: title
  Inhalt: {field: attributes.capacity, unit: l}
  Farbe: [attributes.color, options.color]
values:
  brand: Torvane
)";

TEST(MappingFileTest, SetsWhatItSays) {
  catalog::FeedOptions options;
  const absl::Status status = ApplyMappingYaml(kMapping, "m.yaml", options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(options.delimiter, ';');
  EXPECT_EQ(options.currency, "EUR");
  ASSERT_EQ(options.columns.size(), 5u);
  EXPECT_EQ(options.columns[2].unit, "l");
  EXPECT_EQ(options.columns[4].field, "options.color");
  ASSERT_EQ(options.constants.size(), 1u);
  EXPECT_EQ(options.constants[0].value, "Torvane");
}

TEST(MappingFileTest, AJobKeepsIt) {
  JobSpec spec;
  ASSERT_TRUE(ApplyMappingYaml(kMapping, "m.yaml", spec.feed).ok());
  Job job;
  job.id = "job-00000001";
  job.spec = spec;
  const auto stored = ParseJob(ToJson(job));
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_EQ(JobOptions(stored->spec), JobOptions(spec));
  EXPECT_EQ(stored->spec.feed.columns.size(), 5u);
  EXPECT_EQ(stored->spec.feed.currency, "EUR");
}

TEST(MappingFileTest, NamesFileLineAndPartOfAMistake) {
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    laughs += std::string(1, c) + ": &" + c + " [*" + static_cast<char>(c - 1);
    for (int i = 0; i < 8; ++i) laughs += std::string(", *") + static_cast<char>(c - 1);
    laughs += "]\n";
  }
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"columns:\n  Preis: pric\n", "m.yaml:2: columns: Preis: unknown field \"pric\""},
      {"currency: EUR\ncolums:\n  a: id\n", "m.yaml:2: colums: unknown setting"},
      {"columns:\n  a: id\n  a: title\n", "m.yaml:3: columns: a: appears twice"},
      {"columns:\n  a:\n", "m.yaml:2: columns: a: unknown field \"\""},
      {"values:\n  brand: ''\n", "m.yaml:2: values: brand: expected a text"},
      {"- a\n", "m.yaml:1: expected a map"},
      {"", "m.yaml:"},
      {"columns: [\n", "m.yaml:"},
      {"? [a]\n: b\n", "m.yaml:1: expected names of one text"},
      {"columns: {a: {b: {c: {d: {e: f}}}}}\n", "m.yaml:1: too deep"},
      {"a: &a [*a]\n", "m.yaml:"},
      {laughs, "m.yaml:"},
      {std::string(5000, '[') + std::string(5000, ']'), "m.yaml:"},
      {std::string(70000, ' '), "m.yaml: longer than 65536 bytes"},
      {"columns:\n  a\xFF: id\n",
       "m.yaml:2: columns: text that is not UTF-8: expected a name of 1 to 256 bytes"},
      {"columns:\n  a: [attributes.b\xEF]\n", "m.yaml:2: columns: a: unknown field"},
  };
  for (const auto& [text, message] : cases) {
    SCOPED_TRACE(text.substr(0, 60));
    catalog::FeedOptions options;
    const absl::Status status = ApplyMappingYaml(text, "m.yaml", options);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
}

TEST(MappingFileTest, IsReadFromAFile) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/m.yaml";
  std::ofstream(path) << kMapping;
  catalog::FeedOptions options;
  EXPECT_TRUE(LoadMappingFile(path, options).ok());
  EXPECT_EQ(options.columns.size(), 5u);
  EXPECT_TRUE(absl::IsNotFound(LoadMappingFile(path + "x", options)));
  EXPECT_TRUE(IsMappingFile("m.yaml"));
  EXPECT_TRUE(IsMappingFile("a=b.json"));
  EXPECT_FALSE(IsMappingFile("Name=title,Preis=price"));
}

}  // namespace
}  // namespace emptor::services
