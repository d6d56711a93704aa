// In every format: a row is refused, its text in the dead letter is corrected, --retry takes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/job_files.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct RetryCase {
  const char* name;
  catalog::FeedFormat format;  // that the feed turns out to be in
  std::string feed;
  std::string wrong, right;  // what a person changes in the raw text
  std::string id, title;     // of the record that comes of it
};

class DeadLetterRetryTest : public ::testing::Test {
 protected:
  DeadLetterRetryTest() {
    ShopOptions options;
    options.directory = directory_.path();
    options.create_if_missing = true;
    shop_ = *Shop::Open(options, embedder_);
    jobs_ = *Jobs::Open(shop_->writer(), {.directory = directory_.path() + "/jobs"});
  }

  Job Run(const std::string& feed, catalog::FeedFormat format) {
    JobSpec spec;
    spec.feed.format = format;
    spec.feed.currency = "EUR";
    std::istringstream stream(feed);
    const auto job = jobs_->Run(jobs_->Start(spec)->job.id, stream, nullptr);
    EXPECT_TRUE(job.ok()) << job.status();
    EXPECT_EQ(job->state, JobState::kDone) << job->error;
    return *job;
  }

  emptor::testing::TemporaryDirectory directory_;
  const retrieval::HashingEmbedder embedder_{16};
  std::unique_ptr<Shop> shop_;
  std::unique_ptr<Jobs> jobs_;
};

class EachFormatTest : public DeadLetterRetryTest,
                       public ::testing::WithParamInterface<RetryCase> {};

/// The letters with `wrong` replaced in their raw text, and how often that was.
std::pair<std::string, int> Corrected(const std::string& letters, const RetryCase& c) {
  std::string corrected;
  int count = 0;
  std::istringstream lines(letters);
  for (std::string line; std::getline(lines, line);) {
    const auto letter = catalog::ParseJson(line);
    EXPECT_TRUE(letter.ok());
    catalog::JsonWriter writer;
    writer.BeginObject();
    for (const catalog::JsonMember& member : letter->as_object()) {
      writer.Key(member.name);
      if (member.name != "raw") {
        writer.Value(member.value);
        continue;
      }
      std::string raw = member.value.as_string();
      if (const size_t at = raw.find(c.wrong); at != std::string::npos) {
        raw.replace(at, c.wrong.size(), c.right);
        ++count;
      }
      writer.String(raw);
    }
    corrected += writer.EndObject().Take() + "\n";
  }
  return {corrected, count};
}

TEST_P(EachFormatTest, TheCorrectedRowIsTaken) {
  const RetryCase& c = GetParam();
  const Job first = Run(c.feed, catalog::FeedFormat::kAuto);
  EXPECT_EQ(first.report.errors, 1u);
  EXPECT_EQ(first.report.created, 2u);
  const std::string letters = *jobs_->ReadDeadLetters(first.id);
  const auto [corrected, count] = Corrected(letters, c);
  ASSERT_EQ(count, 1) << letters;
  const auto retry = ParseDeadLetters(corrected);
  ASSERT_TRUE(retry.ok()) << retry.status();
  EXPECT_EQ(retry->format, c.format);
  EXPECT_THAT(retry->without_raw, IsEmpty());
  const Job second = Run(retry->feed, retry->format);
  EXPECT_EQ(second.report.errors, 0u) << retry->feed << *jobs_->ReadDeadLetters(second.id);
  EXPECT_EQ(second.report.created, 1u) << retry->feed;
  EXPECT_EQ(second.report.updated, 0u) << "the other rows stand as they are";
  const auto product = shop_->reader().FindProduct(c.id);
  ASSERT_TRUE(product.ok() && product->has_value());
  EXPECT_EQ((*product)->title, c.title);
}

