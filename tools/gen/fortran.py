# SPDX-License-Identifier: BSD-3-Clause
"""What the writers of the Fortran bindings share: which functions Fortran has, and which of its parameters (doc/fortran.md)."""
from cdecl import c_parameter

# Written by hand in src/fortran: their Fortran form differs from that of C by more than the kinds of the arguments tell.
BY_HAND = set("""
    Init Init_thread Pcontrol Info_create_env Wtime Wtick Aint_add Aint_diff Status_f2f08 Status_f082f
    Buffer_detach Comm_detach_buffer Session_detach_buffer Info_get Info_get_string Session_get_nth_pset Comm_spawn
    Comm_spawn_multiple Op_create Comm_create_errhandler Win_create_errhandler File_create_errhandler Session_create_errhandler
    Grequest_start Register_datarep Wait Waitall Waitany Waitsome Test Testall Testany Testsome Request_get_status
    Request_get_status_all Request_get_status_any Request_get_status_some Start Startall Request_free
    Comm_create_keyval Comm_free_keyval Comm_set_attr Comm_get_attr Comm_delete_attr Type_create_keyval Type_free_keyval
    Type_set_attr Type_get_attr Type_delete_attr Win_create_keyval Win_free_keyval Win_set_attr Win_get_attr Win_delete_attr
    Keyval_create Keyval_free Attr_put Attr_get Attr_delete
""".split())
OLD = {"Keyval_create", "Keyval_free", "Attr_put", "Attr_get", "Attr_delete"}  # deprecated before mpi_f08 was made
VALUES = {"Wtime", "Wtick", "Aint_add", "Aint_diff"}  # functions, not subroutines
WITH_POINTER = {"Alloc_mem", "Win_allocate", "Win_allocate_shared", "Win_shared_query"}  # `use mpi` has a form with TYPE(C_PTR)
WITHOUT_DATA = {"Buffer_attach", "Comm_attach_buffer", "Session_attach_buffer", "Free_mem", "Get_address", "Win_attach", "Win_create",
                "Win_detach", "Fetch_and_op", "Compare_and_swap"}  # of a buffer, these want the address  # fmt: skip
HANDLES = {"comm": "Comm", "group": "Group", "datatype": "Type", "op": "Op", "errhandler": "Errhandler", "info": "Info",
           "request": "Request", "message": "Message", "win": "Win", "file": "File", "session": "Session"}  # fmt: skip


def chapters(table):
    """(chapter, functions) with what Fortran has: all but the tool interface and C's conversions."""
    for chapter in table.chapters():
        functions = [f for f in table.in_chapter(chapter) if chapter["file"] != "convert" or f.base in ("Status_f2f08", "Status_f082f")]
        if functions and chapter["file"] != "tool":
            yield chapter, functions


def parameters(function, large=False):
    """Those that Fortran has: no argc and argv of main, no variable arguments."""
    return [p for p in function.seen_by(large) if p.what not in ("argc", "varargs") and p.kind != "ARGUMENT_LIST"]


def is_choice(p):
    """A buffer of any type: a descriptor in mpi_f08."""
    return p.kind == "BUFFER" or p.kind == "C_BUFFER3" and p.what == "buffer"


def has_choice(function):
    return any(is_choice(p) for p in function.parameters)


def is_pointer(p, large=False):
    """Whether C gets a pointer to a single value that it writes."""
    return p.is_output and not p.by_value and "*" in c_parameter(p, large)


def own_name(function):
    """Whether the large function has its own name in Fortran, because nothing else tells the two apart."""
    return any(p.kind == "POLYFUNCTION" for p in function.parameters)


def subroutine(function, large, choice):
    """The name of the specific procedure of mpi_f08, as the standard makes it."""
    return f"{function.name}{'_c' if large else ''}_f08{'ts' if choice else ''}"
