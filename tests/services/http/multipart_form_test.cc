// Forms: well-formed as clients send them, and malformed.
#include "services/http/multipart_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kType = "multipart/form-data; boundary=b";

std::vector<std::string> Parts(const std::string& type, const std::string& body) {
  const auto parts = ParseMultipartForm(type, body);
  if (!parts.ok()) return {std::string(parts.status().message())};
  std::vector<std::string> all;
  for (const FormPart& part : *parts) all.push_back(part.name + "=" + std::string(part.content));
  return all;
}

TEST(MultipartFormTest, ReadsWhatClientsSend) {
  // curl -F columns=@map.json -F feed=@feed.csv
  EXPECT_THAT(
      Parts("multipart/form-data; boundary=------------------------8d6f",
            "--------------------------8d6f\r\n"
            "Content-Disposition: form-data; name=\"columns\"; filename=\"map.json\"\r\n"
            "Content-Type: application/octet-stream\r\n\r\n{\"a\":\"id\"}\n\r\n"
            "--------------------------8d6f\r\n"
            "Content-Disposition: form-data; name=\"feed\"; filename=\"a \\\"b\\\";.csv\"\r\n"
            "Content-Type: text/csv\r\n\r\na,b\r\n--1\r\n\r\n"
            "--------------------------8d6f--\r\n"),
      ElementsAre("columns={\"a\":\"id\"}\n", "feed=a,b\r\n--1\r\n"));
  // Other spellings of the same.
  EXPECT_THAT(Parts("Multipart/Form-Data;charset=utf-8 ;  BOUNDARY=\"a b\"",
                    "--a b \t\r\ncontent-disposition:form-data;name=x\r\n\r\n\r\n--a b--"),
              ElementsAre("x="));
  EXPECT_THAT(Parts(kType, "--b--"), ElementsAre());
}

TEST(MultipartFormTest, RefusesWhatIsNoForm) {
  const std::string head = "Content-Disposition: form-data; name=\"x\"\r\n";
  struct Case {
    std::string type, body, error;
  };
  const std::vector<Case> cases = {
      {"multipart/form-data", "--b--", "expected Content-Type"},
      {"multipart/form-data; boundary=", "--b--", "expected Content-Type"},
      {"multipart/form-data; boundary=a; boundary=b", "--b--", "expected Content-Type"},
      {"multipart/form-data; boundary=\"b", "--b--", "expected Content-Type"},
      {std::string("multipart/form-data; boundary=").append(71, 'b'), "--b--",
       "expected Content-Type"},
      {"text/csv; boundary=b", "--b--", "expected Content-Type"},
      {kType, "", "a boundary at the beginning"},
      {kType, "preamble\r\n--b--", "a boundary at the beginning"},
      {kType, "--b", "text after a boundary"},
      {kType, "--bc\r\n", "text after a boundary"},
      {kType, "--b\r\n" + head + "\r\nx", "the last boundary is missing"},
      {kType, "--b\r\n" + head, "head is too long or does not end"},
      {kType, "--b\r\n\r\n\r\nx\r\n--b--", "without a name"},
      {kType, "--b\r\nContent-Type: x\r\n\r\nx\r\n--b--", "without a name"},
      {kType, "--b\r\n" + head + head + "\r\nx\r\n--b--", "of each part, once"},
      {kType, "--b\r\nContent-Disposition: attachment; name=x\r\n\r\nx\r\n--b--", "form-data"},
      {kType, "--b\r\nContent-Disposition: form-data; name=\"\"\r\n\r\nx\r\n--b--", "form-data"},
      {kType, "--b\r\nno field\r\n\r\nx\r\n--b--", "no field"},
      {kType, "--b\r\n" + head + "Content-Transfer-Encoding: base64\r\n\r\nx\r\n--b--",
       "Content-Transfer-Encoding"},
      {kType, "--b\r\n" + head + "X: " + std::string(5000, 'x') + "\r\n\r\nx\r\n--b--", "too long"},
      {kType, "--b\r\n" + head + "\r\nx\r\n--b--\r\nepilogue", "after the last boundary"},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(Parts(each.type, each.body), ElementsAre(HasSubstr(each.error))) << each.body;
  }
  std::string many;
  for (size_t i = 0; i <= kMaxFormParts; ++i) many += "--b\r\n" + head + "\r\nx\r\n";
  EXPECT_THAT(Parts(kType, many + "--b--"), ElementsAre("form: over 64 parts"));
}

TEST(MultipartFormTest, ReadsWhatItWrites) {
  const std::vector<FormPart> parts = {
      {"columns", "a=id"}, {"feed", "\r\n--emptor-form-0\r\nemptor-form-1--"}, {"empty", ""}};
  const MultipartForm form = WriteMultipartForm(parts);
  EXPECT_THAT(Parts(form.content_type, form.body),
              ElementsAre("columns=a=id", "feed=\r\n--emptor-form-0\r\nemptor-form-1--", "empty="));
}

}  // namespace
}  // namespace emptor::services
