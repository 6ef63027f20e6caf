# SPDX-License-Identifier: BSD-3-Clause
"""Writes test/generated/bad_input.gen.c: calls every function with one wrong argument at a time and expects the class that
belongs to the argument's kind. Plain C over mpi.h, so that it runs on either ABI; the fixtures are in the template."""
from pathlib import Path

import declare
from cdecl import fold
from entries import COLLECTIVE, COMMUNICATING, Entry
from headers import fortran_only

TEMPLATE = Path(__file__).parent / "templates" / "bad_input.c.in"

# Functions whose wrong use cannot be tried in a program that goes on.
SKIPPED = {"Init", "Init_thread", "Finalize", "Abort", "Pcontrol", "Free_mem"}

NULL = {"comm": "MPI_COMM_NULL", "group": "MPI_GROUP_NULL", "datatype": "MPI_DATATYPE_NULL", "op": "MPI_OP_NULL",
        "errhandler": "MPI_ERRHANDLER_NULL", "info": "MPI_INFO_NULL", "request": "MPI_REQUEST_NULL",
        "message": "MPI_MESSAGE_NULL", "win": "MPI_WIN_NULL", "file": "MPI_FILE_NULL",
        "session": "MPI_SESSION_NULL"}  # fmt: skip
CLASS = {"comm": "COMM", "group": "GROUP", "datatype": "TYPE", "op": "OP", "errhandler": "ERRHANDLER", "info": "INFO",
         "request": "REQUEST", "message": "REQUEST", "win": "WIN", "file": "FILE", "session": "SESSION"}  # fmt: skip
GOOD = {"datatype": "MPI_INT", "op": "MPI_SUM", "errhandler": "MPI_ERRORS_RETURN", "group": "group", "session": "session",
        "request": "request", "message": "no_message", "win": "win", "file": "file"}  # fmt: skip


def class_name(core):
    """kErrInfoKey -> MPI_ERR_INFO_KEY"""
    words = "".join("_" + c if c.isupper() else c for c in core[1:])
    return "MPI" + words.upper()


