#include <vector>

#include "core/text.h"
#include "record/json_scan.h"
#include "record/reader.h"

namespace ragline {

namespace {

JsonScalar scalar_of(JsonToken token, std::string_view raw) {
  JsonScalar scalar;
  switch (token) {
    case JsonToken::kTrue:
    case JsonToken::kFalse:
      scalar.kind = JsonScalar::Kind::kBool;
      scalar.boolean = token == JsonToken::kTrue;
      break;
    case JsonToken::kNumber:
      scalar.kind = JsonScalar::Kind::kNumber;
      scalar.number = parse_double(raw).value_or(0);
      scalar.text = raw;
      break;
    case JsonToken::kString:
      scalar.kind = JsonScalar::Kind::kString;
      append_unescaped(scalar.text, raw);
      break;
    default:
      break;
  }
  return scalar;
}

}  // namespace

Status for_each_scalar(std::string_view json,
                       const std::function<void(std::string_view, const JsonScalar&)>& visit) {
  // Whole first, so that nothing is visited of what is not JSON.
  RAGLINE_CHECK(check_json(json));
  JsonScanner scan(json);
  if (scan.next() != JsonToken::kOpenObject)
    return fail(ErrorKind::kData, "not a JSON object: give {\"key\": value, ...}");
  std::string path;
  std::vector<std::size_t> lengths;  // of the path around each open object or list
  std::size_t around = 0;            // length of the path of the innermost one
  while (true) {
    const JsonToken token = scan.next();
    switch (token) {
      case JsonToken::kKey:
        path.resize(around);
        if (scan.depth() > 1) path += '.';
        append_unescaped(path, scan.raw());
        break;
      case JsonToken::kOpenObject:
      case JsonToken::kOpenArray:
        lengths.push_back(around);
        around = path.size();
        break;
      case JsonToken::kCloseObject:
      case JsonToken::kCloseArray:
        if (lengths.empty()) return {};
        path.resize(around);
        around = lengths.back();
        lengths.pop_back();
        break;
      default:
        visit(path, scalar_of(token, scan.raw()));
    }
  }
}

}  // namespace ragline
