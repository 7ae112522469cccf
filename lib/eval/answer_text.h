#pragma once
#include <string>
#include <string_view>
#include <vector>

// Answers as lists of tokens, in the two ways that the field's measures cut them. Both fold case
// and compatibility forms (NFKC: full width, ligatures), and both make each character of a Chinese,
// Japanese or Korean text a token of its own, which no whitespace would.
namespace ragline {

using Tokens = std::vector<std::string>;

// SQuAD's normalisation (Rajpurkar et al. 2016), with MLQA's rule for CJK (Lewis et al. 2020):
// punctuation and symbols vanish without separating ("U.S." is "us"), the articles a, an and the
// vanish, white space separates. For ASCII the tokens are those of the official script.
Tokens answer_tokens(std::string_view text);

// ROUGE's (rouge_score without its stemmer): runs of letters and digits; all else separates. For
// ASCII the tokens are those of rouge_score.
Tokens word_tokens(std::string_view text);

// The tokens of answer_tokens joined by blanks: what exact match compares.
std::string normal_answer(std::string_view text);

// Sentences as byte ranges of the text: cut behind . ! ? and their CJK forms, with the closing
// quotes, brackets and [n] citations that follow; at blank lines; and where a list item begins. A
// point does not end a sentence inside a number, after a single letter, after some abbreviations
// ("Dr.", "z.B.", "e.g."), in a German ordinal before a month, or when a lower-case letter follows.
// Sentences without a letter or digit are left out.
std::vector<std::string_view> sentences_of(std::string_view text);

}  // namespace ragline
