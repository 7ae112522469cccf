#include "lexical/occurrences.h"

#include <algorithm>
#include <cstring>

namespace ragline {

std::uint32_t Occurrences::new_slice(std::uint32_t size) {
  if (page_used_ + size > kPage) {
    pages_.push_back(std::make_unique_for_overwrite<unsigned char[]>(kPage));
    page_used_ = 0;
  }
  const auto address = static_cast<std::uint32_t>((pages_.size() - 1) << kPageBits) + page_used_;
  page_used_ += size;
  return address;
}

Occurrences::TermId Occurrences::add_term() {
  Term term;
  term.slice = kFirstSlice;
  term.head = term.at = new_slice(kFirstSlice);
  term.end = term.head + kFirstSlice - kLink;
  terms_.push_back(term);
  return static_cast<TermId>(terms_.size() - 1);
}

void Occurrences::grow(Term& term) {
  const std::uint32_t size = std::min(term.slice * 2, kLastSlice);
  const std::uint32_t next = new_slice(size);
  std::memcpy(byte(term.end), &next, kLink);
  term.slice = size;
  term.at = next;
  term.end = next + size - kLink;
}

void Occurrences::add(TermId id, std::uint32_t chunk, std::uint32_t position) {
  Term& term = terms_[id];
  if (term.chunk != chunk) {
    put(term, (chunk - term.chunk) << 1 | 1);  // the first: chunk is -1, the gap is chunk + 1
    put(term, position);
    term.chunk = chunk;
  } else if (position != term.position) {
    put(term, (position - term.position) << 1);
  } else {
    return;
  }
  term.position = position;
}

void Occurrences::Reader::follow() {
  std::uint32_t next;
  std::memcpy(&next, all_.byte(end_), kLink);
  slice_ = std::min(slice_ * 2, kLastSlice);
  at_ = next;
  end_ = next + slice_ - kLink;
}

}  // namespace ragline