std::vector<RetryCase> Cases() {
  using catalog::FeedFormat;
  const std::string table = "id,title,note\na,First,x\n,\"Gr\xC3\xB6n, two\",y\nc,Third,z\n";
  std::string tabs = table;
  std::replace(tabs.begin(), tabs.end(), ',', '\t');
  std::string latin = table;
  latin.replace(latin.find("\xC3\xB6"), 2, "\xF6");
  const std::string items =
      "<item><x:id>a</x:id><title>First</title></item>\n"
      "<item><x:id>b</x:id><x:titel>Second &amp; last</x:titel></item>\n"
      "<item><x:id>c</x:id><title>Third</title></item>\n";
  std::string plain = items;
  for (size_t at; (at = plain.find("x:")) != std::string::npos;) plain.erase(at, 2);
  std::string faulty = items, open = items;
  const std::string wrong_title = "<x:titel>Second &amp; last</x:titel>";
  faulty.replace(faulty.find(wrong_title), wrong_title.size(),
                 "<x:title>Second \x01 last</x:title>");
  open.replace(open.find(wrong_title), wrong_title.size() + 7, "<x:title>Second</x:title>");
  const std::string shopify =
      "Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src\n"
      "shirt,Shirt,Size,S,5,https://s.example/1.jpg\n"
      "shirt,,,M,\"6\"x,\n"
      "shirt,,,L,7,\n"
      "shirt,,,,,https://s.example/3.jpg\n";
  const std::string linked = R"({"@type":"Product","sku":")";
  return {
      {"Jsonl", FeedFormat::kJsonl,
       "{\"id\":\"a\",\"title\":\"First\"}\n{\"id\":\"b\",\"title\":7}\n"
       "{\"id\":\"c\",\"title\":\"Third\"}\n",
       "7", "\"Second\"", "b", "Second"},
      {"Acp", FeedFormat::kJsonl,
       "{\"id\":\"g\",\"variants\":[{\"id\":\"a\",\"title\":\"First\"},{\"id\":\"b\"},"
       "{\"id\":\"c\",\"title\":\"Third\"}]}\n",
       "\"b\"", "\"b\",\"title\":\"Second\"", "b", "Second"},
      {"Csv", FeedFormat::kCsv, table, ",\"Gr", "b,\"Gr", "b", "Gr\xC3\xB6n, two"},
      {"CsvOfAnotherEncoding", FeedFormat::kCsv, latin, ",\"Gr", "b,\"Gr", "b", "Gr\xC3\xB6n, two"},
      {"GoogleTsv", FeedFormat::kGoogleTsv, tabs, "\t\"Gr", "b\t\"Gr", "b", "Gr\xC3\xB6n two"},
      {"Rss", FeedFormat::kGoogleXml,
       "<rss xmlns:x='http://base.google.com/ns/1.0'><channel>" + items + "</channel></rss>",
       "<x:titel>Second &amp; last</x:titel>", "<x:title>Second</x:title>", "b", "Second"},
      {"BindingsOfOneItemAlone", FeedFormat::kGoogleXml,
       "<rss><item><id>a</id><title>First</title></item>"
       "<channel xmlns:x='http://base.google.com/ns/1.0'>" +
           items.substr(items.find('\n') + 1) + "</channel></rss>",
       "titel>Second &amp; last</x:titel", "title>Second</x:title", "b", "Second"},
      {"XmlOfADefaultNamespace", FeedFormat::kGoogleXml,
       "<feed xmlns='http://s.example/\"feed'>" + plain + "</feed>",
       "titel>Second &amp; last</titel", "title>Second</title", "b", "Second"},
      {"XmlNotWellFormed", FeedFormat::kGoogleXml,
       "<rss xmlns:x='http://base.google.com/ns/1.0'><channel>" + faulty + "</channel></rss>",
       "\x01", "&amp;", "b", "Second & last"},
      {"XmlNotWellFormedWithBindingsOfItsOwn", FeedFormat::kGoogleXml,
       "<rss><item><id>a</id><title>First</title></item>"
       "<channel xmlns:x='http://base.google.com/ns/1.0'>" +
           faulty.substr(faulty.find('\n') + 1) + "</channel></rss>",
       "\x01", "&amp;", "b", "Second & last"},
      {"XmlItemLeftOpen", FeedFormat::kGoogleXml,
       "<rss xmlns:x='http://base.google.com/ns/1.0'>" + open + "</rss>", "</x:title>",
       "</x:title></item>", "b", "Second"},
      {"ShopifyVariantAmongOthers", FeedFormat::kShopifyCsv, shopify, "\"6\"x", "6", "shirt-M",
       "Shirt"},
      {"JsonLd", FeedFormat::kJsonLd,
       "{\"@context\":\"https://schema.org\",\"@graph\":[" + linked + "a\",\"name\":\"First\"}," +
           linked + "b\"}," + linked + "c\",\"name\":\"Third\"}]}",
       "\"b\"", "\"b\",\"name\":\"Second\"", "b", "Second"},
      {"JsonLdOfAPage", FeedFormat::kJsonLd,
       "<html><script type='application/ld+json'>" + linked + "a\",\"name\":\"First\"}</script>" +
           "<script type='application/ld+json'>" + linked + "b\",\"name\":\"Second\"</script>" +
           "<script type='application/ld+json'>" + linked + "c\",\"name\":\"Third\"}</script>",
       "\"Second\"", "\"Second\"}", "b", "Second"},
  };
}

INSTANTIATE_TEST_SUITE_P(Retry, EachFormatTest, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(DeadLetterRetryTest, AJobReportsTheFaultsThatItToleratesInTheFeed) {
  const Job job = Run("<rss><item><g:id>a</g:id><g:title>First</g:title></item></rss>",
                      catalog::FeedFormat::kAuto);
  EXPECT_EQ(job.report.created, 1u);
  EXPECT_EQ(job.report.warnings, 0u);
  EXPECT_THAT(job.notes, ElementsAre(HasSubstr("line 1: the prefix \"g\" is not bound")));
  const auto stored = ParseJob(ToJson(*jobs_->Find(job.id)));
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_EQ(stored->notes, job.notes);
}

TEST(DeadLetterTest, RecordsTheEncodingAndTheContextOfTheText) {
  catalog::LineResult result;
  const auto reader = catalog::MakeFeedReader({}, [&](catalog::FeedRow&& row) {
    result.line = row.line;
    result.raw = row.raw;
    return absl::OkStatus();
  });
  ASSERT_TRUE(reader
                  ->Push("<?xml version='1.0' encoding='ISO-8859-1'?>"
                         "<rss xmlns:g='http://base.google.com/ns/1.0'>"
                         "<item><g:id>\xF6</g:id></item></rss>")
                  .ok());
  ASSERT_TRUE(reader->Finish().ok());
  const std::string letter = DeadLetterJson(result, *reader);
  EXPECT_THAT(letter, HasSubstr(R"("encoding":"windows-1252")"));
  EXPECT_THAT(letter, HasSubstr(R"("postamble":"\u003c/items\u003e\n")"));
  const auto retry = ParseDeadLetters(letter);
  ASSERT_TRUE(retry.ok());
  EXPECT_EQ(retry->feed,
            "<items xmlns:g=\"http://base.google.com/ns/1.0\">\n"
            "<item><g:id>\xC3\xB6</g:id></item>\n</items>\n");
}

}  // namespace
}  // namespace emptor::services
