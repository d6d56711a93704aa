// Files in and out: formats, bad input, duplicates, repetition.
#include "catalog/faq/faq_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "catalog/faq/faq_answer.h"
#include "catalog/faq/faq_export.h"
#include "tests/support/child_process.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FaqImportTest : public ::testing::Test {
 protected:
  FaqImportTest() { store_ = *FaqStore::Open(directory_.path() + "/faq"); }

  /// The results as they are printed; `cut`: bytes of a piece.
  std::vector<std::string> Import(std::string_view file, size_t cut = 7, size_t batch = 256) {
    FaqImportOptions options;
    options.batch = batch;
    options.write = [this](std::vector<FaqPut> puts) {
      return store_->Write(std::move(puts), "t");
    };
    options.missing = [this](const FaqReference& reference) -> absl::StatusOr<std::string> {
      return reference.id == gone_ ? "no such product" : "";
    };
    std::vector<std::string> results;
    FaqImporter importer(options,
                         [&](const FaqLineResult& result) { results.push_back(ToString(result)); });
    for (size_t at = 0; at < file.size() && status_.ok(); at += cut) {
      status_ = importer.Push(file.substr(at, cut));
    }
    const absl::Status finished = importer.Finish();
    if (status_.ok()) status_ = finished;
    counts_ = importer.counts();
    return results;
  }
  FaqEntry Find(const std::string& id) { return store_->Find(id)->value_or(FaqEntry()); }
  std::string Export(bool is_csv) {
    std::string text = is_csv ? FaqCsvHeader() : "";
    EXPECT_TRUE(store_
                    ->Visit([&](const FaqEntry& entry) {
                      text += is_csv ? FaqCsvRecord(entry) : FaqJsonLine(entry);
                      return true;
                    })
                    .ok());
    return text;
  }

  emptor::testing::TemporaryDirectory directory_;
  std::unique_ptr<FaqStore> store_;
  std::string gone_ = "gone";
  absl::Status status_;
  FaqImportCounts counts_;
};

TEST_F(FaqImportTest, ACsvOfQuestionAndAnswerIsEnough) {
  const std::string file =
      "\xEF\xBB\xBFQuestion,answer\r\n"
      "How long is the warranty?,Two years.\r\n"
      "\"Do you gift wrap?|Can I have it wrapped?\",\"Yes, for $4.\"\r\n";
  EXPECT_THAT(Import(file), ElementsAre(StartsWith("line 2: created how-long-is-the-warranty-"),
                                        StartsWith("line 3: created do-you-gift-wrap-")));
  EXPECT_THAT(Import(file), ElementsAre(StartsWith("line 2: unchanged how-long"),
                                        StartsWith("line 3: unchanged do-you")));
  EXPECT_EQ(store_->last_change(), 2u);
  FaqEntry wrap;
  EXPECT_TRUE(store_->Visit([&](const FaqEntry& entry) { return wrap = entry, false; }).ok());
  EXPECT_THAT(wrap.questions, ElementsAre("Do you gift wrap?", "Can I have it wrapped?"));
  EXPECT_EQ(wrap.answer, "Yes, for $4.");
}

TEST_F(FaqImportTest, EveryColumnIsRead) {
  Import(
      "question,question_2,answer,locale,category,valid_from,valid_until,owner,id\n"
      "\"a | b\nc\",d,\"x\ny\",de-DE,Versand,2026-12-01,2026-12-24,Ann,xmas\n");
  ASSERT_TRUE(status_.ok()) << status_;
  const FaqEntry entry = Find("xmas");
  EXPECT_THAT(entry.questions, ElementsAre("a | b", "c", "d"));
  EXPECT_EQ(entry.answer, "x\ny");
  EXPECT_EQ(entry.locale, "de-DE");
  EXPECT_EQ(entry.category, "Versand");
  EXPECT_EQ(entry.owner, "Ann");
  EXPECT_EQ(entry.valid_until - entry.valid_from, 24 * 86400);
}

