#pragma once
#include <string_view>

// Whether an answer declines to answer, by the words of the first two sentences: English, German
// and Chinese. A lexicon finds fewer refusals than a judge does and takes few answers for them;
// where a record says `refused` itself, that counts.
namespace ragline {

enum class Refusal {
  kAnswered,
  kPartial,  // says that something is missing, then goes on with "but" or the like: an answer
  kRefused
};

// An empty answer is a refusal.
Refusal refusal_of(std::string_view answer);

// How refusals fit the questions. Partial answers count as answers.
struct RefusalMatrix {
  std::size_t refused_unanswerable = 0;   // right
  std::size_t answered_unanswerable = 0;  // made up
  std::size_t refused_answerable = 0;     // timid
  std::size_t answered_answerable = 0;    // right, or at least tried

  void add(bool refused, bool unanswerable);
  std::size_t total() const;
  // Of refusals as the positive class; 0 where nothing was refused, or was to be.
  double precision() const;
  double recall() const;
  double f1() const;
  double accuracy() const;
};

}  // namespace ragline
