#include "core/result.h"

namespace ragline {

const char* error_kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage: return "usage";
    case ErrorKind::kData: return "data";
    case ErrorKind::kIo: return "io";
    case ErrorKind::kCorrupt: return "corrupt";
    case ErrorKind::kVersion: return "version";
    case ErrorKind::kLocked: return "locked";
    case ErrorKind::kNotFound: return "not_found";
    case ErrorKind::kDenied: return "denied";
    case ErrorKind::kLimit: return "limit";
    case ErrorKind::kInterrupted: return "interrupted";
  }
  return "unknown";
}

}  // namespace ragline
