#!/bin/bash
# tests/cli/usage_test.sh: command lines, good and bad, with no game's rules.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

run
bad 'no command' 2 'which command'
run nosuch
bad 'unknown command' 2 "no command 'nosuch'"
run --nosuch
bad 'unknown option of the program' 2 "unrecognized option '--nosuch'"
run --help
shows 'help of the program' '^  perft +count'
run help
shows 'the same by a word' '^  perft +count'
run --version
shows 'version' '^terra [0-9]'
for command in games play replay convert draw legal perft bench; do
    run "$command" --help
    shows "help of $command" "^Usage: terra $command "
    run help "$command"
    shows "help of $command by a word" "^Usage: terra $command "
    run "$command" --nosuch
    bad "unknown option of $command" 2 "unrecognized option '--nosuch'"
done
for command in play legal perft bench; do
    run "$command" nosuch --depth 1
    [ "$command" = perft ] || run "$command" nosuch
    bad "unknown game: $command" 2 "no game 'nosuch'"
    run "$command" blank blank
    bad "two games: $command" 2 'blank'
    depth=
    [ "$command" = perft ] && depth='--depth=1'
    for seats in 0 1 5 99 -1 2x human,nobody ''; do
        run "$command" blank $depth --seats "$seats"
        bad "seats '$seats': $command" 2 'seats'
    done
    run "$command" blank $depth --seats
    bad "seats missing: $command" 2 "option '--seats' requires an argument"
    run "$command" blank $depth --option nosuch=1
    bad "unknown option of the game: $command" 2 "no option 'nosuch'"
    run "$command" blank $depth --option edition=nosuch
    bad "unknown value: $command" 2 "'edition' of blank .* quick, long"
    run "$command" blank $depth --option rounds=10
    bad "number too large: $command" 2 "'rounds' of blank .* 1 to 9"
    run "$command" blank $depth --option edition
    bad "option without value: $command" 2 'NAME=VALUE'
    run "$command" blank $depth --board nosuch.board
    bad "board file missing: $command" 2 "cannot read 'nosuch.board'"
    run "$command" blank $depth --seed x
    bad "seed: $command" 2 "seed 'x'"
    run "$command" blank $depth --given nosuch=1
    bad "given key: $command" 2 "nosuch"
    run "$command" blank $depth --given nosuch
    bad "given without value: $command" 2 'KEY=VALUE'
done
if "$terra" help | grep -q '^  serve '; then # built with its libraries
    for port in abc -1 65536 ''; do
        run serve --port "$port"
        bad "port '$port'" 2 "a port is a number .* '$port'"
    done
    run serve --nosuch
    bad 'unknown option of serve' 2 "option '--nosuch'"
fi
run play
bad 'play what' 2 'which game'
run perft blank
bad 'perft without depth' 2 'depth'
for depth in -1 65 x ''; do
    run perft blank --depth "$depth"
    bad "depth '$depth'" 2 'depth'
done
for seconds in 0 -1 x ''; do
    run bench blank --seconds "$seconds"
    bad "seconds '$seconds'" 2 'seconds'
done
for command in replay convert draw; do
    run "$command"
    bad "no file: $command" 2 'which file'
    run "$command" nosuch.txt
    bad "missing file: $command" 2 "cannot read 'nosuch.txt': No such file"
    run "$command" .
    bad "folder: $command" 2 "cannot read '.'"
done

run games
shows 'games' '^blank: Blank, 2 to 4 seats'
run games blank --json
shows 'games as JSON' '^\{"name":"blank"'
check 'valid JSON' python3 -m json.tool out.txt /dev/null
run games --json
check 'valid JSON of all' python3 -m json.tool out.txt /dev/null
run games --faults
shows 'names of refusals' '^-	setup\.seats	'
run games nosuch
bad 'no such game' 2 "no game 'nosuch'"

if [ -e /dev/full ]; then
    "$terra" games >/dev/full 2>err.txt
    status=$?
    bad 'output cannot be written' 1 'cannot write to standard output'
fi
run legal blank
check 'no colours in a pipe' sh -c '! grep -q "\[" out.txt'

finish
