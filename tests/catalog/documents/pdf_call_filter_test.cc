// What the process that reads a PDF may still ask the kernel for, each call in a child of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "catalog/documents/document_reader.h"
#include "catalog/documents/pdf_process.h"
#include "tests/catalog/documents/pdf_builder.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The test program makes the call under the filter alone, without the limits.
absl::StatusOr<PdfPages> Make(const std::string& call) {
  return ReadPdfInChild("misbehave:call " + call, {.executable = EMPTOR_PDF_CHILD});
}

class PdfCallFilterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!KernelFiltersCalls()) GTEST_SKIP() << "this kernel or sandbox filters no system calls";
  }
};

TEST_F(PdfCallFilterTest, WhatNoReaderNeedsStopsIt) {
  for (const char* call : {"socket", "local socket", "execve", "fork", "thread", "signal", "trace",
                           "read", "write elsewhere", "dup", "map a file", "map a program",
                           "make a program", "move a lock", "privileges", "user", "ring"}) {
    const auto pages = Make(call);
    EXPECT_TRUE(absl::IsInvalidArgument(pages.status())) << call << ": " << pages.status();
    EXPECT_THAT(std::string(pages.status().message()), HasSubstr("was stopped")) << call;
    EXPECT_EQ(DocumentRefusalOf(pages.status()), "pdf_stopped") << call;
  }
}

TEST_F(PdfCallFilterTest, FileAccessIsDeniedAndTheReaderContinues) {
  for (const char* call : {"open", "create", "look"}) {
    const auto pages = Make(call);
    ASSERT_TRUE(pages.ok()) << call << ": " << pages.status();
    EXPECT_THAT(pages->pages, ElementsAre("EACCES")) << call;
  }
}

TEST_F(PdfCallFilterTest, MemoryIsThere) {
  const auto pages = Make("allocate");
  ASSERT_TRUE(pages.ok()) << pages.status();
  EXPECT_THAT(pages->pages, ElementsAre("possible"));
}

TEST_F(PdfCallFilterTest, ACrashOfTheParserIsReportedAsACrash) {
  const auto pages = Make("abort");
  EXPECT_THAT(std::string(pages.status().message()), HasSubstr("crashed the parser (signal 6)"));
  EXPECT_EQ(DocumentRefusalOf(pages.status()), "pdf_crashed");
}

TEST(PdfWithoutCallFilterTest, IsReadWithinItsLimits) {
  const std::string pdf = testing::MakePdf({testing::PdfLines({"Boil water."})});
  const auto pages =
      ReadPdfInChild("misbehave:without filter\n" + pdf, {.executable = EMPTOR_PDF_CHILD});
  ASSERT_TRUE(pages.ok()) << pages.status();
  EXPECT_THAT(pages->pages, ElementsAre("Boil water."));
}

}  // namespace
}  // namespace emptor::catalog