class Case(Entry):
    def good_comm(self, p):
        base = self.function.base
        if base in ("Graph_get", "Graph_neighbors", "Graph_neighbors_count", "Graphdims_get"):
            return "graph"
        if base.startswith("Dist_graph_neighbors"):
            return "dist_graph"
        if "eighbor" in base or base.startswith("Cart_") and p.name == "comm" and base != "Cart_map":
            return "cart"
        if base.startswith("Cartdim"):
            return "cart"
        return "comm"

    def good(self, p):
        base = self.c_type(p)
        if p.is_handle and (p.is_output or p.by_pointer):
            return f"array_of_{p.what}" if p.array else f"&{p.what}_out" if p.direction == "out" else f"&{p.what}_inout"
        if p.is_handle and p.array:
            return f"array_of_{p.what}"
        if p.what == "comm":
            return self.good_comm(p)
        if p.what == "info":
            return "MPI_INFO_NULL" if declare.may_be_null(p) else "info"
        if p.is_handle:
            return GOOD[p.what]
        if p.what == "status":
            return "array_of_status" if p.array else "&status"
        if p.what == "string":
            return "text" if p.is_output else '"native"' if p.name == "datarep" else '"key"'
        if p.what == "function":
            return f"a_{p.function or p.c_small}" + ("_c" if self.large and p.kind == "POLYFUNCTION" else "")
        if p.what in ("buffer", "address", "attribute", "pointer"):
            return {"sendbuf": "sendbuf", "inbuf": "sendbuf", "inoutbuf": "recvbuf"}.get(p.name, "recvbuf")
        if p.what == "strings" or p.what == "argc":
            return "NULL" if p.what == "strings" else "0"
        if p.array.endswith("x3"):
            return "triples"
        if p.what == "distribution":
            return "distributions"
        if p.what == "distribution_arg":
            return "default_dargs"
        if p.array and p.direction != "out" and (p.what in ("int", "weights") and p.name != "coords" or p.range == "positive"):
            return f"ones_{base.replace('MPI_', '').lower()}"
        if p.array and p.what == "rank" and p.direction == "in":
            return "zeros"
        if p.array:
            return f"array_of_{base.replace('MPI_', '').lower()}"
        if p.is_output and not p.by_value:
            return f"&one_{base.replace('MPI_', '').lower()}"
        if p.what == "rank" and self.function.chapter["file"] == "p2p":
            return "MPI_PROC_NULL"
        fixed = {"rank": "0", "tag": "0", "logical": "0", "keyval": "keyval", "error": "MPI_ERR_OTHER", "order": "MPI_ORDER_C",
                 "split_type": "MPI_COMM_TYPE_SHARED", "typeclass": "MPI_TYPECLASS_INTEGER", "varargs": "0"}  # fmt: skip
        return fixed.get(p.what, "1")

    def c_type(self, p):
        return p.c_large if self.large else p.c_small

    def wrong(self, p):
        """(value, class) of each wrong value to try."""
        if self.on is not None and p is not self.on and self.on.notes.get("inter") is True:
            return []  # needs an intercommunicator, which one process alone cannot have
        if p.is_handle:
            return self.wrong_handle(p)
        if p.what in ("status",):
            return [] if p.is_output and p.direction == "out" else [("NULL", "MPI_ERR_ARG")]
        if p.what == "string":
            error = {"key": "kErrInfoKey", "value": "kErrInfoValue"}.get(p.name, "kErrArg") if not p.is_output else "kErrArg"
            guarded = p.is_output and any(q.what == "length" and q.direction == "inout" for q in self.parameters)
            return [] if guarded else [("NULL", class_name(error))]
        if p.what == "function":
            return [] if declare.may_be_null(p) or "attr" in p.function or "Copy" in p.function or "Delete" in p.function else [("NULL", "MPI_ERR_ARG")]
        if p.what == "buffer":
            return self.wrong_buffer(p)
        if p.what == "strings" or declare.is_codes(p) or p.array and self.function.notes.get("by_hand"):
            return []
        if p.array:
            return self.wrong_array(p)
        if p.is_output and not p.by_value:
            return [] if p.what in ("argc", "strings", "pointer") else [("NULL", "MPI_ERR_ARG")]
        return self.wrong_number(p)

    def wrong_array(self, p):
        """An array that is not there, and one with an element that no place allows."""
        if self.function.chapter["file"] == "request":
            return [("NULL", "MPI_ERR_ARG")] if "indices" in p.name else []
        if p.what == "contents" or self.function.base == "Dist_graph_neighbors" and p.what == "weights":  # may be left out
            return []
        wrong = [("NULL", "MPI_ERR_ARG")]
        if p.is_output and p.what != "int" or p.direction == "out":
            return wrong
        if p.array.endswith("x3"):
            return wrong + [("wrong_triples", "MPI_ERR_RANK")]
        collective = self.function.chapter["file"] in COLLECTIVE
        error = {"weights": "MPI_ERR_ARG", "rank": "MPI_ERR_ARG" if p.name == "edges" else "MPI_ERR_RANK"}.get(p.what)
        if p.what == "count" and p.range:
            error = "MPI_ERR_COUNT"
        if p.what == "int" and p.name != "dims" and (p.range or p.name == "coords"):
            error = "MPI_ERR_ARG"
        if p.name == "dims":
            error = "MPI_ERR_DIMS"
        if p.name == "index" or p.what in ("distribution", "distribution_arg"):
            error = "MPI_ERR_ARG"
        if error is None or collective and not p.range:
            return wrong
        element = self.c_type(p).replace("MPI_", "").lower()
        return wrong + [(f"negative_{element}", error)]

    def wrong_handle(self, p):
        error = "MPI_ERR_" + CLASS[p.what]
        if p.array:
            if self.function.notes.get("by_hand"):
                return []
            wrong = [("NULL", "MPI_ERR_ARG")]
            if p.what in ("datatype",) and not p.is_output:
                wrong.append((f"garbage_array_of_{p.what}", error))
            return wrong
        if p.is_output or p.by_pointer:
            wrong = [("NULL", "MPI_ERR_ARG")]
            if p.direction != "out":
                wrong.append((f"&garbage_{p.what}", error))
            return wrong
        wrong = [(f"garbage_{p.what}", error)]
        if not declare.may_be_null(p) and self.function.chapter["file"] != "request":
            wrong.append((NULL[p.what], error))
        chapter, base = self.function.chapter["file"], self.function.base
        if p.what == "datatype" and (chapter in COMMUNICATING or base in ("Pack", "Unpack")):
            wrong.append(("uncommitted", error))
        if p.what == "comm" and p.notes.get("inter") is True:
            wrong.append(("comm", error))
        return wrong

    def wrong_buffer(self, p):
        if not (self.sibling("datatype") or self.sibling("sendtype") or self.sibling("inoutbuf")):
            return []
        if self.function.base in ("Get_address", "Buffer_attach") or "buffer" in self.function.base.lower():
            return []
        if "ack" in self.function.base:  # packed data: a null pointer is only wrong for the typed side
            typed = "inbuf" if self.function.base.startswith("Pack") else "outbuf"
            return [("NULL", "MPI_ERR_BUFFER")] if p.name == typed else []
        side = p.name[:4]
        counts = self.sibling(side + "counts") or self.sibling(side + "types")
        reduces = "educe_scatter" in self.function.base and not self.sibling("recvcount")
        if counts or reduces or p.name == "recvbuf" and self.sibling("recvcounts"):
            return []
        wrong = [("NULL", "MPI_ERR_BUFFER")]
        in_place = p.name in ("sendbuf", "recvbuf") and self.function.chapter["file"] in COLLECTIVE
        return wrong if in_place else wrong + [("MPI_IN_PLACE", "MPI_ERR_BUFFER")]

    def wrong_number(self, p):
        if p.what == "rank" and p.name == "root":
            return [("99999", "MPI_ERR_ROOT"), ("-77", "MPI_ERR_ROOT")]
        if p.what == "rank":
            if self.the_comm() is None or p.notes.get("special") == "raw":
                return []
            return [("99999", "MPI_ERR_RANK"), ("-77", "MPI_ERR_RANK")]
        if p.what == "tag":  # a status holds what it is given
            return [] if self.function.chapter["file"] == "request" else [("-77", "MPI_ERR_TAG")]
        if p.what in ("count", "int", "length") and p.range:
            collective = self.function.chapter["file"] in COLLECTIVE and p.what == "count"
            error = "kErrCount" if collective else self.error_class(p)
            return [("-1" if p.range == "nonnegative" else "0", class_name(error))]
        fixed = {"keyval": ("MPI_KEYVAL_INVALID", "MPI_ERR_KEYVAL"), "split_type": ("12345", "MPI_ERR_ARG"),
                 "order": ("12345", "MPI_ERR_ARG"), "typeclass": ("12345", "MPI_ERR_ARG"), "seek": ("12345", "MPI_ERR_ARG")}  # fmt: skip
        return [fixed[p.what]] if p.what in fixed else []

    def call(self, values):
        name = self.function.name + ("_c" if self.large else "")
        return f"{name}({', '.join(values)})"

    def checks(self):
        values = [self.good(p) for p in self.parameters]
        lines = []
        for i, p in enumerate(self.parameters):
            for value, error in self.wrong(p):
                changed = values[:i] + [value] + values[i + 1:]
                lines.append((error, p.name, self.call(changed)))
        return lines

    def unsupported(self):
        on = self.on
        nothing_open = on is not None and on.what in ("win", "file")  # no handle of the kind can be valid
        error = f"MPI_ERR_{CLASS[on.what]}" if nothing_open else "MPI_ERR_UNSUPPORTED_OPERATION"
        return [(error, "the function", self.call([self.good(p) for p in self.parameters]))]


def test(function):
    text = f"static void test_{function.base.lower()}(void) {{\n"
    count = 0
    for large in (False, True) if function.has_large else (False,):
        case = Case(function, large)
        for error, name, call in case.checks() if function.implemented else case.unsupported():
            pieces = call.split(", ")
            text += fold(f'    EXPECT({error}, "{name}", ', pieces, ");") + "\n"
            count += 1
    return text + "}\n" if count else None


def outputs(table):
    tests, calls = [], []
    for chapter in table.chapters():
        for function in table.in_chapter(chapter):
            if function.base in SKIPPED or fortran_only(function) or chapter["file"] in ("convert", "tool"):
                continue
            if function.returns != "ERROR_CODE":
                continue
            text = test(function)
            if text:
                tests.append(text)
                calls.append(f"    test_{function.base.lower()}();\n")
    text = TEMPLATE.read_text().replace("@TESTS@\n", "\n".join(tests)).replace("@CALLS@\n", "".join(calls))
    yield "test/generated/bad_input.gen.c", text
