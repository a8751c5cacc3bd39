#!/bin/bash
# tests/cli/selfplay_test.sh: large sets of games, and what they say.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

set_of() { # folder, options...: a small set of every kind of part
    local out=$1
    shift
    run selfplay nova --seats random,novice --option board=islet --games 25 \
        --part 10 --seed 5 --out "$out" "$@"
}

set_of one
shows 'a set of games' "^25 games of nova in 'one'$"
set_of two --processes 3
good 'by three processes'
check 'is the same, byte by byte' diff -r one two
set_of text --text
good 'as text'
check 'one game a line, behind a head' [ "$(wc -l <text/part-00000.jsonl)" = 11 ]
check 'each line is JSON' python3 -c '
import json, sys
for line in open("text/part-00001.jsonl"):
    json.loads(line)'
run stats one
from_packed=$out
run stats text
is 'both say the same' "$from_packed"
shows 'points' '^points +mean +[0-9.]+ \+- [0-9.]+'
shows 'seats' '^seat 2 +wins'
shows 'branching' '^branching +mean +[0-9]{2}'
run stats one/part-00000.games one/part-00002.games
shows 'some parts' '^nova, 2 seats, 15 games'

# ---- going on ----
run selfplay nova --seats random,novice --option board=islet --games 13 \
    --part 10 --seed 5 --out grown
set_of grown
check 'more games are added' diff -r one grown
rm two/part-00001.games
truncate -s -7 two/part-00000.games
truncate -s 500 two/part-00002.games
set_of two
check 'what was cut off is played again' diff -r one two
truncate -s -7 text/part-00000.jsonl
cp -r text cut
run stats cut
check 'a line cut off is said' grep -q 'part-00000.jsonl: cut off' err.txt
set_of text --text
run stats text
is 'and played again' "$from_packed"
set_of one --text
check 'both forms may share a folder' [ "$status" = 0 ]
rm one/*.jsonl

# ---- damage ----
printf 'X' | dd of=two/part-00001.games bs=1 seek=900 conv=notrunc 2>dd.txt
run stats two
check 'a wrong byte is found' \
    grep -q 'part-00001.games: damaged: a checksum differs' err.txt
check 'the status says so' [ "$status" = 1 ]
check 'whole games count' grep -qE '^nova, 2 seats, (1[0-9]|2[0-4]) games' out.txt
sed -i 's/"points":\[[0-9]*/"points":[99/' cut/part-00001.jsonl
run stats cut/part-00001.jsonl one
check 'a wrong result is found' grep -q 'game 10 does not replay' err.txt
sed 's/"fingerprint":[0-9]*/"fingerprint":1/' one/part-00000.games >old.games
run stats old.games
bad 'games by other rules' 1 'fingerprint differs'
echo nonsense >no.games
run stats no.games
bad 'no set' 1 'no part of a set'
run stats nowhere
bad 'no file' 2 "cannot read 'nowhere'"
mkdir empty
run stats empty
bad 'an empty folder' 2 "no games in 'empty'"
run stats
bad 'no name' 2 'which sets'
run selfplay nova --seats random,random --option board=islet --games 25 \
    --part 10 --seed 5 --out one
bad 'no other set in its place' 2 'of another set'

# ---- plots, JSON, other games ----
# shellcheck disable=SC2317
xml() { python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1"; }
run stats one --svg one.svg --json
good 'plots'
check 'a drawing' xml one.svg
check 'JSON' python3 -m json.tool out.txt json.txt
run selfplay mystica --seats random,random,random --games 12 --out m
run stats m --svg m.svg
shows 'factions' '^faction +[a-z]+ +games +[0-9]+, points'
check 'in the drawing, too' grep -q 'points by faction' m.svg
run selfplay terrax --seats random,random,greedy --games 4 --out t --text
run stats t
shows 'hidden cards' '^terrax, 3 seats, 4 games'
run stats t one
bad 'two games in one' 2 'of another game'
run selfplay blank --seats random,random --games 30 --out b
run stats b
shows 'blank' '^blank, 2 seats, 30 games'

# ---- refused ----
run selfplay nova
bad 'no bots' 2 'which bots'
run selfplay nova --seats engine:true,random
bad 'no engines' 2 'only bots of our own'
run selfplay nova --seats random,random --games 0
bad 'no games' 2 "'0' is no number from 1"
run selfplay nova --seats random,random --processes 0
bad 'no processes' 2 "'0' is no number from 1"
run selfplay --seats random,random
bad 'no game' 2 'which game'
run selfplay nova --seats random,random --out /nowhere/set
bad 'no place' 2 "cannot make '/nowhere/set'"

finish
