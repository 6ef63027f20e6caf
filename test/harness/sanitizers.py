# SPDX-License-Identifier: BSD-3-Clause
"""What sanitizers find in the processes of a test, whoever starts them and wherever their output goes: their reports are files."""
import os
import re

SETTING = re.compile(r"^STARLING_SANITIZE:STRING=(.+)$", re.MULTILINE)
# In the order in which a run-time library reads them; one that is not part of the program reads nothing.
VARIABLES = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
# A program may ask malloc for more than there is, and gets a null pointer; the library says so, with COMMON, but it is no mistake.
REMARK = re.compile(r"^==\d+==WARNING: \w+Sanitizer failed to allocate .*\n", re.MULTILINE)
COMMON = "print_stacktrace=1:handle_abort=0:allocator_may_return_null=1"


class Sanitizers:
    """Of a build without them, nothing is ever found."""

    def __init__(self, build_dir, directory):
        cache = build_dir / "CMakeCache.txt"
        self.directory = directory
        self.active = cache.exists() and bool(SETTING.search(cache.read_text(encoding="utf-8")))
        if not self.active:
            return
        directory.mkdir(parents=True, exist_ok=True)
        self.take()
        for name in VARIABLES:
            given = os.environ.get(name)
            os.environ[name] = f"{given + ':' if given else ''}{COMMON}:log_path={directory / 'report'}"

    def take(self):
        """The reports written since the last call, as one text."""
        if not self.active:
            return ""
        texts = []
        for path in sorted(self.directory.glob("report.*")):
            text = REMARK.sub("", path.read_text(encoding="utf-8", errors="replace"))
            if text.strip():
                texts.append(text)
            path.unlink()
        return "\n".join(texts)
