// Any bytes as a form, and any bytes as the parts of one that is written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "services/http/multipart_form.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::services;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The first line is the type, the rest the body.
  const std::string_view type = text.substr(0, text.find('\n'));
  const std::string_view body = text.substr(type.size() + (type.size() < text.size() ? 1 : 0));
  const auto parts = ParseMultipartForm(type, body);
  if (parts.ok()) {
    if (!IsMultipartForm(type) || parts->size() > kMaxFormParts) std::abort();
    const char* last = body.data();
    for (const FormPart& part : *parts) {
      const char* begin = part.content.data();
      if (part.name.empty() || begin < last) std::abort();
      last = begin + part.content.size();
      if (last > body.data() + body.size()) std::abort();
    }
  }
  const std::vector<FormPart> written = {{"columns", type}, {"feed", body}};
  const MultipartForm form = WriteMultipartForm(written);
  const auto read = ParseMultipartForm(form.content_type, form.body);
  if (!read.ok() || read->size() != written.size()) std::abort();
  for (size_t i = 0; i < written.size(); ++i) {
    if ((*read)[i].name != written[i].name) std::abort();
    if ((*read)[i].content != written[i].content) std::abort();
  }
  return 0;
}
