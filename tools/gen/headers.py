# SPDX-License-Identifier: BSD-3-Clause
"""Writes include/std/mpi.h, include/mpich/mpi.h and src/base/constants.gen.h."""
from pathlib import Path

from cdecl import c_prototype
from table import load

TEMPLATES = Path(__file__).parent / "templates"
HANDLE_C = {"comm": "Comm", "group": "Group", "datatype": "Datatype", "op": "Op", "errhandler": "Errhandler", "info": "Info",
            "request": "Request", "message": "Message", "win": "Win", "file": "File", "session": "Session"}  # fmt: skip


def fortran_only(function):
    """Conversions to Fortran handles and statuses, which the standard ABI leaves to toint and fromint."""
    return function.chapter["file"] == "convert" and not function.base.endswith(("_toint", "_fromint"))


def constants(abi, as_enum):
    text = ""
    for group in abi["constants"]:
        if group["key"] in ("t_safety", "t_order"):
            continue  # enumeration types of the standard: in the template
        text += f"\n/* {group['title']} */\n"
        if group["key"] == "displacement":
            text += "".join(f"#define {n} ((MPI_Offset){v})\n" for n, v in group["values"].items())
        elif as_enum and group["key"] not in ("version", "string", "bsend"):
            text += "enum {\n" + ",\n".join(f"    {n} = {v}" for n, v in group["values"].items()) + "\n};\n"
        else:
            width = max(len(n) for n in group["values"])
            text += "".join(f"#define {n:{width}} {f'({v})' if v < 0 else v}\n" for n, v in group["values"].items())
    return text


def handles(abi):
    text = ""
    for kind, names in abi["handles"].items():
        text += "\n"
        width = max(len(n) for n in names)
        text += "".join(f"#define {n:{width}} ((MPI_{HANDLE_C[kind]}){v})\n" for n, v in names.items())
    return text + "\n" + "".join(f"#define {n} {v}\n" for n, v in abi["aliases"].items())


def prototypes(table, mpich):
    text = ""
    for chapter in table.chapters():
        functions = [f for f in table.in_chapter(chapter) if mpich or not fortran_only(f)]
        text += f"\n/* {chapter['title']} */\n"
        for prefix in ("", "P"):
            for function in functions:
                for large in (False, True) if function.has_large else (False,):
                    text += c_prototype(function, large, prefix) + "\n"
    return text


def enumeration(abi, key):
    group = next(g for g in abi["constants"] if g["key"] == key)
    return ",\n".join(f"    {n} = {v}" for n, v in group["values"].items())


def public_header(table, flavor):
    abi = load(f"abi_{flavor}.json")
    text = (TEMPLATES / f"mpi_{flavor}.h.in").read_text()
    parts = {
        "COMMON": (TEMPLATES / "mpi_common.h.in").read_text(),
        "CONSTANTS": constants(abi, as_enum=flavor == "standard"),
        "HANDLES": handles(abi),
        "FUNCTIONS": prototypes(table, mpich=flavor == "mpich"),
        "T_SAFETY": enumeration(abi, "t_safety"),
        "T_ORDER": enumeration(abi, "t_order"),
    }
    for name, part in parts.items():
        text = text.replace(f"@{name}@\n", part.lstrip("\n") if part.endswith("\n") else part + "\n")
    return text


def core_name(name):
    words = name[len("MPI_"):].split("_")
    return "".join(w[:1].upper() + w[1:].lower() for w in words)


def core_constants():
    abi = load("abi_standard.json")
    text = (TEMPLATES / "constants.h.in").read_text()
    numbers = ""
    for group in abi["constants"]:
        numbers += f"\n// {group['title']}.\n"
        kind = "long long" if group["key"] == "displacement" else "int"
        numbers += "".join(f"inline constexpr {kind} k{core_name(n)} = {v};\n" for n, v in group["values"].items())
    codes = ""
    for kind, names in abi["handles"].items():
        codes += "".join(f"inline constexpr unsigned kCode{core_name(n)} = {int(v, 16):#x};\n" for n, v in names.items())
    return text.replace("@NUMBERS@\n", numbers.lstrip("\n")).replace("@CODES@\n", codes)


def outputs(table):
    yield "include/std/mpi.h", public_header(table, "standard")
    yield "include/mpich/mpi.h", public_header(table, "mpich")
    for folder in ("std", "mpich"):
        yield f"include/{folder}/mpi-ext.h", (TEMPLATES / "mpi_ext.h.in").read_text()
    yield "src/base/constants.gen.h", core_constants()
