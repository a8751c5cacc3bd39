#!/bin/bash
# tests/cli/blank_test.sh: every command, with the smallest game.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

cat >good.blank <<'END'
game: blank
seats: 2
seed: 0000000000000003

2 fold
1 stay
2 fold
END

# ---- replay ----
run replay good.blank
is 'replay' 'good.blank: blank, 2 seats, 3 steps, 1-0, unfinished'
run replay --quiet good.blank good.blank
is 'quiet' ''
feed "$(cat good.blank)" replay -
shows 'replay of standard input' '^-: blank, 2 seats, 3 steps'
sed 's/^1 stay/1 jump/' good.blank >word.blank
run replay word.blank
bad 'a word that is no action' 1 'word.blank:6:3: text\.syntax: '
sed 's/^1 stay/2 stay/' good.blank >turn.blank
run replay turn.blank
bad 'an illegal action' 1 'turn.blank:6:'
run replay good.blank turn.blank good.blank
check 'good files beside a bad one' [ "$(wc -l <out.txt)" = 2 ]
bad 'and its status' 1 'turn.blank:6:'
run replay nosuch turn.blank
check 'the worst status counts' [ "$status" = 2 ]
: >empty
run replay empty
bad 'empty file' 1 'empty: text\.truncated'
run replay "$terra"
bad 'binary file' 1 'text\.encoding'
printf 'game: blank\nseats: \xff\n' >latin
run replay latin
bad 'not UTF-8' 1 'latin:2: text\.encoding'
printf 'game: blank\nse\0ats: 2\n' >nul
run replay nul
bad 'a NUL byte' 1 'nul:2: text\.encoding'
echo 'something else' >other
run replay other
bad 'unknown format' 1 'other: text\.format'
printf 'game: blank\nseats: 2\n\n1 \033[31mred\nx\n' >escape
run replay escape
bad 'no control characters in messages' 1 '\?\[31mred'
size=$(wc -c <good.blank)
worst=0
for ((i = 0; i < size; i++)); do
    head -c "$i" good.blank >cut.blank
    run replay cut.blank
    [ "$status" -gt 1 ] || [ "$(wc -l <err.txt)" -gt 1 ] && worst=$i
done
check 'truncated anywhere' [ "$worst" = 0 ]

# ---- convert ----
run convert good.blank
is 'convert' "$(cat good.blank)"
run convert good.blank -o out.blank
check 'into a file' cmp good.blank out.blank
run convert good.blank --at 1
check 'the first step only' [ "$(tail -n 1 out.txt)" = '2 fold' ]
run convert good.blank --seat 1
shows 'what one seat may know' '^2 \?$'
run convert good.blank --to nosuch
bad 'unknown format to write' 2 "no format 'nosuch'"
for seat in 3 -1 x; do
    run convert good.blank --seat "$seat"
    bad "seat '$seat'" 2 'seat'
done
run convert good.blank --at 4
bad 'step too late' 2 "step '4'"
echo precious >old.blank
run convert turn.blank -o old.blank
bad 'faulty input' 1 'turn.blank:6:'
check 'leaves the old file' [ "$(cat old.blank)" = precious ]
run convert turn.blank -o new.blank
check 'makes no file' [ ! -e new.blank ]
run convert good.blank -o nosuch/new.blank
bad 'no such folder' 2 "cannot write 'nosuch/new.blank'"
run convert good.blank -o old.blank
check 'takes the place of the old file' cmp good.blank old.blank
check 'no temporary files left' tidy
(ulimit -f 0; trap '' XFSZ; "$terra" convert good.blank -o full.blank \
    2>/dev/null >/dev/null)
check 'no part of a file when the disk is full' [ ! -e full.blank ]
check 'nor a temporary one' tidy

# ---- draw ----
run draw good.blank -o picture.svg
good 'draw'
check 'a picture' grep -q '</svg>' picture.svg
run draw good.blank --at 9 -o no.svg
bad 'draw too late' 2 "step '9'"
check 'no picture' [ ! -e no.svg ]
run draw turn.blank -o no.svg
bad 'draw a faulty file' 1 'turn.blank:6:'
check 'no picture either' [ ! -e no.svg ]

