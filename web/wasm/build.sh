#!/bin/sh
# web/wasm/build.sh: compiles rules, match and hints to one WebAssembly module
# without imports.  usage: build.sh ROOT OUTPUT.wasm [DEPFILE]
set -eu
root=$1
output=$2
clang=${WASM_CLANG:-$(command -v clang-14 || command -v clang)}
sources="$root/web/wasm/exports.c $root/base/text.c $root/rules/rules.c"
for folder in game rules/* search; do
    for file in "$root/$folder"/*.c; do
        case $file in
        "$root"/rules/*/*_test.c | "$root"/*/"*.c" | "$root"/*/*/"*.c") ;;
        *) sources="$sources $file" ;;
        esac
    done
done
# -ffp-contract=off: searches give the same numbers here and natively.
# shellcheck disable=SC2086
"$clang" --target=wasm32-wasi -std=gnu11 -O3 -DNDEBUG -ffp-contract=off \
    -mexec-model=reactor -Wl,--strip-all -Wl,-z,stack-size=1048576 \
    -Wl,--initial-memory=4194304 -I"$root" -o "$output" $sources
if [ $# -gt 2 ]; then
    printf '%s:' "$output" >"$3"
    find "$root/base" "$root/game" "$root/rules" "$root/web/wasm" \
        $([ -d "$root/search" ] && echo "$root/search") \
        -name '*.[ch]' -exec printf ' \\\n  %s' {} + >>"$3"
    printf '\n' >>"$3"
fi
