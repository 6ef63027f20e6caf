// SPDX-License-Identifier: BSD-3-Clause
// A library that puts tools one behind the other (doc/tool.md): each of them defines MPI_X and calls PMPI_X, which by itself
// leads past the other tools to the MPI library. Before the program starts, the references of each tool to PMPI_X are made to
// lead to MPI_X of the next tool that has it. The dynamic linker has resolved or will resolve those references through words of
// the tool's own (its global offset table, and pointers among its data); relocations say where these are and whose name they
// are for.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/settings.h"

namespace starling::profile {

namespace {

// Relocations that put the address of a symbol into a word: for calls, for pointers in code, for pointers in data.
#if defined(__x86_64__)
constexpr std::uint64_t kWords[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
#elif defined(__aarch64__)
constexpr std::uint64_t kWords[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#elif defined(__powerpc64__)
constexpr std::uint64_t kWords[] = {R_PPC64_JMP_SLOT, R_PPC64_GLOB_DAT, R_PPC64_ADDR64};
#endif

constexpr const char* kPrefix = "PMPI_";

struct Tool {
  std::string name;
  void* handle = nullptr;
  link_map* map = nullptr;

  // Its own function, not that of a library it depends on; nullptr: it has none.
  void* own(const char* function) const {
    void* found = dlsym(handle, function);
    Dl_info place;
    return found && dladdr(found, &place) && place.dli_fbase == reinterpret_cast<void*>(map->l_addr) ? found : nullptr;
  }
};

// The part of a library's memory that the dynamic linker has made read-only after its own relocations.
class Writable {
 public:
  explicit Writable(const link_map& map) {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
          auto* self = static_cast<Writable*>(data);
          if (info->dlpi_addr != self->base_) return 0;
          for (int i = 0; i < info->dlpi_phnum; ++i)
            if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) self->cover(info->dlpi_phdr[i]);
          return 1;
        },
        (base_ = map.l_addr, this));
    protect(PROT_READ | PROT_WRITE);
  }
  ~Writable() { protect(PROT_READ); }
  Writable(const Writable&) = delete;

 private:
  void cover(const ElfW(Phdr) & part) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    begin_ = (base_ + part.p_vaddr) & ~(page - 1);
    end_ = (base_ + part.p_vaddr + part.p_memsz) & ~(page - 1);
  }
  void protect(int access) const {
    if (end_ > begin_) mprotect(reinterpret_cast<void*>(begin_), end_ - begin_, access);
  }

  std::uintptr_t base_ = 0, begin_ = 0, end_ = 0;
};

// What the dynamic section of a library says of its relocations.
class Relocations {
 public:
  explicit Relocations(const link_map& map) : base_(map.l_addr) {
    for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) read(*entry);
  }

  // Calls visit(name, word) for each word that is to have the address of the symbol of that name.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Part& part : {calls_, others_})
      for (std::size_t i = 0; i < part.bytes / sizeof(ElfW(Rela)); ++i) {
        const ElfW(Rela)& relocation = part.first[i];
        for (std::uint64_t type : kWords)
          if (ELF64_R_TYPE(relocation.r_info) == type)
            visit(strings_ + symbols_[ELF64_R_SYM(relocation.r_info)].st_name,
                  reinterpret_cast<void**>(base_ + relocation.r_offset));
      }
  }

 private:
  struct Part {
    const ElfW(Rela) * first = nullptr;
    std::size_t bytes = 0;
  };

  void read(const ElfW(Dyn) & entry) {
    // The linker of glibc has turned offsets into addresses; others leave them.
    const auto address = entry.d_un.d_ptr < base_ ? base_ + entry.d_un.d_ptr : entry.d_un.d_ptr;
    switch (entry.d_tag) {
      case DT_SYMTAB:
        symbols_ = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        strings_ = reinterpret_cast<const char*>(address);
        break;
      case DT_JMPREL:
        calls_.first = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_PLTRELSZ:
        calls_.bytes = entry.d_un.d_val;
        break;
      case DT_RELA:
        others_.first = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_RELASZ:
        others_.bytes = entry.d_un.d_val;
        break;
      default:
        break;
    }
  }

  const std::uintptr_t base_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* strings_ = nullptr;
  Part calls_, others_;
};

std::vector<Tool> loaded_tools() {
  std::vector<Tool> tools;
  const std::string& list = settings().tools;
  for (std::size_t begin = 0, end; begin < list.size(); begin = end + 1) {
    end = std::min(list.find(':', begin), list.size());
    Tool tool;
    tool.name = list.substr(begin, end - begin);
    if (tool.name.empty()) continue;
    tool.handle = dlopen(tool.name == "profile" ? "libstarling_profile.so" : tool.name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (tool.handle && dlinfo(tool.handle, RTLD_DI_LINKMAP, &tool.map) == 0)
      tools.push_back(std::move(tool));
    else
      std::fprintf(stderr, "starling: the tool %s of MVP_TOOLS is not loaded\n", tool.name.c_str());
  }
  return tools;
}

// `tools` from number `first` on: the first that has the function.
void* next_with(const std::vector<Tool>& tools, std::size_t first, const char* function) {
  for (std::size_t i = first; i < tools.size(); ++i)
    if (void* found = tools[i].own(function)) return found;
  return nullptr;
}

// The program's references need nothing: the tools stand before the MPI library, in this order.
__attribute__((constructor)) void link_tools() {
  const std::vector<Tool> tools = loaded_tools();
  for (std::size_t i = 0; i + 1 < tools.size(); ++i) {
    const Writable writable(*tools[i].map);
    Relocations(*tools[i].map).for_each([&](const char* name, void** word) {
      if (std::strncmp(name, kPrefix, std::strlen(kPrefix)) != 0) return;
      if (void* next = next_with(tools, i + 1, name + 1)) *word = next;
    });
  }
}

}  // namespace

}  // namespace starling::profile
