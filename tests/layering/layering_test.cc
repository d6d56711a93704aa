// Reads every #include of the product and holds it against the tables in rules.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/layering/rules.h"

namespace emptor::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<SourceFile> ProductSources() {
  std::vector<SourceFile> files;
  for (const char* folder : {"catalog", "engine", "retrieval", "services"}) {
    for (SourceFile& file : ReadSources(EMPTOR_SOURCE_DIR, folder))
      files.push_back(std::move(file));
  }
  return files;
}

std::string Join(const Complaints& complaints) {
  std::string text;
  for (const std::string& complaint : complaints) text += complaint + "\n";
  return text;
}

TEST(LayeringTest, FindsTheSources) { EXPECT_GT(ProductSources().size(), 20u); }

TEST(LayeringTest, FoldersIncludeOnlyWhatTheyMay) {
  EXPECT_EQ(Join(CheckFolders(ProductSources())), "");
}

TEST(LayeringTest, PartsStandOnALadder) { EXPECT_EQ(Join(CheckParts(ProductSources())), ""); }

TEST(LayeringTest, OtherFoldersIncludePublicHeadersAlone) {
  EXPECT_EQ(Join(CheckPublicHeaders(ProductSources())), "");
}

// The rooms as ARCHITECTURE.md draws them; UPDATE_GOLDEN=1 draws them again.
TEST(LayeringTest, ArchitectureDrawsTheRoomsAsTheyAre) {
  const std::string path = std::string(EMPTOR_SOURCE_DIR) + "/ARCHITECTURE.md";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string opening = "<!-- rooms -->\n```\n";
  const size_t begin = text.find(opening);
  ASSERT_NE(begin, std::string::npos) << "ARCHITECTURE.md: no line <!-- rooms --> before a block";
  const size_t first = begin + opening.size();
  const size_t end = text.find("```", first);
  ASSERT_NE(end, std::string::npos);
  const std::string rooms = DrawRooms(ProductSources());
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text.replace(first, end - first, rooms);
    return;
  }
  EXPECT_EQ(text.substr(first, end - first), rooms);
}

TEST(LayeringTest, LibrariesAreIncludedOnlyWhereTheyAreWrapped) {
  EXPECT_EQ(Join(CheckThirdParty(ProductSources())), "");
}

TEST(LayeringTest, FilesHaveTheHouseForm) { EXPECT_EQ(Join(CheckForm(ProductSources())), ""); }

TEST(LayeringTest, FilesAndFunctionsAreShort) {
  EXPECT_EQ(Join(CheckSizes(ProductSources(), {})), "");
}

// The rules themselves, on made-up sources.

TEST(LayeringRulesTest, CatalogAndEngineIncludeNothingOfOurs) {
  const std::vector<SourceFile> files = {
      MakeSource("catalog/a.h", "#include \"retrieval/hit.h\"\n#include <vector>\n"),
      MakeSource("engine/b.cc", "#include \"catalog/a.h\"\n"),
      MakeSource("retrieval/hit.h", "#include \"catalog/a.h\"\n"),
      MakeSource("services/c.cc", "#include \"engine/b.h\"\n#  include \"retrieval/hit.h\"\n"),
      MakeSource("services/d.cc", "#include \"tests/x.h\"\n#include \"../engine/b.h\"\n"),
  };
  EXPECT_THAT(CheckFolders(files),
              ElementsAre("catalog/a.h:1: may not include retrieval/hit.h",
                          "engine/b.cc:1: may not include catalog/a.h",
                          "services/c.cc:1: engine/b.h does not exist",
                          "services/d.cc:1: may not include tests/x.h",
                          "services/d.cc:2: a relative include: spell it from the root"));
}

TEST(LayeringRulesTest, PrivateHeadersStayInTheirPart) {
  const std::vector<SourceFile> files = {
      MakeSource("catalog/storage/leveldb_support.h", ""),
      MakeSource("catalog/storage/x.cc", "#include \"catalog/storage/leveldb_support.h\"\n"),
      MakeSource("services/x.cc", "#include \"catalog/storage/leveldb_support.h\"\n"),
  };
  EXPECT_THAT(CheckFolders(files), ElementsAre(HasSubstr("services/x.cc:1")));
}

