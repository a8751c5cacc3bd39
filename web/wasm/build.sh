#!/bin/sh
# web/wasm/build.sh: compiles rules, match and hints to one WebAssembly module
# without imports.  usage: build.sh ROOT OUTPUT.wasm
set -eu
root=$1
output=$2
clang=${WASM_CLANG:-$(command -v clang-14 || command -v clang)}
# -ffp-contract=off: searches give the same numbers here and natively.
exec "$clang" --target=wasm32-wasi -std=gnu11 -O3 -DNDEBUG -ffp-contract=off \
    -mexec-model=reactor -Wl,--strip-all -Wl,-z,stack-size=1048576 \
    -Wl,--initial-memory=4194304 -I"$root" -o "$output" \
    "$root"/web/wasm/exports.c \
    $(find "$root/base" "$root/game" "$root/rules" "$root/search" \
        -name '*.c' 2>/dev/null | sort)
