#include "eval/input.h"

#include <algorithm>
#include <functional>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

InputText::InputText(std::string name, std::string bytes) : name_(std::move(name)) {
  own(std::move(bytes));
}

InputText::InputText(std::string name, std::shared_ptr<const MappedFile> file)
    : name_(std::move(name)), file_(std::move(file)), bytes_(file_->bytes()) {}

void InputText::own(std::string bytes) {
  owned_ = std::make_shared<const std::string>(std::move(bytes));
  file_.reset();
  bytes_ = *owned_;
}

Result<InputText> InputText::open(const std::string& path) {
  const auto read = [&]() -> Result<InputText> {
    if (path == "-") {
      RAGLINE_TRY(std::string bytes, read_standard_input());
      return InputText("standard input", std::move(bytes));
    }
    RAGLINE_TRY(auto file, read_file(path));
    return InputText(path, std::move(file));
  };
  RAGLINE_TRY(InputText text, read());
  if (is_packed(text.bytes())) {
    auto plain = unpack(text.bytes());
    if (!plain) return fail(ErrorKind::kData, cat(text.name(), ": ", plain.error().message));
    text.own(std::move(*plain));
  }
  if (text.bytes().starts_with("\xFF\xFE") || text.bytes().starts_with("\xFE\xFF"))
    return fail(ErrorKind::kData,
                cat(text.name(), ": it is UTF-16: write it as UTF-8, such as with iconv"));
  return text;
}

std::uint64_t InputText::line_of(const char* at) const {
  return 1 + static_cast<std::uint64_t>(std::count(bytes_.data(), at, '\n'));
}

Error InputText::error_at(const char* at, std::string_view message) const {
  const std::less<const char*> before;
  const char* const begin = bytes_.data();
  if (before(at, begin) || before(begin + bytes_.size(), at))
    return {ErrorKind::kData, cat(name_, ": ", message)};
  return {ErrorKind::kData, cat(name_, ":", line_of(at), ": ", message)};
}

}  // namespace ragline
