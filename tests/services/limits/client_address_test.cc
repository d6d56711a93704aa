// Whose request it is behind proxies.
#include "services/limits/client_address.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

TEST(ClientAddressTest, IsThePeerUnlessThatIsAProxy) {
  const std::vector<std::string> proxies = {"10.0.0.1", "2001:db8::5"};
  struct Case {
    const char* remote;
    const char* forwarded;
    const char* address;
  };
  const Case cases[] = {
      {"192.0.2.7", "", "192.0.2.7"},
      {"192.0.2.7", "198.51.100.1", "192.0.2.7"},  // no proxy: what it says is not believed
      {"127.0.0.1", "", ""},
      {"::1", "", ""},
      {"::ffff:127.0.0.1", "", ""},
      {"127.0.0.1", "198.51.100.1", "198.51.100.1"},
      {"127.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"},  // the first one is forged
      {"10.0.0.1", "198.51.100.1", "198.51.100.1"},
      {"127.0.0.1", "198.51.100.1, 10.0.0.1", "198.51.100.1"},
      {"10.0.0.2", "198.51.100.1", "10.0.0.2"},
      {"127.0.0.1", "198.51.100.1:4711", "198.51.100.1"},
      {"127.0.0.1", "[2001:db8:1:2::99]", "2001:db8:1:2::/64"},
      {"2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"},
      {"2001:db8::5", "198.51.100.1", "198.51.100.1"},
      {"127.0.0.1", "unknown", "unknown"},
      {"127.0.0.1", "203.0.113.9, nonsense", "unknown"},
      {"127.0.0.1", ",", "unknown"},
      {"", "", ""},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(ClientAddress(each.remote, each.forwarded, proxies), each.address)
        << each.remote << " for " << each.forwarded;
  }
}

}  // namespace
}  // namespace emptor::services
