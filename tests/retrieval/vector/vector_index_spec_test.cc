// Factory strings: which are understood, and what an error says.
#include "retrieval/vector/vector_index_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::retrieval {
namespace {

using ::testing::HasSubstr;
using Structure = VectorIndexSpec::Structure;

TEST(VectorIndexSpecTest, ReadsEveryKind) {
  struct Case {
    const char* factory;
    Structure structure;
    size_t lists, links;
    bool has_sq8, is_kept;
    size_t min_rows;
  };
  for (const Case& each :
       {Case{"RaBitQ1,Refine8", Structure::kRaBitQ, 0, 0, false, false, 1},
        Case{"Flat", Structure::kExhaustive, 0, 0, false, false, 1},
        Case{"SQ8", Structure::kExhaustive, 0, 0, true, false, 1},
        Case{"IVF100,Flat", Structure::kInvertedLists, 100, 0, false, true, 3900},
        Case{"IVF1,SQ8", Structure::kInvertedLists, 1, 0, true, true, 39},
        Case{"HNSW32,Flat", Structure::kHnsw, 0, 32, false, true, 1},
        Case{"HNSW4,SQ8", Structure::kHnsw, 0, 4, true, true, 1}}) {
    const auto spec = ParseVectorIndex(each.factory);
    ASSERT_TRUE(spec.ok()) << spec.status();
    EXPECT_EQ(spec->factory, each.factory);
    EXPECT_EQ(spec->structure, each.structure) << each.factory;
    EXPECT_EQ(spec->lists, each.lists) << each.factory;
    EXPECT_EQ(spec->links, each.links) << each.factory;
    EXPECT_EQ(spec->has_sq8, each.has_sq8) << each.factory;
    EXPECT_EQ(spec->is_kept(), each.is_kept) << each.factory;
    EXPECT_EQ(spec->min_rows(), each.min_rows) << each.factory;
  }
  EXPECT_EQ(VectorIndexSpec{}.factory, kDefaultVectorIndex);
}

TEST(VectorIndexSpecTest, RefusesTheRestWithExamples) {
  for (const char* factory : {"",
                              "auto",
                              "flat",
                              "RaBitQ1",
                              "RaBitQ1,Refine4",
                              "RaBitQ1,Refine8,Flat",
                              "PQ16",
                              "IVF4096",
                              "IVF0,SQ8",
                              "IVF65537,SQ8",
                              "IVF99999999999999999999,SQ8",
                              "IVF-4,SQ8",
                              "IVF 4,SQ8",
                              "IVF4096_HNSW32,SQ8",
                              "IVF4096,PQ32",
                              "HNSW3,SQ8",
                              "HNSW129,SQ8",
                              "HNSW32",
                              "IVF64,SQ8,",
                              ",SQ8",
                              "SQ8 "}) {
    const absl::Status status = ParseVectorIndex(factory).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << factory;
    EXPECT_THAT(std::string(status.message()), HasSubstr("\"IVF4096,SQ8\""));
    EXPECT_THAT(std::string(status.message()), HasSubstr("found \"" + std::string(factory) + "\""));
  }
}

}  // namespace
}  // namespace emptor::retrieval
