# SPDX-License-Identifier: BSD-3-Clause
"""The entries of collectives: which arguments matter depends on the root and on MPI_IN_PLACE (src/abi/entry/collective.h)."""
from entries import Entry, argument, user


class Collective(Entry):
    def __init__(self, function, large):
        super().__init__(function, large)
        self.neighbor = "eighbor" in function.base
        self.rooted = self.sibling("root") is not None
        self.from_root = any(p.root_only and p.name.startswith("send") for p in self.parameters)

    def fill(self):
        comm = self.sibling("comm")
        check = "intra_communicator" if comm.notes.get("inter") is False else "communicator"
        self.before.append(f"Comm& the_comm = {check}(call, comm, {argument(comm)});")
        self.arguments["comm"] = "the_comm"
        if self.rooted:
            root = self.sibling("root")
            self.before.append(f"const int the_root = root_of(the_comm, root, {argument(root)});")
            self.arguments["root"] = "the_root"
        self.part()
        types = [p for p in self.parameters if p.what == "datatype"]
        for p in types + [p for p in self.parameters if p not in types]:
            if p.name not in self.arguments:
                self.arguments[p.name] = self.piece(p)

    def part(self):
        """What this process takes part in."""
        sendbuf, recvbuf = self.sibling("sendbuf"), self.sibling("recvbuf")
        if self.sibling("buffer"):
            self.before.append("const bool matters = takes_part(the_comm, the_root);")
        elif sendbuf is None or self.neighbor:
            return
        elif not self.rooted:
            self.before.append(f"const Part part = everybody(the_comm, sendbuf, {argument(sendbuf)});")
        elif self.from_root:
            self.before.append(f"const Part part = from_root(the_comm, the_root, recvbuf, {argument(recvbuf)});")
        else:
            self.before.append(f"const Part part = to_root(the_comm, the_root, sendbuf, {argument(sendbuf)});")

    def matters(self, p):
        if self.sibling("buffer"):
            return "matters"
        if self.neighbor:
            return "true"
        if p.name in ("datatype", "op", "count"):  # of a reduction
            return "part.sends || part.receives" if self.rooted else "true"
        return "part.sends" if p.name.startswith("s") or (p.name == "displs" and self.from_root) else "part.receives"

    def length(self, p):
        """How many elements an array has."""
        if self.neighbor:
            return "neighbors_out(the_comm)" if p.name.startswith("s") else "neighbors_in(the_comm)"
        return "the_comm.size" if "educe_scatter" in self.function.base else "the_comm.remote_size"

    def piece(self, p):
        if p.what == "datatype" and p.array:
            self.before.append(f"TypeArray the_{p.name}({self.matters(p)}, {p.name}, {self.length(p)}, {argument(p)});")
            return f"the_{p.name}.data()"
        if p.what == "datatype":
            self.before.append(f"Datatype& the_{p.name} = type_if({self.matters(p)}, {p.name}, {argument(p)});")
            return f"the_{p.name}"
        if p.what == "op":
            return f"reduction_if({self.matters(p)}, op, the_datatype, {argument(p)})"
        if p.what == "count" and p.array:
            check = "counts_if" if p.range else "displacements_if"
            return f"{check}({self.matters(p)}, {p.name}, {self.length(p)}, {argument(p)})"
        if p.what == "count":
            return f"count_if({self.matters(p)}, {p.name}, {argument(p)})"
        if p.what == "buffer":
            return self.buffer(p)
        return self.output(p) if p.is_output else self.input(p)

    def buffer(self, p):
        side = p.name[:4]
        count = self.sibling("count") or self.sibling(side + "count") or self.sibling("recvcount")
        kind = self.sibling("datatype") or self.sibling(side + "type")
        if count is None or kind is None or kind.array:
            return f"buffer_if({self.matters(p)}, {user(p)}, {argument(p)})"
        return f"buffer_if({self.matters(p)}, {user(p)}, {count.name}, the_{kind.name}, {argument(p)})"
