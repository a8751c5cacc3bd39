#!/usr/bin/env python3
"""bench/faults.py TERRA [MINUTES [SEED]]: faults for as long as one likes.

The same as tests/server/cluster_test.py, with more people and with faults in a
random order, workers included.  After each round everything that was promised
is looked for.  Also watches memory and descriptors of the servers.
"""
import os
import random
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/server"))
from cluster import (Cluster, Pair, doubled, faults,  # noqa: E402
                     out_of_time, size)

PAIRS = 6


def rounds(cluster, minutes, rng):
    pairs = [Pair(cluster, i) for i in range(PAIRS)]
    stop = threading.Event()
    threads = [threading.Thread(target=p.run, args=(stop,)) for p in pairs]
    for thread in threads:
        thread.start()
    happened = {}
    kill_worker = ("kill -9 of a worker", lambda: [
        cluster.do(what, "worker-2") for what in ("kill", "restart")])
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end and not any(p.trouble for p in pairs):
        name, happen = rng.choice(faults(cluster) + [kill_worker])
        happen()
        happened[name] = happened.get(name, 0) + 1
        time.sleep(rng.uniform(0.5, 3))
    stop.set()
    for thread in threads:
        thread.join()
    return pairs, happened


def main():
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    cluster = Cluster(sys.argv[1])
    try:
        cluster.can_jump()
        cluster.do("start")
        pairs, happened = rounds(cluster, minutes, rng)
        for name, count in sorted(happened.items()):
            print(f"{count:4} {name}")
        lost = [wrong for p in pairs for wrong in p.lost()]
        twice = [key for p in pairs for t in p.promised
                 for key in doubled(cluster, t)]
        late = [t for p in pairs for t in p.promised if out_of_time(cluster, t)]
        plays = sum(len(t) for p in pairs for t in p.promised.values())
        troubles = [repr(p.trouble) for p in pairs if p.trouble]
        print(f"{plays} plays acknowledged, {len(lost)} lost or different, "
              f"{len(twice)} twice, {len(late)} out of time, "
              f"troubles {troubles}")
        print(cluster.admin("check").stdout.strip())
        for name, pid in cluster.pids().items():
            print(f"{name}: %d KB resident, %d descriptors" % size(pid))
    finally:
        cluster.end()
    return 1 if lost or twice or late or troubles else 0


sys.exit(main())
