// Requests that must be refused and requests that look odd but are well-formed, as exact bytes.
#include "tests/services/http/http_cases.h"

#include <utility>

namespace emptor::testing {
namespace {

using std::string;

string Get(const string& target) { return "GET " + target + " HTTP/1.1\r\nHost: shop\r\n\r\n"; }

string WithField(const string& line) {
  return "GET /hello HTTP/1.1\r\nHost: shop\r\n" + line + "\r\n\r\n";
}

string Post(const string& fields, const string& body) {
  return "POST /echo HTTP/1.1\r\nHost: shop\r\n" + fields + "\r\n" + body;
}

string Chunked(const string& body) { return Post("Transfer-Encoding: chunked\r\n", body); }

string ManyFields(int count) {
  string fields;
  for (int i = 0; i < count; ++i) fields += "X-" + std::to_string(i) + ": v\r\n";
  return "GET /hello HTTP/1.1\r\nHost: shop\r\n" + fields + "\r\n";
}

std::vector<RefusedCase> RequestLineCases() {
  return {
      {"http 0.9", "GET /\r\n\r\n", 400},
      {"version behind the method", "GET HTTP/2.0\r\nHost: shop\r\n\r\n", 400},
      {"version 1.10", "GET / HTTP/1.10\r\nHost: shop\r\n\r\n", 400},
      {"version lower case", "GET / http/1.1\r\nHost: shop\r\n\r\n", 400},
      {"version 2.0", "GET / HTTP/2.0\r\nHost: shop\r\n\r\n", 505},
      {"version 1.2", "GET / HTTP/1.2\r\nHost: shop\r\n\r\n", 505},
      {"http2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"tls hello", string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), 400},
      {"unknown method", "BREW / HTTP/1.1\r\nHost: shop\r\n\r\n", 501},
      {"trace", "TRACE / HTTP/1.1\r\nHost: shop\r\n\r\n", 501},
      {"connect", "CONNECT shop:443 HTTP/1.1\r\nHost: shop\r\n\r\n", 501},
      {"lower case method", "get / HTTP/1.1\r\nHost: shop\r\n\r\n", 501},
      {"method with a bracket", "GE[T / HTTP/1.1\r\nHost: shop\r\n\r\n", 400},
      {"two blanks", "GET  / HTTP/1.1\r\nHost: shop\r\n\r\n", 400},
      {"no target", "GET  HTTP/1.1\r\nHost: shop\r\n\r\n", 400},
      {"blank in target", Get("/a b"), 400},
      {"blank in front", " GET / HTTP/1.1\r\nHost: shop\r\n\r\n", 400},
      {"tab instead of blank", "GET\t/ HTTP/1.1\r\nHost: shop\r\n\r\n", 400},
      {"two empty lines in front", "\r\n\r\nGET / HTTP/1.1\r\nHost: shop\r\n\r\n", 400},
      {"bare LF", "GET / HTTP/1.1\nHost: shop\n\n", 400},
      {"bare CR", "GET / HTTP/1.1\rHost: shop\r\r", 400},
      {"target of 70 KB", Get("/" + string(70000, 'a')), 414},
  };
}

std::vector<RefusedCase> TargetCases() {
  return {
      {"dot segments", Get("/../../etc/passwd"), 400},
      {"no slash", Get("../x"), 400},
      {"escaped dots", Get("/%2e%2e/%2e%2e/etc/passwd"), 400},
      {"dots and slash escaped", Get("/%2e%2e%2f%2e%2e%2fetc%2fpasswd"), 400},
      {"escaped slash behind dots", Get("/..%2fetc"), 400},
      {"overlong slash", Get("/..%c0%afetc"), 400},
      {"overlong slash in three bytes", Get("/..%e0%80%afetc"), 400},
      {"overlong slash in four bytes", Get("/..%f0%80%80%afetc"), 400},
      {"surrogate", Get("/%ed%a0%80"), 400},
      {"code point past the last", Get("/%f4%90%80%80"), 400},
      {"backslash", Get("/..\\etc"), 400},
      {"escaped backslash", Get("/..%5cetc"), 400},
      {"single dot", Get("/products/."), 400},
      {"NUL in path", Get("/products/a%00b"), 400},
      {"LF in path", Get("/products/a%0ab"), 400},
      {"broken escape", Get("/%zz"), 400},
      {"escape cut short", Get("/a%2"), 400},
      {"NUL in query", Get("/?q=%00"), 400},
      {"query not utf-8", Get("/?q=%ff"), 400},
      {"fragment", Get("/a#b"), 400},
      {"raw utf-8", Get("/caf\xc3\xa9"), 400},
      {"absolute form of another host", Get("http://evil/x"), 400},
      {"absolute form with user", Get("http://shop@evil/x"), 400},
      {"other scheme", Get("file:///etc/passwd"), 400},
      {"asterisk with GET", Get("*"), 400},
  };
}

std::vector<RefusedCase> FieldCases() {
  return {
      {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"two hosts", WithField("Host: shop"), 400},
      {"empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400},
      {"host with a bad port", "GET / HTTP/1.1\r\nHost: shop:8x\r\n\r\n", 400},
      {"host with a port too large", "GET / HTTP/1.1\r\nHost: shop:65536\r\n\r\n", 400},
      {"host with a path", "GET / HTTP/1.1\r\nHost: shop/x\r\n\r\n", 400},
      {"host with a blank", "GET / HTTP/1.1\r\nHost: shop evil\r\n\r\n", 400},
      {"folded line", WithField("X-A: a\r\n b"), 400},
      {"folded first line", "GET / HTTP/1.1\r\n Host: shop\r\n\r\n", 400},
      {"no colon", WithField("X-A a"), 400},
      {"empty name", WithField(": a"), 400},
      {"blank before colon", WithField("X-A : a"), 400},
      {"non-ascii name", WithField("X-\xc3\xa9: a"), 400},
      {"NUL in value", WithField(string("X-A: a\0b", 8)), 400},
      {"LF in value", WithField("X-A: a\nX-B: b"), 400},
      {"CR in value", WithField("X-A: a\rX-B: b"), 400},
      {"DEL in value", WithField("X-A: a\x7f"), 400},
      {"5000 fields", ManyFields(5000), 431},
      {"65 fields", ManyFields(64), 431},
      {"867 KB of fields", ManyFields(70000), 431},
      {"field of 70 KB", WithField("X-A: " + string(70000, 'a')), 431},
      {"unknown expectation", WithField("Expect: 200-maybe"), 417},
      {"gzip body", Post("Content-Encoding: gzip\r\nContent-Length: 1\r\n", "x"), 415},
  };
}

std::vector<RefusedCase> LengthCases() {
  return {
      {"length and chunked",
       Post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
      {"two lengths", Post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), 400},
      {"two equal lengths", Post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), 400},
      {"length list", Post("Content-Length: 3,4\r\n", "hello"), 400},
      {"length with plus", Post("Content-Length: +3\r\n", "hey"), 400},
      {"length in hex", Post("Content-Length: 0x3\r\n", "hey"), 400},
      {"length with letters", Post("Content-Length: 3abc\r\n", "hey"), 400},
      {"empty length", Post("Content-Length:\r\n", ""), 400},
      {"negative length", Post("Content-Length: -1\r\n", ""), 400},
      {"length of 2^64+1", Post("Content-Length: 18446744073709551617\r\n", ""), 413},
      {"length of 1e18", Post("Content-Length: 1000000000000000000\r\n", ""), 413},
      {"length of 1e30", Post("Content-Length: 1000000000000000000000000000000\r\n", ""), 413},
      {"length with exponent", Post("Content-Length: 1e1\r\n", "0123456789"), 400},
      {"length of 4 GB and 1 byte", Post("Content-Length: 4294967296\r\n", "x"), 413},
      {"length with blank before colon", Post("Content-Length : 3\r\n", "hey"), 400},
      {"coding with blank before colon", Post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), 400},
      {"unknown coding", Post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 501},
      {"gzip, chunked", Post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501},
      {"chunked not last", Post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), 400},
      {"chunked twice", Post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 400},
      {"two chunked fields",
       Post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
      {"empty coding", Post("Transfer-Encoding:\r\n", ""), 400},
      {"chunked in http 1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"body over the limit", Post("Content-Length: 1048577\r\n", string(1048577, 'x')), 413},
  };
}

std::vector<RefusedCase> ChunkCases() {
  return {
      {"chunk size with plus", Chunked("+3\r\nhey\r\n0\r\n\r\n"), 400},
      {"chunk size with 0x", Chunked("0x3\r\nhey\r\n0\r\n\r\n"), 400},
      {"negative chunk size", Chunked("-1\r\nhey\r\n0\r\n\r\n"), 400},
      {"empty chunk size", Chunked("\r\nhey\r\n0\r\n\r\n"), 400},
      {"chunk size of 17 digits", Chunked("00000000000000003\r\nhey\r\n0\r\n\r\n"), 400},
      {"chunk size past any memory", Chunked("ffffffffffffffff\r\nhey"), 413},
      {"chunk over the limit", Chunked("100001\r\n"), 413},
      {"chunk ended by XX", Chunked("3\r\nheyXX0\r\n\r\n"), 400},
      {"chunk ended by LF", Chunked("3\r\nhey\n0\r\n\r\n"), 400},
      {"chunk size ended by LF", Chunked("3\nhey\r\n0\r\n\r\n"), 400},
      {"blank behind chunk size", Chunked("3 \r\nhey\r\n0\r\n\r\n"), 400},
      {"extension of 64 KB", Chunked("3;x=" + string(65536, 'a') + "\r\nhey\r\n0\r\n\r\n"), 400},
      {"trailer that frames", Chunked("0\r\nContent-Length: 3\r\n\r\n"), 400},
      {"trailer without colon", Chunked("0\r\nwrong\r\n\r\n"), 400},
  };
}

}  // namespace

std::vector<RefusedCase> RefusedCases() {
  std::vector<RefusedCase> all;
  for (auto part : {RequestLineCases(), TargetCases(), FieldCases(), LengthCases(), ChunkCases()}) {
    for (RefusedCase& one : part) all.push_back(std::move(one));
  }
  return all;
}

std::vector<AcceptedCase> AcceptedCases() {
  const string long_value(8000, 'v');
  return {
      {"empty line in front", "\r\n" + Get("/hello"), "/hello", ""},
      {"escaped blank", Get("/a%20b"), "/a b", ""},
      {"escaped utf-8", Get("/caf%C3%A9"), "/caf\xc3\xa9", ""},
      {"escaped emoji", Get("/%F0%9F%98%80"), "/\xf0\x9f\x98\x80", ""},
      {"last code point", Get("/%F4%8F%BF%BF"), "/\xf4\x8f\xbf\xbf", ""},
      {"escaped tab in the query", Get("/hello?q=a%09b"), "/hello", ""},
      {"escaped twice", Get("/%252e%252e"), "/%2e%2e", ""},
      {"three dots", Get("/.../a..b"), "/.../a..b", ""},
      {"two slashes", Get("//hello"), "//hello", ""},
      {"query with odd characters", Get("/hello?a=b|c&d=[1]&&e"), "/hello", ""},
      {"absolute form", Get("http://shop/hello"), "/hello", ""},
      {"absolute form without path", Get("HTTP://SHOP?q=1"), "/", ""},
      {"asterisk", "OPTIONS * HTTP/1.1\r\nHost: shop\r\n\r\n", "*", ""},
      {"http 1.0 without host", "GET /hello HTTP/1.0\r\n\r\n", "/hello", ""},
      {"host with port", "GET /hello HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", "/hello", ""},
      {"host in brackets", "GET /hello HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "/hello", ""},
      {"no blank behind colon", "GET /hello HTTP/1.1\r\nHost:shop\r\n\r\n", "/hello", ""},
      {"tabs around a value", WithField("X-A:\t a \t"), "/hello", ""},
      {"empty value", WithField("X-A:"), "/hello", ""},
      {"latin-1 value", WithField("X-A: caf\xe9"), "/hello", ""},
      {"odd cookie", WithField("Cookie: a=b; x; c=\"d;e\""), "/hello", ""},
      {"java's accept", WithField("Accept: text/html, image/gif, *; q=.2, */*; q=.2"), "/hello",
       ""},
      {"unknown accept", WithField("Accept: application/x-odd;v=\"1,2\""), "/hello", ""},
      {"bad date", WithField("Date: yesterday"), "/hello", ""},
      {"long cookie", WithField("Cookie: " + long_value), "/hello", ""},
      {"64 fields", ManyFields(63), "/hello", ""},
      {"upgrade that is not taken", WithField("Connection: Upgrade\r\nUpgrade: h2c"), "/hello", ""},
      {"GET with a body", "GET /echo HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\n\r\nhi",
       "/echo", "hi"},
      {"length with leading zeros", Post("Content-Length: 0005\r\n", "hello"), "/echo", "hello"},
      {"names in odd case", Post("cOnTeNt-LeNgTh: 5\r\n", "hello"), "/echo", "hello"},
      {"coding in odd case", Post("Transfer-Encoding: Chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
       "/echo", "hello"},
      {"chunk extension", Chunked("5;a=\"b\"\r\nhello\r\n0;z\r\n\r\n"), "/echo", "hello"},
      {"trailer", Chunked("5\r\nhello\r\n0\r\nX-Digest: 1\r\n\r\n"), "/echo", "hello"},
      {"chunk size with zeros", Chunked("0005\r\nhello\r\n000\r\n\r\n"), "/echo", "hello"},
      {"body at the limit", Post("Content-Length: 1048576\r\n", string(1048576, 'x')), "/echo",
       string(1048576, 'x')},
      {"body with CRLF and a request",
       Post("Content-Length: 33\r\n", "\r\n\r\nGET /evil HTTP/1.1\r\nHost: x\r\n"), "/echo",
       "\r\n\r\nGET /evil HTTP/1.1\r\nHost: x\r\n"},
  };
}

}  // namespace emptor::testing
