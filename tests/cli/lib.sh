# shellcheck shell=bash
# tests/cli/lib.sh: running the program and saying TAP about it.
# Sourced by the tests, which get the program as their first argument.

terra=$(realpath "$1")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
unset NO_COLOR LANGUAGE
export LC_ALL=C.UTF-8
count=0
failed=0

# Runs the program; sets $status, $out, $err.
run() {
    "$terra" "$@" >out.txt 2>err.txt </dev/null
    status=$?
    out=$(<out.txt)
    err=$(<err.txt)
}

# The same with standard input from the first argument.
feed() {
    local text=$1
    shift
    printf '%s' "$text" | "$terra" "$@" >out.txt 2>err.txt
    status=$?
    out=$(<out.txt)
    err=$(<err.txt)
}

say() {
    count=$((count + 1))
    if [ "$1" = ok ]; then
        echo "ok $count - $2"
    else
        failed=$((failed + 1))
        echo "not ok $count - $2"
        printf 'status %s\nstdout: %s\nstderr: %s\n' "$status" \
            "$(head -c 2000 out.txt)" "$(head -c 2000 err.txt)" |
            sed 's/^/# /'
    fi
}

# good NAME: the last run succeeded in silence.
good() {
    if [ "$status" = 0 ] && [ -z "$err" ]; then say ok "$1"
    else say bad "$1"; fi
}

# shows NAME REGEX: so it did, and its output has a line like this.
shows() {
    if [ "$status" = 0 ] && [ -z "$err" ] && grep -qE -- "$2" out.txt
    then say ok "$1"; else say bad "$1"; fi
}

# bad NAME STATUS REGEX: the last run ended so, with one line that fits.
bad() {
    if [ "$status" = "$2" ] && [ "$(wc -l <err.txt)" = 1 ] &&
        grep -qE "^terra: .*$3" err.txt
    then say ok "$1"; else say bad "$1"; fi
}

# is NAME EXPECTED: the output is exactly this.
is() {
    if [ "$status" = 0 ] && [ "$out" = "$2" ]; then say ok "$1"
    else say bad "$1 (expected: $2)"; fi
}

# No temporary file of an output is left behind.
tidy() {
    local file
    for file in *.??????; do
        case $file in *.blank.* | *.nova.* | *.svg.*) return 1 ;; esac
    done
}

# check NAME COMMAND...: the command succeeds.
check() {
    local name=$1
    shift
    if "$@"; then say ok "$name"; else say bad "$name"; fi
}

finish() {
    echo "1..$count"
    exit $((failed > 0))
}
