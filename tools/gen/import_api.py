#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes api/mpi-5.0.json from the function table of the package pympistandard (see api/README.md).

Run by hand when the package publishes a new table: import_api.py <apis.json> <mpi-5.0.json>. The result keeps what the
generator uses, one function a line; a parameter is [name, kind, direction, flags, description].
"""
import json
import re
import sys


def flags_of(parameter):
    flags = []
    if parameter["constant"]:
        flags.append("const")
    if parameter["length"] is not None:
        length = parameter["length"]
        flags.append("array=" + ("x".join(length) if isinstance(length, list) else length or "*"))
    if parameter["pointer"] is not None:
        flags.append("pointer" if parameter["pointer"] else "value")
    if parameter["large_only"]:
        flags.append("large")
    if parameter["root_only"]:
        flags.append("root")
    if parameter["func_type"]:
        flags.append("function=" + parameter["func_type"])
    return " ".join(flags)


def plain(text):
    """The description without its TeX markup."""
    text = re.sub(r"\\MPI/?", "MPI", text)
    text = re.sub(r"\\(?:mpiarg|mpicode|mpifunc|const|code|type|error|mpishortarg|mpi\w*)\{([^}]*)\}", r"\1", text)
    text = re.sub(r"\\(?:flushline|ldots)/?|[$~]", " ", text).replace("\\_", "_").replace("\\", "")
    return " ".join(text.split())


def main():
    source, target = sys.argv[1:]
    with open(source) as file:
        table = json.load(file)
    lines = []
    for entry in table.values():
        attributes = entry["attributes"]
        if not attributes["c_expressible"]:
            continue
        role = "callback" if attributes["callback"] else "predefined" if attributes["predefined_function"] else "function"
        parameters = [
            [p["name"], p["kind"], p["param_direction"], flags_of(p), plain(p["desc"])]
            for p in entry["parameters"]
            if "c_parameter" not in p["suppress"]
        ]
        line = {"name": entry["name"], "role": role, "returns": entry["return_kind"], "parameters": parameters}
        lines.append(json.dumps(line, ensure_ascii=True))
    with open(target, "w") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
