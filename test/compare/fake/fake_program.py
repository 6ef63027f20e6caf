# SPDX-License-Identifier: BSD-3-Clause
"""Prints what a benchmark would: plausible values with up to 1.5% of noise.

FAKE_SLOW=NAME:FACTOR,...   that program takes FACTOR times as long
FAKE_FAIL=NAME:HOW          that program: exit (code 7), hang, silent, corrupt (its data are wrong)

Its broadcast has two algorithms, `eager` for short messages and `bulk` for long ones, and uses eager for all of them unless it is told otherwise."""
import json
import os
import random
import sys
import time

NOISE = 0.015


def words(variable):
    return dict(word.split(":") for word in os.environ.get(variable, "").split(",") if word)


def table(title, column, values):
    print(f"\n# OSU MPI {title} v7.4\n# Datatype: MPI_CHAR.\n{'# Size':<10}{column:>20}")
    for size, value in values:
        print(f"{size:<10}{value * random.uniform(1 - NOISE, 1 + NOISE):>20.2f}")


BROADCASTS = {"eager": lambda size, ranks: ranks * 10 + size / 5, "bulk": lambda size, ranks: ranks * 25 + size / 50}


def broadcast(size, ranks):
    chosen = os.environ.get("MVP_BCAST_INTRA_ALGORITHM", "auto")
    if chosen not in ("auto", *BROADCASTS):
        sys.exit(f'MVP_BCAST_INTRA_ALGORITHM: "{chosen}" is not an algorithm of bcast; valid are auto, {", ".join(BROADCASTS)}')
    path = os.environ.get("MVP_COLL_TUNING_FILE")
    if chosen == "auto" and path:
        with open(path, encoding="utf-8") as file:
            rules = json.load(file)["rules"]
        chosen = next((r["algorithm"] for r in rules if r.get("min_bytes", 0) <= size <= r.get("max_bytes", size)), "auto")
    return BROADCASTS["eager" if chosen == "auto" else chosen](size, ranks)


def main():
    name, ranks = sys.argv[1], int(os.environ.get("FAKE_RANKS", "1"))
    slow = float(words("FAKE_SLOW").get(name, 1))
    how = words("FAKE_FAIL").get(name)
    sizes = [2**power for power in range(11)]
    if how == "exit":
        sys.exit(7)
    if how == "hang":
        time.sleep(600)
    if name == "osu_latency":
        table("Latency Test", "Avg Latency(us)", [(size, (20 + size / 100) * slow) for size in sizes])
    elif name == "osu_bw":
        table("Bandwidth Test", "Bandwidth (MB/s)", [(size, size * 10 / slow) for size in sizes])
    elif name == "osu_bcast" and how != "silent":
        table("Broadcast Latency Test", "Avg Latency(us)", [(size, broadcast(size, ranks) * slow) for size in sizes])
    elif name == "osu_barrier":
        value = 12 * ranks * slow * random.uniform(1 - NOISE, 1 + NOISE)
        print(f"\n# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n{value:>17.2f}")
    elif name == "startup":
        print(f"MPI_Init, slowest rank\t{5 * slow:.3f}\tms")
    elif name == "memory":
        print(f"PSS after MPI_Init\t{2000 * slow:.0f}\tKiB")
    elif name == "binding":
        print(" ".join(map(str, range(ranks))))
    if how == "corrupt":
        print(f"DATA VALIDATION ERROR: {name} exited with status 1 on message size 8.")


main()