# ---- positions ----
position='round 2 rng 78dde6e5fd29f057 deck - end none single seat 1 4 none 0 seat 0 1 fold 0'
three="$position seat 2 2 none 0"
run legal blank --position "$position"
is 'legal actions of a position' $'fold\nstay'
run legal blank --position "$three"
is 'the position tells the seats' $'fold\nstay'
run legal blank --position "$three" --seat 3
is 'of another seat' $'fold\nstay'
run legal blank --position "$position" --seats 3
bad 'seats that do not fit' 1 'position'
run legal blank --position "round x"
bad 'faulty position' 1 "position: column 7: position.wrong"
run legal blank --position ''
bad 'empty position' 1 'position'
run legal blank --file good.blank --at 0
is 'of a file' $'fold\nstay'
run legal blank --file good.blank --position "$position"
bad 'file and position' 2 'not both'
run legal blank --file turn.blank
bad 'of a faulty file' 1 'turn.blank:6:'
run legal blank --seat 9
bad 'no such seat' 2 "seat '9'"
run draw blank --position "$position" -o picture.svg
good 'draw a position'

# ---- perft ----
run perft blank --depth 0
is 'perft 0' 1
run perft blank --depth 1
is 'perft 1: two actions of each seat' 4
run perft blank --depth 3
three=$(tail -n 1 out.txt)
run perft blank --depth 3 --divide
check 'divide adds up' [ "$(tail -n 1 out.txt)" = "$three" -a \
    "$(awk -F': ' 'NF == 2 { n += $2 } END { print n }' out.txt)" = "$three" ]

# ---- bench ----
run bench blank --seconds 0.02 --json
check 'bench as JSON' python3 - out.txt <<'END'
import json, sys
b = json.load(open(sys.argv[1]))
assert b["game"] == "blank" and b["state_bytes"] > 0 and b["world_bytes"] > 0
for key in ("actions_per_second", "games_per_second", "legal_per_second",
            "decisions_per_game", "fingerprint"):
    assert b[key] > 0, key
assert [s["seats"] for s in b["by_seats"]] == [2, 3, 4]
assert b["ns_per_call"]["legal"] > 0
END
run bench blank --fingerprint
first=$out
run bench blank --fingerprint
is 'the fingerprint stays' "$first"
run bench blank --fingerprint --json
is 'the fingerprint as JSON' "{\"game\":\"blank\",\"fingerprint\":${first#blank }}"
run bench blank --seconds 0.02 --seats 3
shows 'bench as text' '^ +3\*'

# ---- play from a pipe ----
feed $'legal\nquit\n' play blank --seed 3
shows 'legal at the table' '^2 legal$'
feed $'help\n' play blank --seed 3
shows 'end of input ends the match' 'this list'
feed $'stay\nzzz\nlegal\n' play blank --seed 3
bad 'a refused line' 1 'input line 2: column 1: text.syntax'
check 'and play goes on' grep -q '^2 legal$' out.txt
feed $'1: stay 2: stay\n' play blank --seats 2 --seed 3
bad 'nobody types for two with hidden cards' 1 'column [0-9]+: '
feed $'undo\n' play blank --seed 3
bad 'nothing to undo' 1 'nothing to undo'
feed $'save kept.blank\nquit\n' play blank --seed 3
shows 'save' '^saved: kept.blank'
run replay kept.blank
good 'what was saved can be replayed'
feed $'load kept.blank\nlegal\n' play blank --seed 4
shows 'load' '^loaded: Blank, 2 seats'
feed $'load turn.blank\nlegal\n' play blank --seed 4
bad 'load a faulty file' 1 'turn.blank:6:'
check 'and keep the match' grep -q '^2 legal$' out.txt
feed $'save nosuch/x.blank\nquit\n' play blank --seed 4
bad 'save nowhere' 1 'cannot write'
feed $'resign\n' play blank --seed 3
shows 'resign' '^1\. seat 2'
feed $'stay\nstay\nstay\n' play blank --seed 3
shows 'play to the end' '^The match is over: '
feed '' play blank --seats random,random,random --seed 5
shows 'bots alone' '^3\. |^The match is over'
feed $'hint\nquit\n' play blank --seed 3
shows 'hint' 'lead -?[0-9]'
feed $'1: stay\n2: stay\nquit\n' play blank --seats 2 --seed 3
good 'two people'
check 'handing over' grep -q '^-- seat 2 --' out.txt
awk '/^-- seat 1/ { on = 1 } /^-- seat 2/ { on = 0 } on && /^2: \[[1-6]/' \
    out.txt >seen.txt
check 'nobody sees the other card' [ ! -s seen.txt ]

finish
