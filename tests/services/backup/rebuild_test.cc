// A new generation out of a feed: what it takes from the one that is served, and what it tells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/backup/shop_operations.h"
#include "tests/services/ingest/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using testing::FillShop;
using ::testing::HasSubstr;
using testing::ImportLines;
using ::testing::Not;
using testing::ProductLine;

std::string PolicyLine(const std::string& id, const std::string& text) {
  return fmt::format(R"({{"id":"{}","kind":"policy","title":"{}","text":"{}"}})", id, id, text) +
         "\n";
}

class RebuildTest : public ::testing::Test {
 protected:
  RebuildTest() : shops_(Open(embedder_)) {}
  std::unique_ptr<ShopDirectory> Open(const retrieval::Embedder& embedder) const {
    ShopDirectoryOptions options;
    options.data_directory = folder_.path();
    options.shop.create_if_missing = true;
    return std::make_unique<ShopDirectory>(options, embedder);
  }
  std::shared_ptr<Shop> Served() { return *shops_->Find(kDefaultShop); }
  std::string Rebuild(const std::string& feed, const RebuildSpec& spec = {}) {
    std::istringstream stream(feed);
    const auto reply = RebuildShop(*shops_, kDefaultShop, spec, stream);
    return reply.ok() ? *reply : std::string(reply.status().message());
  }
  std::string TextOf(const std::string& id) {
    const auto document = Served()->store().FindDocument(id);
    return document.ok() && document->has_value() ? (*document)->text : "nothing";
  }

  const emptor::testing::TemporaryDirectory folder_;
  const retrieval::HashingEmbedder embedder_{32};
  const retrieval::HashingEmbedder other_{48};
  std::unique_ptr<ShopDirectory> shops_;
};

TEST_F(RebuildTest, DocumentsThatTheFeedDoesNotNameStay) {
  ASSERT_TRUE(FillShop(*Served(), 2, "one").ok());
  ASSERT_TRUE(ImportLines(*Served(), PolicyLine("returns", "Thirty days.") +
                                         PolicyLine("shipping", "By ship.") +
                                         PolicyLine("gifts", "Wrapped."))
                  .ok());
  const std::string feed = ProductLine("p1", "Pan") + ProductLine("p2", "Pot") +
                           PolicyLine("shipping", "By rail.") +
                           R"({"id":"gifts","kind":"policy","deleted":true})" + "\n";
  EXPECT_THAT(Rebuild(feed), HasSubstr(R"("documents_kept":1)"));
  EXPECT_EQ(TextOf("returns"), "Thirty days.");
  EXPECT_EQ(TextOf("shipping"), "By rail.");
  EXPECT_EQ(TextOf("gifts"), "nothing") << "the feed takes it away";
  EXPECT_EQ(Served()->info().products, 2u);
  EXPECT_EQ(Served()->SearchDocuments({.query = "thirty days"})->at(0).hit.id, "returns");
}

TEST_F(RebuildTest, DocumentsStayThoughTheirVectorsAreOfAnotherEmbedder) {
  ASSERT_TRUE(FillShop(*Served(), 2, "one").ok());
  ASSERT_TRUE(ImportLines(*Served(), PolicyLine("returns", "Thirty days.")).ok());
  shops_.reset();
  shops_ = Open(other_);
  EXPECT_THAT(Rebuild(ProductLine("p1", "Pan") + ProductLine("p2", "Pot")),
              HasSubstr(R"("documents_kept":1)"));
  EXPECT_EQ(TextOf("returns"), "Thirty days.");
}

TEST_F(RebuildTest, TellsRowsThatItCouldNotTake) {
  const std::string reply = Rebuild(ProductLine("p1", "Pan") + "nonsense\n" + "{\"id\":\"p3\"}\n");
  EXPECT_THAT(reply, HasSubstr(R"("errors":2)"));
  EXPECT_THAT(reply, HasSubstr(R"("refused":[{"line":2,)"));
  EXPECT_THAT(reply, HasSubstr(R"("line":3,"id":"p3")"));
  EXPECT_THAT(Rebuild(ProductLine("p1", "Pan")), Not(HasSubstr("refused")));
}

TEST_F(RebuildTest, TakesAMappingOfColumns) {
  RebuildSpec spec;
  ASSERT_TRUE(SetRebuildOption("columns", "Nr=id,Name=title", spec).ok());
  EXPECT_THAT(Rebuild("Nr;Name\n7;Pfanne\n", spec), HasSubstr(R"("created":1)"));
  EXPECT_EQ((*Served()->FindProduct("7"))->title, "Pfanne");
  EXPECT_EQ(SetRebuildOption("columns", "Nr=number", spec).message(),
            "columns: Nr: unknown field \"number\"");
  spec.feed.currency = "eur";
  EXPECT_EQ(Rebuild("Nr;Name\n7;Pfanne\n", spec),
            "currency: expected a currency of ISO 4217, found \"eur\"");
}

TEST_F(RebuildTest, AListCountsOnlyWhatIsOpen) {
  ASSERT_TRUE(FillShop(*Served(), 2, "one").ok());
  EXPECT_THAT(ListShops(*shops_), HasSubstr(R"("products":2)"));
  shops_.reset();
  shops_ = Open(embedder_);
  EXPECT_EQ(ListShops(*shops_),
            R"({"shops":[{"name":"default","open":false,"generation":"gen-000001"}]})");
}

}  // namespace
}  // namespace emptor::services
