// Which hosts are learned from links, and which of them a page allows.
#include "services/shop/image_hosts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/shop/saved_state.h"

namespace emptor::services {
namespace {

TEST(ImageHostsTest, LearnsPublicNamesAlone) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"https://cdn.example/a.jpg", "https://cdn.example"},
      {"https://CDN.Example:443/a.jpg?x=1", "https://cdn.example"},
      {"http://img.shop.example:8080/a", "http://img.shop.example:8080"},
      {"http://img.shop.example:80", "http://img.shop.example"},
      {"/images/a.jpg", ""},
      {"ftp://cdn.example/a.jpg", ""},
      {"https://localhost/a.jpg", ""},
      {"https://intranet/a.jpg", ""},
      {"https://printer.local/a.jpg", ""},
      {"http://127.0.0.1/a.jpg", ""},
      {"http://192.168.1.10/a.jpg", ""},
      {"http://[::1]/a.jpg", ""},
      {"https://user@cdn.example/a.jpg", ""},
      {"https://cdn.example;script-src */a.jpg", ""},
      {"https://*.example/a.jpg", ""},
      {"https://cdn..example/a.jpg", ""},
      {"https://-cdn.example/a.jpg", ""},
      {"https://cdn.example:0/a.jpg", ""},
      {"https://cdn.example:99999/a.jpg", ""},
      {"https://cdn.example:80x/a.jpg", ""},
      {"https://" + std::string(300, 'a') + ".example/a.jpg", ""},
      {"https://", ""},
      {"", ""}};
  for (const auto& [link, host] : cases) {
    EXPECT_EQ(ImageHostOf(link).value_or(""), host) << link;
  }
}

catalog::Product WithPictures(std::vector<std::string> links) {
  catalog::Product product;
  product.image_link = links.front();
  product.additional_image_links = {links.begin() + 1, links.end()};
  return product;
}

TEST(ImageHostsTest, CountsAHostOncePerProductAndIsBounded) {
  ImageHostCounts counts;
  CountImageHosts(WithPictures({"https://a.example/1", "https://a.example/2", "/3"}), counts);
  CountImageHosts(WithPictures({"https://a.example/1", "https://b.example/2"}), counts);
  EXPECT_EQ(counts, (ImageHostCounts{{"https://a.example", 2}, {"https://b.example", 1}}));
  for (int i = 0; i < 1000; ++i) {
    CountImageHosts(WithPictures({"https://h" + std::to_string(i) + ".example/1"}), counts);
  }
  EXPECT_EQ(counts.size(), kMaxImageHosts);
  CountImageHosts(WithPictures({"https://a.example/4"}), counts);
  EXPECT_EQ(counts["https://a.example"], 3u);
}

TEST(ImageHostsTest, AllowsTheMostUsedAndPrefersHttps) {
  ImageHostCounts counts = {{"http://a.example", 9},
                            {"https://a.example", 1},
                            {"http://b.example", 5},
                            {"https://c.example", 5}};
  EXPECT_EQ(
      AllowedImageHosts(counts),
      (std::vector<std::string>{"http://b.example", "https://c.example", "https://a.example"}));
  for (int i = 0; i < 100; ++i) counts["https://h" + std::to_string(i) + ".example"] = 7;
  EXPECT_EQ(AllowedImageHosts(counts).size(), kMaxAllowedImageHosts);
}

TEST(ImageHostsTest, AreSavedAndTheStateOfAnEarlierBuildIsRead) {
  SavedState state;
  state.store = "s";
  state.profile.image_hosts = {{"https://a.example", 3}};
  const std::string bytes = EncodeSavedState(state);
  auto read = DecodeSavedState(bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->knows_image_hosts);
  EXPECT_EQ(read->profile.image_hosts, state.profile.image_hosts);

  state.profile.image_hosts.clear();
  std::string earlier = EncodeSavedState(state);
  earlier.resize(earlier.size() - 4);  // without the number of hosts
  read = DecodeSavedState(earlier);
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(read->knows_image_hosts);
}

}  // namespace
}  // namespace emptor::services
