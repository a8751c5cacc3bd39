#!/bin/bash
# tests/cli/puzzles_test.sh: puzzles are made alike, gone on with, and the sets
# that come with the program are right: a sample of them, all with
# TERRA_TEST=long.
sets=$(dirname "$(realpath "$0")")/../../web/public/puzzles
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

make=(puzzles nova --seats 'novice,novice' --option board=islet --seed 5
    --ends 200 --share 100 --nodes 20000)
run "${make[@]}" --count 4 --output whole.txt
shows 'a set' "^4 puzzles of Terra Nova in 'whole.txt'"
run "${make[@]}" --count 2 --output parts.txt
shows 'a part of it' "^2 puzzles"
printf 'puzzle 7 best 3 next' >>parts.txt # broken off while it was written
run "${make[@]}" --count 4 --output parts.txt
check 'goes on where it was stopped' cmp -s whole.txt parts.txt
run "${make[@]}" --count 4 --output parts.txt
check 'and has nothing more to do' cmp -s whole.txt parts.txt
run puzzles nova --check whole.txt
shows 'solved anew' '^4 of 4 puzzles of Terra Nova solved anew, 0 wrong$'
run puzzles nova --check whole.txt --every 3
shows 'some of them' '^2 of 4 puzzles .* 0 wrong$'

# What is wrong is found.
wrong() { # name, sed script
    sed "$2" whole.txt >wrong.txt
    run puzzles nova --check wrong.txt
    check "$1" [ "$status/${err:+said}" = 1/said ]
}
wrong 'too few points' '1s/best [0-9]*/best 2/'
wrong 'another line' '2s/.*/play --; --; --/'
wrong 'another number of turns' '1s/ends [0-9]*/ends 1/'
wrong 'no position' '3s/.*/nowhere/'
wrong 'a puzzle that is not whole' '$d;2d'
run puzzles terrax --seats 'casual,casual' --seed 3 --count 1 --nodes 20000 \
    --output hidden.txt
shows 'with hidden cards' '^1 puzzles of Terra-X'
check 'only what the seat may know: the view' grep -q '^.view: ' hidden.txt
check 'only what the seat may know: the stack' grep -q '^.stack: ?' hidden.txt

run puzzles nova --output x.txt
bad 'no bots' 2 'which bots'
run puzzles nova --seats random,random
bad 'no file' 2 'where to'
run puzzles nova --seats engine:true,random --output x.txt
bad 'an engine' 2 'bots of our own'
run puzzles nova --check nosuch.txt
bad 'no set' 2 "cannot read 'nosuch.txt'"
: >empty.txt
run puzzles nova --check empty.txt
check 'an empty set' [ "$status" = 1 ]

case ${TERRA_TEST:-} in
    long) every=1 ;;
    full) every=12 ;;
    *) every=73 ;;
esac
for game in nova terrax mystica; do
    run puzzles "$game" --check "$sets/$game.txt" --every "$every"
    shows "the set of $game" '^[0-9]+ of 365 puzzles .* 0 wrong$'
done

finish
