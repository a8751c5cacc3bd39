#!/bin/bash
# tests/lib/install_test.sh BUILD SOURCE CC...: what `meson install` leaves behind
# is enough to build, link and run a program, shared and static, and to import
# the Python package.
build=$1 source=$2 cc=("${@:3}") # a compiler may be two words: ccache cc
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
count=0 failed=0

check() { # name, command...
    local name=$1
    shift
    count=$((count + 1))
    if "$@" >"$place/log" 2>&1; then
        echo "ok $count - $name"
    else
        failed=$((failed + 1))
        echo "not ok $count - $name"
        sed 's/^/# /' "$place/log"
    fi
}

found() { find "$place" -path "*$1" | head -n 1 | grep .; }

check 'installs' env DESTDIR="$place" meson install -C "$build" --no-rebuild \
    --tags devel,runtime,man,python-runtime
check 'the header' found include/terra.h
check 'the man page' found man/man3/terra.3
pc=$(found pkgconfig/terra.pc)
shared=$(found libterra.so)
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$place
check 'pkg-config knows it' pkg-config --exists terra
# shellcheck disable=SC2046
check 'a program is built with it' "${cc[@]}" -o "$place/shared" \
    "$source/lib/examples/random_games.c" $(pkg-config --cflags --libs terra)
check 'it runs' env LD_LIBRARY_PATH="${shared%/*}" "$place/shared"
# shellcheck disable=SC2046
check 'a static one is built' "${cc[@]}" -o "$place/static" \
    "$source/lib/examples/random_games.c" $(pkg-config --cflags terra) \
    "${shared%.so}.a"
check 'it runs, too' "$place/static"
package=$(found terrarium/__init__.py)
check 'the Python package is imported' env PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH="${package%/terrarium/*}" TERRA_LIBRARY="$shared" \
    python3 -c 'import terrarium; assert terrarium.load_game("nova")'
echo "1..$count"
exit $((failed > 0))
