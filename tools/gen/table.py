# SPDX-License-Identifier: BSD-3-Clause
"""The function table: api/mpi-5.0.json (the standard's data), api/kinds.json (what a kind of parameter is to us) and
api/overlay.json (what the table does not say), read into objects that the writers share."""
import json
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "api"

HANDLE_TYPES = {  # class of a parameter -> C++ type of the object
    "comm": "Comm", "group": "Group", "datatype": "Datatype", "op": "Op", "errhandler": "Errhandler", "info": "Info",
    "request": "Request", "message": "Message", "win": "Win", "file": "File", "session": "Session",
}  # fmt: skip


def load(name):
    with open(API / name, encoding="utf-8") as file:
        return json.load(file)


@dataclass
class Parameter:
    name: str
    kind: str
    direction: str  # in, out, inout
    const: bool
    array: str  # length expression of an array, "*" if the table does not say, "" for a scalar
    by_value: bool  # the table insists that there is no pointer
    by_pointer: bool  # or that there is one, although it is an input
    large_only: bool  # exists only in the _c function
    root_only: bool  # significant only at the root
    function: str  # C type of a callback
    text: str
    c_small: str
    c_large: str
    what: str  # class of the kind
    range: str  # "", nonnegative, positive
    position: int = 0  # as users count: 1 is the first argument
    notes: dict = field(default_factory=dict)

    @property
    def is_handle(self):
        return self.what in HANDLE_TYPES

    @property
    def is_output(self):
        return self.direction in ("out", "inout")


@dataclass
class Function:
    name: str  # MPI_Send
    returns: str
    parameters: list
    chapter: dict
    notes: dict

    @property
    def base(self):
        return self.name[len("MPI_"):]

    @property
    def core_name(self):
        return self.notes.get("calls", self.base.lower())

    @property
    def namespace(self):
        return self.notes.get("namespace", self.chapter["namespace"])

    @property
    def implemented(self):
        return self.notes.get("implemented", self.chapter["implemented"])

    @property
    def has_large(self):
        """Whether there is an MPI_..._c."""
        return any(p.kind.startswith("POLY") for p in self.parameters)

    def seen_by(self, large):
        return [p for p in self.parameters if large or not p.large_only]


class Table:
    def __init__(self):
        self.kinds = load("kinds.json")
        self.overlay = load("overlay.json")
        self.functions = []
        self.callbacks = []  # types of functions that the user writes
        chapters = {}
        for chapter in self.overlay["chapters"]:
            for name in chapter["functions"]:
                if name in chapters:
                    raise SystemExit(f"overlay.json: {name} is in two chapters")
                chapters[name] = chapter
        for entry in load("mpi-5.0.json"):
            base = entry["name"][len("MPI_"):]
            parameters = [self.parameter(base, i, *p) for i, p in enumerate(entry["parameters"], 1)]
            chapter = chapters.pop(base, None)
            function = Function(entry["name"], entry["returns"], parameters, chapter, self.overlay["functions"].get(base, {}))
            if entry["role"] == "callback":
                self.callbacks.append(function)
            elif entry["role"] == "function":
                if chapter is None:
                    raise SystemExit(f"overlay.json: {base} is in no chapter")
                self.functions.append(function)
        if chapters:
            raise SystemExit("overlay.json names functions that the table lacks: " + " ".join(chapters))
        self.by_name = {f.base: f for f in self.functions}

    def parameter(self, function, position, name, kind, direction, flags, text):
        words = dict((w.split("=", 1) + [True])[:2] for w in flags.split())
        meaning = self.kinds[kind]
        notes = self.overlay["parameters"].get(f"{function}.{name}", {})
        return Parameter(
            name=name, kind=kind, direction=notes.get("direction", direction), const="const" in words,
            array=notes.get("array", words.get("array", "")), by_value="value" in words, by_pointer="pointer" in words,
            large_only="large" in words, root_only="root" in words, function=words.get("function", ""), text=text,
            c_small=meaning["c"], c_large=meaning["large"], what=notes.get("class", meaning["class"]),
            range=notes.get("range", meaning.get("range", "")), position=position, notes=notes,
        )  # fmt: skip

    def chapters(self):
        return self.overlay["chapters"]

    def in_chapter(self, chapter):
        return [self.by_name[name] for name in chapter["functions"]]
