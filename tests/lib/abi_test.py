#!/usr/bin/env python3
"""abi_test.py HEADER LIBRARY LAYOUT FOLDER: is the ABI still what it was?

FOLDER holds abi-N.txt for every version N of TERRA_ABI: exported symbols with
their versions, prototypes, numbers, and layouts of structs.  A difference
means that the version must grow; --write makes the file of a new one and
never changes an old one.
"""
import os
import re
import subprocess
import sys

arguments = [a for a in sys.argv[1:] if a != "--write"]
header, library, layout, folder = arguments
with open(header, encoding="utf-8") as file:
    text = file.read()
version = re.search(r"#define TERRA_ABI (\d+)", text).group(1)


def run(*command):
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


symbols = [line.split()[-1] for line in
           run("nm", "-D", "--defined-only", library).splitlines()]
symbols = sorted("symbol " + s for s in symbols if not s.startswith("TERRA_"))
prototypes = sorted(
    "prototype " + " ".join(p.split())
    for p in re.findall(r"^TERRA_API\s+(.*?;)", text, re.M | re.S))
layouts = run(layout).splitlines()
now = "\n".join(symbols + prototypes + layouts) + "\n"

path = os.path.join(folder, "abi-%s.txt" % version)
if "--write" in sys.argv and not os.path.exists(path):
    with open(path, "x", encoding="utf-8") as file:
        file.write(now)


def say(good, what):
    print("ok" if good else "not ok", "-", what)
    return good


promised = ""
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        promised = file.read()
good = say(now == promised, "the ABI is that of version " + version)
for line in sorted(set(now.splitlines()) ^ set(promised.splitlines())):
    print("#", "+" if line in now.splitlines() else "-", line)
named = set(re.findall(r"\b(terra_\w+)\(", " ".join(prototypes)))
exported = {s.split()[1].split("@")[0] for s in symbols}
good = say(named == exported, "exports are what the header promises") and good
good = say(all(s.endswith("@@TERRA_" + version) for s in symbols),
           "every symbol carries the version") and good
print("1..3")
sys.exit(0 if good else 1)