TEST_F(FaqImportTest, ThreeKindsOfJsonLinesAreRead) {
  EXPECT_THAT(
      Import(
          R"({"id":"own","questions":["a?","b?"],"answer":"1","valid_from":"2026-01-01"})"
          "\n\n"
          R"({"question":"c?","answer":"2"})"
          "\n"
          R"({"kind":"faq","id":"doc","title":"d?","text":"Use {braces}.","link":"https://x.example/"})"),
      ElementsAre("line 1: created own", StartsWith("line 3: created c-"), "line 4: created doc"));
  EXPECT_EQ(Find("doc").answer, "Use {{braces}}.");
  EXPECT_EQ((*ParseFaqAnswer(Find("doc").answer))[0].text, "Use {braces}.");
}

TEST_F(FaqImportTest, TheSampleShopsDocumentsAreEntries) {
  std::ifstream file(std::string(EMPTOR_SOURCE_DIR) + "/data/sample-shop/faq.jsonl");
  std::stringstream text;
  text << file.rdbuf();
  Import(text.str(), 4096);
  EXPECT_TRUE(status_.ok()) << status_;
  EXPECT_GT(counts_.created, 30u);
  EXPECT_EQ(counts_.refused, 0u);
  EXPECT_EQ(Find("faq-shipping-time").questions.front(), "How long does shipping take?");
}

TEST_F(FaqImportTest, EachBadLineSaysWhatIsWrongAndTheOthersAreTaken) {
  gone_ = "p9";
  const auto results = Import(
      "question,answer,locale,valid_from,id\n"
      ",no question,,,\n"
      "no answer,,,,\n"
      "q1,a,english!,,\n"
      "q2,a,,soon,\n"
      "q3,a,,,a b\n"
      "q4,{product p9 price},,,\n"
      "q5,{prodct p1},,,\n"
      "q6,\"unclosed,,,\n"
      "q7,a,,,x,extra\n"
      "q8,fine,,,\n");
  EXPECT_THAT(
      results,
      ElementsAre(
          "refused: line 2: question: expected at least one, found none",
          "refused: line 3: answer: expected a text, found none",
          HasSubstr("line 4: locale: expected a BCP 47 tag such as en-US, found \"english!\""),
          HasSubstr("line 5: valid_from: expected a date"), HasSubstr("line 6: id: expected"),
          "refused: line 7: answer: {product p9 price}: no such product",
          HasSubstr("line 8: answer: byte 0: expected {product ID}"),
          HasSubstr("refused: line 9: row:"), HasSubstr("line 10: row: found 6 cells"),
          StartsWith("line 11: created q8-")));
  EXPECT_EQ(counts_.refused, 9u);
  const auto lines = Import(
      "{\"question\":\"a\"}\n{\"question\":1,\"answer\":\"b\"}\nnonsense\n"
      "{\"question\":\"c\",\"answer\":\"d\",\"extra\":1}\n"
      "{\"kind\":\"policy\",\"title\":\"t\",\"text\":\"x\"}\n"
      "{\"kind\":\"faq\",\"title\":\"t\",\"text\":\"x\",\"product_id\":\"p\"}\n[]\n");
  EXPECT_THAT(
      lines,
      ElementsAre("refused: line 1: answer: expected a text, found none",
                  "refused: line 2: question: expected an array of strings, found an integer",
                  HasSubstr("refused: line 3: byte"),
                  HasSubstr("line 4: extra: no field of an entry"),
                  HasSubstr("line 5: kind: expected faq"),
                  HasSubstr("line 6: product_id: an entry is about the shop"),
                  "refused: line 7: entry: expected an object, found an array"));
}

TEST_F(FaqImportTest, AFileThatCannotBeReadSaysWhy) {
  Import("frage,antwort\na,b\n");
  EXPECT_THAT(std::string(status_.message()), HasSubstr("line 1: no column is named \"frage\""));
  status_ = absl::OkStatus();
  Import("question,id\na,b\n");
  EXPECT_THAT(std::string(status_.message()), HasSubstr("there is no column answer"));
  status_ = absl::OkStatus();
  Import("question,answer,answer\na,b,c\n");
  EXPECT_THAT(std::string(status_.message()), HasSubstr("\"answer\" is there twice"));
  status_ = absl::OkStatus();
  EXPECT_TRUE(Import("").empty());
  EXPECT_TRUE(status_.ok());
}

TEST_F(FaqImportTest, DuplicatesAndContradictionsAreNamed) {
  for (const size_t batch : {size_t{1}, size_t{256}}) {
    SCOPED_TRACE(batch);
    store_.reset();
    std::filesystem::remove_all(directory_.path() + "/faq");
    store_ = *FaqStore::Open(directory_.path() + "/faq");
    const auto results = Import(
        "question,answer,id\n"
        "Is it free?,Yes.,\n"
        "is it FREE,Yes.,\n"
        "Is it free?,No.,\n"
        "Is it free?,No.,other\n"
        "\"Costs?|is it free\",Yes.,\n",
        100, batch);
    EXPECT_THAT(results,
                ElementsAre(StartsWith("line 2: created is-it-free-"),
                            AllOf(StartsWith("line 3: unchanged is-it-free-"), HasSubstr("line 2")),
                            AllOf(StartsWith("refused: line 4:"), HasSubstr("line 2 of this file")),
                            AllOf(StartsWith("refused: line 5:"), HasSubstr("answers"),
                                  HasSubstr("line 2 of this file")),
                            AllOf(StartsWith("line 6: unchanged is-it-free-"),
                                  HasSubstr("same question"))));
    EXPECT_EQ(store_->size(), 1u);
    // Another file that gives the same entry another answer updates it.
    EXPECT_THAT(Import("question,answer\nIs it free?,No.\n"),
                ElementsAre(StartsWith("line 2: updated is-it-free-")));
  }
}

TEST_F(FaqImportTest, WhatIsExportedIsReadBack) {
  FaqEntry entry;
  entry.id = "odd";
  entry.questions = {"a \"b\", c?", "x | y", "=1+1"};
  entry.answer = "line 1\n\nline 2; {product p price} {{x}} \"q\"";
  entry.locale = "pt-BR";
  entry.category = "c,d";
  entry.owner = "O'Hara; Ann";
  entry.valid_from = 1700000000;
  entry.valid_until = 1800000001;
  FaqEntry plain;
  plain.id = "plain";
  plain.questions = {"either|or"};
  plain.answer = "b";
  std::vector<FaqPut> puts;
  puts.push_back({entry});
  puts.push_back({plain});
  ASSERT_TRUE(store_->Write(std::move(puts), "t").ok());
  for (const bool is_csv : {true, false}) {
    const std::string exported = Export(is_csv);
    EXPECT_THAT(Import(exported),
                ElementsAre("line " + std::to_string(is_csv ? 2 : 1) + ": unchanged odd",
                            HasSubstr("unchanged plain")))
        << exported;
    store_.reset();
    std::filesystem::remove_all(directory_.path() + "/faq");
    store_ = *FaqStore::Open(directory_.path() + "/faq");
    Import(exported);
    EXPECT_EQ(counts_.created, 2u);
    EXPECT_EQ(Find("odd").questions, entry.questions);
    EXPECT_EQ(Find("odd").answer, entry.answer);
    EXPECT_EQ(Find("odd").valid_until, entry.valid_until);
    EXPECT_EQ(Find("plain").questions, plain.questions);
    EXPECT_EQ(Export(is_csv).size(), exported.size());
  }
}

TEST(FaqAnswerTest, ReferencesAndBracesAreRead) {
  const auto parts = ParseFaqAnswer("It is {product k-20 price}, see {policy returns}. {{}}}");
  ASSERT_TRUE(parts.ok()) << parts.status();
  ASSERT_EQ(parts->size(), 5u);
  EXPECT_EQ((*parts)[1].reference, (FaqReference{FaqReference::Kind::kProduct, "k-20", "price"}));
  EXPECT_EQ((*parts)[3].reference, (FaqReference{FaqReference::Kind::kPolicy, "returns", ""}));
  EXPECT_EQ((*parts)[4].text, ". {}}");
  EXPECT_EQ(ToString(*(*parts)[1].reference), "{product k-20 price}");
  EXPECT_EQ((*ParseFaqAnswer("{product a energy class }"))[0].reference->field, "energy class");
  for (const char* const text : {"plain", "{", "}}{{", "a{b}c"}) {
    const auto escaped = ParseFaqAnswer(EscapeFaqText(text));
    ASSERT_TRUE(escaped.ok()) << escaped.status();
    std::string back;
    for (const FaqAnswerPart& part : *escaped) back += part.text;
    EXPECT_EQ(back, text);
  }
}

}  // namespace
}  // namespace emptor::catalog
