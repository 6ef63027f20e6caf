# SPDX-License-Identifier: BSD-3-Clause
"""What a reader has to know of the machine and the day to judge the numbers."""
import datetime
import os
import platform
import re
from pathlib import Path


def read(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def first(pattern, text, otherwise=""):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1).strip() if match else otherwise


def caches():
    """'L1d 32K, L2 1024K, L3 32768K' of the first processor."""
    found = []
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind = read(folder / "type")
        if kind != "Instruction":
            found.append(f"L{read(folder / 'level')}{'d' if kind == 'Data' else ''} {read(folder / 'size')}")
    return ", ".join(found)


def facts(cores):
    info = read("/proc/cpuinfo")
    kib = int(first(r"^MemTotal:\s+(\d+)", read("/proc/meminfo"), "0"))
    model = first(r"^model name\s*:\s*(.*)$", info) or first(r"^cpu\s*:\s*(.*)$", info) or platform.machine()
    family, number = first(r"^cpu family\s*:\s*(.*)$", info), first(r"^model\s*:\s*(.*)$", info)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": model + (f" (family {family}, model {number})" if family else ""),
        "processors": f"{cores} of {os.cpu_count()} usable",
        "caches": caches() or "unknown",
        "memory": f"{kib / 2**20:.0f} GiB",
        "virtual": "yes" if re.search(r"^flags\s*:.*\bhypervisor\b", info, re.MULTILINE) else "no sign of it",
        "system": first(r'^PRETTY_NAME="(.*)"$', read("/etc/os-release"), platform.system()),
        "kernel": platform.release(),
        "load before": " ".join(read("/proc/loadavg").split()[:3]),
    }
