#include "faulty_storage.h"

#include "core/text.h"

namespace ragline::crash {

namespace {

class Bytes : public MappedFile {
 public:
  explicit Bytes(std::string bytes) : owned_(std::move(bytes)) { bytes_ = owned_; }

 private:
  std::string owned_;
};

// "" for names at the root.
std::string_view folder_of(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == name.npos ? std::string_view() : name.substr(0, slash);
}

}  // namespace

class FaultyStorage::File : public WritableFile {
 public:
  File(FaultyStorage& storage, std::shared_ptr<Content> content)
      : storage_(storage), content_(std::move(content)) {}
  Status append(std::string_view bytes) override {
    bool torn = false;
    Status status = storage_.step("append", &torn);
    if (torn) content_->written += bytes.substr(0, bytes.size() / 2);
    RAGLINE_CHECK(status);
    content_->written += bytes;
    return {};
  }
  Status sync() override {
    RAGLINE_CHECK(storage_.step("sync"));
    content_->synced = content_->written;
    return {};
  }
  Status close() override { return storage_.step("close"); }

 private:
  FaultyStorage& storage_;
  std::shared_ptr<Content> content_;
};

FaultyStorage::FaultyStorage(const Files& files) {
  for (const auto& [name, bytes] : files) {
    names_[name] = std::make_shared<Content>(Content{bytes, bytes});
    if (const std::string_view folder = folder_of(name); !folder.empty()) folders_.emplace(folder);
  }
  durable_ = names_;
  durable_folders_ = folders_;
}

void FaultyStorage::plan(Fault fault, std::uint64_t n) {
  fault_ = fault;
  at_ = n;
  count_ = 0;
}

Status FaultyStorage::step(std::string_view what, bool* torn) {
  const bool now = ++count_ == at_;
  if (now && fault_ != Fault::kNoSpace) dead_ = true;
  if (now && fault_ == Fault::kTorn && torn) *torn = true;
  if (now || dead_) return fail(ErrorKind::kIo, cat("cannot ", what, ": no space left"));
  return {};
}

FaultyStorage::Files FaultyStorage::after(PowerLoss loss) const {
  Files files;
  if (loss == PowerLoss::kNothingLost) {
    for (const auto& [name, content] : names_) files[name] = content->written;
    return files;
  }
  if (loss == PowerLoss::kEmptyUnsynced) {
    for (const auto& [name, content] : names_) files[name] = content->synced;
    return files;
  }
  Names names = durable_;
  if (loss == PowerLoss::kRenamesFirst) {
    for (const auto& [name, content] : renames_) names[name] = content;
    for (const std::string& name : gone_) names.erase(name);
  }
  for (const auto& [name, content] : names) {
    // A file is found only through its folder.
    const std::string_view folder = folder_of(name);
    if (folder.empty() || durable_folders_.contains(folder)) files[name] = content->synced;
  }
  return files;
}

Result<std::unique_ptr<WritableFile>> FaultyStorage::create(std::string_view name) {
  RAGLINE_CHECK(step("create"));
  const std::string_view folder = folder_of(name);
  if (!folder.empty() && !folders_.contains(folder))
    return fail(ErrorKind::kIo, "cannot create: no such folder");
  auto content = std::make_shared<Content>();
  names_[std::string(name)] = content;
  return std::make_unique<File>(*this, content);
}

Result<std::shared_ptr<const MappedFile>> FaultyStorage::map(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return fail(ErrorKind::kNotFound, cat("cannot open '", name, "'"));
  return std::make_shared<Bytes>(found->second->written);
}

bool FaultyStorage::exists(std::string_view name) const {
  return names_.contains(name) || folders_.contains(name);
}

Status FaultyStorage::rename(std::string_view from, std::string_view to) {
  RAGLINE_CHECK(step("rename"));
  const auto found = names_.find(from);
  if (found == names_.end()) return fail(ErrorKind::kIo, "cannot rename: no such file");
  renames_[std::string(to)] = found->second;
  gone_.emplace(from);
  names_[std::string(to)] = found->second;
  names_.erase(found);
  return {};
}

Status FaultyStorage::remove(std::string_view name) {
  RAGLINE_CHECK(step("remove"));
  if (const auto found = names_.find(name); found != names_.end()) {
    gone_.emplace(name);
    names_.erase(found);
  }
  return {};
}

Status FaultyStorage::make_folder(std::string_view name) {
  RAGLINE_CHECK(step("make folder"));
  folders_.emplace(name);
  return {};
}

// As on a disk: file by file, then the folder.
Status FaultyStorage::remove_folder(std::string_view name) {
  auto files = list(name);
  if (files)
    for (const std::string& file : *files) RAGLINE_CHECK(remove(cat(name, "/", file)));
  RAGLINE_CHECK(step("remove folder"));
  if (const auto found = folders_.find(name); found != folders_.end()) folders_.erase(found);
  return {};
}

Status FaultyStorage::sync_folder(std::string_view name) {
  RAGLINE_CHECK(step("sync folder"));
  std::erase_if(durable_, [&](const auto& entry) {
    return folder_of(entry.first) == name && !names_.contains(entry.first);
  });
  for (const auto& [file, content] : names_)
    if (folder_of(file) == name) durable_[file] = content;
  if (!name.empty()) return {};
  durable_folders_ = folders_;
  renames_.clear();
  gone_.clear();
  return {};
}

Result<std::vector<std::string>> FaultyStorage::list(std::string_view folder) const {
  if (!folder.empty() && !folders_.contains(folder))
    return fail(ErrorKind::kNotFound, "cannot list");
  std::vector<std::string> names;
  for (const auto& [name, content] : names_)
    if (folder_of(name) == folder)
      names.push_back(folder.empty() ? name : name.substr(folder.size() + 1));
  if (folder.empty())
    for (const std::string& name : folders_) names.push_back(name + "/");
  return names;
}

Result<std::unique_ptr<StorageLock>> FaultyStorage::lock(std::string_view, std::string_view, int) {
  return std::make_unique<StorageLock>();
}

}  // namespace ragline::crash
