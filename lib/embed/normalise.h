#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "embed/bert.h"
#include "embed/charsmap.h"

// The normalizers of tokenizer.json: each changes a text in place. They can be called from any
// number of threads.
namespace ragline {

using TextStep = std::function<void(std::string& text)>;

enum class NormalForm { kNfc, kNfd, kNfkc, kNfkd };
TextStep normal_form(NormalForm form);
TextStep lower_case();
// Combining marks of every kind are dropped.
TextStep drop_marks();
TextStep replace_text(std::string pattern, std::string by);
// kData for a pattern that RE2 does not have.
Result<TextStep> replace_regex(std::string_view pattern, std::string by);
// Nothing for an empty text.
TextStep prepend_text(std::string prefix);
TextStep strip_blanks(bool left, bool right);
TextStep use_charsmap(Charsmap map);
TextStep use_bert(BertOptions options);

}  // namespace ragline
