# SPDX-License-Identifier: BSD-3-Clause
"""Writes a manual page for each function (gen.py --man <folder>), at installation time: they are not committed."""
import textwrap

from cdecl import c_prototype
from headers import fortran_only

DIRECTIONS = {"in": "Input", "out": "Output", "inout": "Input and output"}


def escape(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def errors(function):
    if function.returns != "ERROR_CODE":
        return ""
    text = """Returns MPI_SUCCESS or an error code. An error is first handed to the error handler of the object that the
function works on or, without one, of MPI_COMM_SELF; by default that ends the program with a message that names the argument and
its value."""
    if not function.implemented:
        text += "\nThis version of the library does not have the function yet: it reports MPI_ERR_UNSUPPORTED_OPERATION."
    return f".SH ERRORS\n{text}\n"


def page(function):
    name = function.name
    text = f'.TH {name} 3 "" "Starling" "MPI 5.0"\n.SH NAME\n{name} \\- {escape(function.chapter["title"].lower())}\n'
    text += ".SH SYNOPSIS\n.nf\n#include <mpi.h>\n.sp\n"
    for large in (False, True) if function.has_large else (False,):
        text += escape(c_prototype(function, large)) + "\n"
    text += ".fi\n"
    for direction, title in DIRECTIONS.items():
        chosen = [p for p in function.parameters if p.direction == direction]
        if chosen:
            text += f".SH {title.upper()} PARAMETERS\n"
            for p in chosen:
                text += f".TP\n.B {p.name}\n" + textwrap.fill(escape(p.text or p.kind.lower().replace("_", " ")), 120) + "\n"
    return text + errors(function) + f".SH SEE ALSO\nThe MPI standard, chapter {escape(function.chapter['title'])}.\n"


def write(table, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for function in table.functions:
        if not fortran_only(function):
            (folder / f"{function.name}.3").write_text(page(function), encoding="utf-8")
