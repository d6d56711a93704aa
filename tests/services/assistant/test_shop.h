// A small shop in a temporary folder: the real store, the real search, hashed embeddings.
#pragma once

#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop.h"
#include "tests/support/child_process.h"

namespace emptor::services::testing {

inline constexpr std::string_view kCatalog =
    R"({"id":"k20","title":"Torvane Glide Kettle K20","brand":"Torvane","categories":["Kitchen > Kettles"],"price":{"amount":4999,"currency":"USD"},"availability":"in_stock","rating":{"value":4.5,"count":312},"attributes":{"capacity":"1.7 liters","noise level":"65 dB"},"image_link":"/images/k20.svg","locale":"en-US"}
{"id":"k80","title":"Torvane Ember Kettle K80","brand":"Torvane","categories":["Kitchen > Kettles"],"price":{"amount":3999,"currency":"USD"},"availability":"out_of_stock","attributes":{"capacity":"1.0 liters"},"locale":"en-US"}
{"id":"m27","title":"Velsar View Monitor V27","brand":"Velsar","categories":["Computing > Monitors"],"price":{"amount":28900,"currency":"USD"},"availability":"in_stock","attributes":{"screen size":"27 inches"},"locale":"en-US"}
{"id":"ship","kind":"faq","title":"How long does shipping take?","text":"Standard shipping takes 3 to 5 business days.","locale":"en-US"}
)";

/// Opens, fills and keeps a shop. Throws std::runtime_error when it cannot.
class TestShop {
 public:
  TestShop() {
    ShopOptions options;
    options.directory = directory_.path() + "/shop";
    options.create_if_missing = true;
    std::filesystem::create_directories(options.directory);
    auto opened = Shop::Open(options, embedder_);
    if (!opened.ok()) throw std::runtime_error(opened.status().ToString());
    shop_ = *std::move(opened);
    Import(kCatalog);
  }

  Shop& shop() { return *shop_; }
  const retrieval::Embedder& embedder() const { return embedder_; }
  const std::string& directory() const { return directory_.path(); }

  void Import(std::string_view lines) {
    std::istringstream stream{std::string(lines)};
    std::string errors;
    const auto report =
        shop_->writer().Import(stream, {}, {}, [&](const catalog::LineResult& result) {
          if (result.status == catalog::LineStatus::kError) errors += result.message + "\n";
        });
    if (!report.ok()) throw std::runtime_error(report.status().ToString());
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// The kettle K20 at another price.
  void SetPriceOfK20(int64_t amount) {
    std::string line(kCatalog.substr(0, kCatalog.find('\n') + 1));
    line.replace(line.find("4999"), 4, std::to_string(amount));
    Import(line);
  }

 private:
  emptor::testing::TemporaryDirectory directory_;
  retrieval::HashingEmbedder embedder_{64};
  std::unique_ptr<Shop> shop_;
};

}  // namespace emptor::services::testing
