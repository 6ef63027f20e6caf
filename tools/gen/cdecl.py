# SPDX-License-Identifier: BSD-3-Clause
"""How a function of the table is declared in C: what the headers and the entries have in common."""

POINTERS = {"buffer", "address", "pointer", "attribute"}  # void* in both directions


def c_parameter(p, large):
    """'const void* buf'"""
    const = "const " if p.const else ""
    name = {"index": "indx"}.get(p.name, p.name)  # index() is a function of the C library
    base = p.c_large if large else p.c_small
    if p.what == "varargs":
        return "..."
    if p.what in POINTERS:
        return f"{const}void* {name}"
    if p.what == "function":
        return f"{p.function or base}{'_c' if large and p.kind == 'POLYFUNCTION' else ''}* {name}"
    if p.what == "string":
        return f"{const}char* {name}"
    if p.kind == "STRING_2DARRAY":
        return f"char** {name}[]"
    if p.what == "strings":
        return f"char* {name}[]" if p.kind == "STRING_ARRAY" or p.by_value else f"char*** {name}"
    if p.kind.startswith("F90_STATUS") or p.kind == "F08_STATUS" or p.what == "status":
        return f"{const}{base}* {name}"  # not an array: MPI_STATUSES_IGNORE would make compilers warn
    if p.what == "weights":
        return f"{const}{base}* {name}"  # likewise MPI_UNWEIGHTED
    if p.array.endswith("x3"):
        return f"{const}{base} {name}[][3]"
    if p.array:
        return f"{const}{base} {name}[]"
    if (p.is_output and not p.by_value) or p.by_pointer:
        return f"{base}* {name}"
    return f"{const}{base} {name}"


def c_return(function, large=False):
    return {
        "ERROR_CODE": "int", "ERROR_CLASS": "int", "NOTHING": "int", "KEY_INDEX": "int", "WALL_TIME": "double",
        "TICK_RESOLUTION": "double", "LOCATION_SMALL": "MPI_Aint", "DISPLACEMENT": "MPI_Aint",
    }.get(function.returns) or handle_return(function.returns)  # fmt: skip


def handle_return(kind):
    names = {"COMMUNICATOR": "Comm", "OPERATION": "Op", "WINDOW": "Win"}
    if kind.startswith("F90_"):
        return "MPI_Fint"
    return "MPI_" + names.get(kind, kind.capitalize())


def fold(start, pieces, end, width=128):
    """start + 'a, b, c' + end, with lines continued under the first argument."""
    lines, line = [], start
    for i, piece in enumerate(pieces):
        piece += ", " if i + 1 < len(pieces) else ""
        room = width - (len(end) if i + 1 == len(pieces) else 0)
        if len(line) + len(piece.rstrip()) > room:
            lines.append(line.rstrip())
            line = " " * len(start)
        line += piece
    return "\n".join(lines + [line + end])


def c_prototype(function, large=False, prefix="", end=";"):
    name = f"{prefix}{function.name}{'_c' if large else ''}"
    parameters = [c_parameter(p, large) for p in function.seen_by(large)] or ["void"]
    return fold(f"{c_return(function)} {name}(", parameters, ")" + end)