TEST(LayeringRulesTest, SchedulerSeesNoModelAndPartsHaveNoCycle) {
  const std::vector<SourceFile> files = {
      MakeSource("engine/scheduler/s.h", "#include \"engine/model/model.h\"\n"),
      MakeSource("retrieval/lexical/l.h", "#include \"retrieval/text/t.h\"\n"),
      MakeSource("retrieval/text/t.h", "#include \"retrieval/lexical/l.h\"\n"),
  };
  EXPECT_THAT(CheckParts(files),
              ElementsAre(HasSubstr("engine/scheduler may not include engine/model"),
                          HasSubstr("a cycle of parts"),
                          HasSubstr("retrieval/text may not include retrieval/lexical")));
}

TEST(LayeringRulesTest, ARoomThatIsNotOnTheLadderIsAnError) {
  EXPECT_THAT(CheckParts({MakeSource("services/loft/a.h", "#include <vector>\n")}),
              ElementsAre(HasSubstr("services/loft: not on the ladder")));
}

TEST(LayeringRulesTest, OtherFoldersMayIncludePublicHeadersOnly) {
  const std::vector<SourceFile> files = {
      MakeSource("services/a.cc", "#include \"engine/kv/block_pool.h\"\n"),
      MakeSource("engine/b.cc", "#include \"engine/kv/block_pool.h\"\n"),
  };
  EXPECT_THAT(
      CheckPublicHeaders(files),
      Contains(HasSubstr("services/a.cc:1: engine/kv/block_pool.h is not a public header")));
  EXPECT_THAT(CheckPublicHeaders(files),
              Contains(HasSubstr("engine/engine.h: listed as public, but no other folder")));
}

TEST(LayeringRulesTest, RoomsAreDrawnFromTheLowest) {
  const std::vector<SourceFile> files = {
      MakeSource("engine/engine.h", "#include \"engine/kv/pool.h\"\n"),
      MakeSource("engine/kv/pool.h", "#include \"engine/tensor/shape.h\"\n"),
      MakeSource("engine/tensor/shape.h", ""),
  };
  EXPECT_THAT(DrawRooms(files), HasSubstr("engine\n"
                                          "  0  tensor\n"
                                          "  1  kv             tensor\n"
                                          "  2  (root)         kv\n"));
}

TEST(LayeringRulesTest, LibrariesAreHidden) {
  const std::vector<SourceFile> files = {
      MakeSource("services/a.cc", "#include \"leveldb/db.h\"\n#include <absl/log/log.h>\n"),
      MakeSource("services/b.h", "#include \"curl/curl.h\"\n#include \"fmt/format.h\"\n"),
      MakeSource("catalog/storage/c.cc", "#include \"leveldb/db.h\"\n"),
  };
  EXPECT_THAT(CheckThirdParty(files),
              ElementsAre(HasSubstr("services/a.cc:1"), HasSubstr("services/a.cc:2"),
                          HasSubstr("services/b.h:1")));
}

TEST(LayeringRulesTest, FormAndSizeAreReported) {
  std::string long_function = "// Purpose.\nint F(int a,\n      int b) {\n";
  for (int i = 0; i < 60; ++i) long_function += "  Call();\n";
  long_function += "}\n\nint G() {\n  return 1;\n}\n";
  const std::vector<SourceFile> files = {MakeSource("engine/common/a.h", "#include <x>\n"),
                                         MakeSource("engine/b.cc", long_function)};
  EXPECT_THAT(CheckForm(files), SizeIs(3));
  EXPECT_THAT(CheckSizes(files, {}), ElementsAre(HasSubstr("engine/b.cc:2: 63 lines")));
  EXPECT_THAT(CheckSizes(files, {.function_lines = 100}), IsEmpty());
  EXPECT_THAT(CheckSizes(files, {.file_lines = 60, .function_lines = 100}), SizeIs(1));
}

TEST(LayeringRulesTest, MembersAndConstructorsAreFunctionsClassesAreNot) {
  const SourceFile file = MakeSource("engine/a.h",
                                     "class A {\n public:\n  explicit A(int x)\n      : x_(x) {\n"
                                     "    Go();\n  }\n  int x_;\n};\n");
  const std::vector<Block> functions = FindFunctions(file);
  ASSERT_THAT(functions, SizeIs(1));
  EXPECT_EQ(functions[0].first, 3);
  EXPECT_EQ(functions[0].last, 6);
}

}  // namespace
}  // namespace emptor::testing
