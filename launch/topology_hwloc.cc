// SPDX-License-Identifier: BSD-3-Clause
// Machines described by hwloc. The library is loaded only here, so that a job that does not ask for it does not pay for it.
#include "base/error.h"
#include "launch/topology.h"

#if !STARLING_HAVE_HWLOC

namespace starling::launch {
Topology describe_topology(const std::string&, const std::string&) {
  fail(kErrOther, "this launcher was built without hwloc: it cannot read a described machine");
}
}  // namespace starling::launch

#else

#include <dlfcn.h>
#include <hwloc.h>

namespace starling::launch {

namespace {

// The functions used, by the names and types of hwloc.h.
struct Hwloc {
  void* library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
#define FUNCTION(name) decltype(&hwloc_##name) name = load<decltype(&hwloc_##name)>("hwloc_" #name);
  FUNCTION(topology_init)
  FUNCTION(topology_set_synthetic)
  FUNCTION(topology_set_xml)
  FUNCTION(topology_load)
  FUNCTION(topology_destroy)
  FUNCTION(get_type_depth)
  FUNCTION(get_nbobjs_by_depth)
  FUNCTION(get_obj_by_depth)
  FUNCTION(bitmap_isset)
#undef FUNCTION

 private:
  template <class Function>
  Function load(const char* name) {
    if (!library) fail(kErrOther, "cannot load hwloc, which reads the description of a machine: %s", dlerror());
    void* symbol = dlsym(library, name);
    if (!symbol) fail(kErrOther, "hwloc lacks %s", name);
    return reinterpret_cast<Function>(symbol);
  }
};

struct Description {
  explicit Description(const Hwloc& hwloc_) : hwloc(hwloc_) { hwloc.topology_init(&topology); }
  ~Description() { hwloc.topology_destroy(topology); }
  Description(const Description&) = delete;

  // The index of the object of a type that holds the processor; 0 where the machine has no such objects.
  long group(hwloc_obj_type_t type, unsigned processor) const {
    int depth = hwloc.get_type_depth(topology, type);
    if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE) return -1;
    for (unsigned i = 0; i < hwloc.get_nbobjs_by_depth(topology, depth); ++i)
      if (hwloc.bitmap_isset(hwloc.get_obj_by_depth(topology, depth, i)->cpuset, processor)) return static_cast<long>(i);
    return -1;
  }

  const Hwloc& hwloc;
  hwloc_topology_t topology = nullptr;
};

}  // namespace

Topology describe_topology(const std::string& synthetic, const std::string& xml_file) {
  static const Hwloc hwloc;  // stays loaded: hwloc keeps state of its own
  Description description(hwloc);
  int set = synthetic.empty() ? hwloc.topology_set_xml(description.topology, xml_file.c_str())
                              : hwloc.topology_set_synthetic(description.topology, synthetic.c_str());
  if (set != 0 || hwloc.topology_load(description.topology) != 0)
    fail(kErrOther, "hwloc cannot read the machine \"%s\"", synthetic.empty() ? xml_file.c_str() : synthetic.c_str());
  std::vector<RawProcessor> raw;
  int depth = hwloc.get_type_depth(description.topology, HWLOC_OBJ_PU);
  for (unsigned i = 0; i < hwloc.get_nbobjs_by_depth(description.topology, depth); ++i) {
    unsigned id = hwloc.get_obj_by_depth(description.topology, depth, i)->os_index;
    RawProcessor processor{static_cast<int>(id), {}};
    processor.key[kHwthread] = static_cast<long>(id);
    constexpr struct {
      Level level;
      hwloc_obj_type_t type;
    } kTypes[] = {{kCore, HWLOC_OBJ_CORE},  {kL1, HWLOC_OBJ_L1CACHE},    {kL2, HWLOC_OBJ_L2CACHE},
                  {kL3, HWLOC_OBJ_L3CACHE}, {kNuma, HWLOC_OBJ_NUMANODE}, {kSocket, HWLOC_OBJ_PACKAGE}};
    for (const auto& row : kTypes) processor.key[row.level] = description.group(row.type, id);
    if (processor.key[kCore] < 0) processor.key[kCore] = static_cast<long>(i);
    for (Level level : {kL1, kL2})
      if (processor.key[level] < 0) processor.key[level] = processor.key[kCore];
    raw.push_back(processor);
  }
  return make_topology(std::move(raw));
}

}  // namespace starling::launch

#endif
