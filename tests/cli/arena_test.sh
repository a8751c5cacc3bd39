#!/bin/bash
# tests/cli/arena_test.sh: bots at the command line: series, analysis, tuning,
# and everything that must be refused.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

islet=(--option board=islet --option setup=random)
names='random, novice, casual, club, expert, master, greedy, uct'

# ---- a series ----
quiet() { # the progress is no error
    run "$@"
    err=
}
# Without the times, which are each run's own.
games_of() { sed '1d;s/,[0-9.]*\]/]/g' "$1/results.jsonl" | sort; }
quiet arena nova --seats novice,random "${islet[@]}" --games 4 --out one
shows 'a series tells wins and interval' '^novice: .*Elo .*\[.*\] \(95 %'
quiet replay one/00000.nova one/00003.nova
shows 'its records replay' '^one/00003.nova: nova, 2 seats'
quiet arena nova --seats novice,random "${islet[@]}" --games 4 --out two
check 'the same command gives the same games' diff -r -x results.jsonl one two
quiet arena nova --seats novice,random "${islet[@]}" --games 2 --out three
quiet arena nova --seats novice,random "${islet[@]}" --games 4 --out three \
    --resume --threads 2
check 'resumed, the same games too' diff -r -x results.jsonl one three
printf '{"game":9' >>three/results.jsonl
quiet arena nova --seats novice,random "${islet[@]}" --games 4 --out three \
    --resume --json
shows 'a line cut off is no harm; JSON' '^\{"series":\{"arena":"nova"'
check 'each game is counted once' [ "$(wc -l <three/results.jsonl)" = 5 ]
for left in 0 20; do
    head -c "$left" one/results.jsonl >three/results.jsonl
    quiet arena nova --seats novice,random "${islet[@]}" --games 4 \
        --out three --resume
    check "cut off after $left bytes, it begins anew" \
        [ "$(games_of three)" = "$(games_of one)" ]
done
quiet arena nova --seats novice,random "${islet[@]}" --games 2 --out three \
    --resume
shows 'two of four games' '^novice .* 2 '
check 'the others are kept' [ "$(games_of three)" = "$(games_of one)" ]
printf 'no results' >three/results.jsonl
run arena nova --seats novice,random "${islet[@]}" --games 4 --out three \
    --resume
bad 'what is something else' 2 'another series: no results$'
check 'is kept, too' grep -q '^no results$' three/results.jsonl
run arena nova --seats novice,random "${islet[@]}" --games 4 --out one
bad 'no series is overwritten' 2 'results.jsonl. exists'
run arena nova --seats casual,random "${islet[@]}" --games 4 --out one --resume
bad 'nor mixed with another' 2 'another series'
quiet arena nova --seats greedy,random,random "${islet[@]}" --games 3 --out 3s
shows 'three seats' '^greedy: .* times its share'
quiet arena nova --seats master:20/threads=3,uct:10 "${islet[@]}" --games 2 \
    --out 4s --sprt 0,50
shows 'three threads, SPRT' '^log-likelihood ratio'
for full in 1 2; do # KB for a file; short games, so that only results fill it
    (
        trap '' XFSZ
        ulimit -f "$full"
        quiet arena nova --seats random,random "${islet[@]}" --games 40 \
            --limit 1 --out disk --resume
        exit "$status"
    )
    status=$?
    check "a full disk ends a series ($full)" [ "$status" = 2 ]
done
quiet arena nova --seats random,random "${islet[@]}" --games 40 --limit 1 \
    --out disk --resume
check 'and it goes on when there is room' [ "$(wc -l <disk/results.jsonl)" = 41 ]
points() { sed -E 's/,[0-9.]+\]/]/g' "$1/results.jsonl" | tail -n +2; }
for again in 1 2; do
    quiet arena nova --seats "master:300/threads=2,club" "${islet[@]}" \
        --games 2 --out "by$again"
done
check 'two threads play two games' [ "$(points by1 | wc -l)" = 2 ]
check 'and the same ones again' [ "$(points by1)" = "$(points by2)" ]
for weights in "" /weights=learned /weights=hand; do
    quiet arena nova --seats "master:300$weights,club" "${islet[@]}" \
        --games 2 --out "by-${weights#/weights=}"
done
check 'two are judged by what was learned' \
    [ "$(points by-learned)" = "$(points by-)" ]
check 'or by hand' [ "$(points by-hand)" != "$(points by-)" ]
quiet arena nova --seats club,random "${islet[@]}" --games 2 --out 5s --lead 5
check 'a lead decides' [ "$(grep -c '"ending":"lead"' 5s/results.jsonl)" = 2 ]
run arena nova --seats club,random "${islet[@]}" --games 2 --out 5s --resume
bad 'with and without are two series' 2 'another series'
for more in "--board twins" "--limit 20" "--engine-ms 5"; do
    # shellcheck disable=SC2086 # more is words
    run arena nova --seats novice,random "${islet[@]}" --games 2 --out one \
        --resume $more
    bad "nor $more" 2 'another series'
done
quiet arena nova --seats random,random "${islet[@]}" --games 1 --out half
shows 'half an opening says nothing' '^no opening was played in every seating$'
quiet arena nova --seats random,random "${islet[@]}" --games 1 --out half \
    --resume --json
check 'nor does its JSON' grep -q '"games":1,$' out.txt
quiet arena nova --seats greedy,random "${islet[@]}" --games 40 --out sprt \
    --sprt=-20,200
shows 'an SPRT says what it found' '^decided for Elo 200$'
check 'and then stops' [ "$(wc -l <sprt/results.jsonl)" -lt 41 ]
before=$(games_of sprt)
quiet arena nova --seats greedy,random "${islet[@]}" --games 40 --out sprt \
    --sprt=-20,200 --resume
check 'for good' [ "$(games_of sprt)" = "$before" ]
quiet arena nova --seats greedy,random,random "${islet[@]}" --games 3 \
    --out 3s --resume --json
check 'Elo is between two' eval \
    'grep -q times_share out.txt && ! grep -q elo out.txt'
quiet arena nova --seats casual,uct:20 "${islet[@]}" --calibrate 10
shows 'calibration' '^casual: [0-9]+ nodes/s, [0-9]+ nodes in 10 ms'

# ---- shared with others ----
share() { # out: plays along and keeps what it says
    "$terra" arena nova --seats novice,random "${islet[@]}" --games 4 \
        --out "$1" --jobs sqlite:shared.db >"$1.txt" 2>"$1.err"
}
if "$terra" --help 2>&1 | grep -q '^ *serve'; then
    share six &
    share seven
    wait
    check 'a shared series is the same series' \
        [ "$(games_of six)" = "$(games_of one)" ]
    check 'for everybody' [ "$(games_of seven)" = "$(games_of one)" ]
    check 'with the same result' cmp six.txt seven.txt
    run arena nova --seats novice,random --out 8 --jobs nowhere:x
    bad 'no such store' 2 'nowhere:x'
fi

# ---- refused ----
run arena nova --seats grandmaster,club
bad 'an unknown bot' 2 "no bot 'grandmaster', but: $names"
run arena nova --seats club
bad 'one seat' 2 'for 2 to 4 seats'
run arena nova
bad 'no bots' 2 'which bots'
for limit in 0 -5 x 99999999; do
    run arena nova --seats "master:$limit,club"
    bad "$limit nodes" 2 "number of nodes '$limit' is no number from 1"
done
run arena nova --seats master/threads=0,club
bad 'no threads' 2 "threads '0' is no number"
run arena nova --seats master/speed=9,club
bad 'an unknown key' 2 "no 'speed', but threads, noise"
for option in --games --threads --lead; do
    for limit in 0 -1; do
        run arena nova --seats club,club "$option" "$limit"
        bad "$option $limit" 2 "'$limit' is no number from 1"
    done
done
for sprt in 20,0 0,inf 0,1001; do
    run arena nova --seats club,club --sprt "$sprt"
    bad "an SPRT of $sprt" 2 "'$sprt' is no LOW,HIGH"
done
run arena nova --seats club,club,club --sprt 0,20
bad 'an SPRT among three' 2 'compares two bots, not 3'
run arena nova --seats club/weights=1+x,club --games 1 --out bad
bad 'weights that are no numbers' 2 'weights'
check 'and nothing is left of it' [ ! -e bad ]
run play nova --seats human,grandmaster
bad 'an unknown player' 2 "no list of players \(human, $names\)"

# ---- analysis ----
run analyse one/00000.nova --at 20 --bot club:200 --top 3
shows 'the best actions' '^seat [12] to act, 200 nodes$'
shows 'a line' '^line [12]: '
shows 'points' '^points expected -?[0-9.]+, -?[0-9.]+$'
before=$out
run analyse one/00000.nova --at 20 --bot club:200 --top 3
is 'the same again' "$before"
run analyse one/00000.nova --at 20 --bot club:200 --json
check 'as JSON' python3 -m json.tool out.txt json.txt
run analyse one/00000.nova
is 'at the end' 'the game is over'
run analyse one/00000.nova --json
check 'as JSON, too' python3 -m json.tool out.txt json.txt
run analyse nova --board islet --bot greedy
shows 'greedy tells its action' '^line 1: '
run analyse nova --board islet --at 3
bad 'steps of no file' 2 '--at counts the steps of a file'
run analyse nova --board islet --bot novice --top 1
shows 'the beginning' '^seat 1 to act'
run analyse nowhere.nova
bad 'no file' 2 "no file 'nowhere.nova'"
run analyse one/00000.nova --bot nobody
bad 'nobody to look' 2 "no bot 'nobody', but: $names"
for key in threads=2 sees=1 weights=learned; do
    run analyse one/00000.nova --bot club/$key
    bad "no $key to look with" 2 'heeds no threads, sees or weights'
done
run analyse one/00000.nova --bot club:0
bad 'no nodes' 2 "'0' is no number from 1"
run analyse one/00000.nova --top 0
bad 'no actions' 2 "'0' is no number from 1"
run analyse one/00000.nova --at 9999
bad 'behind the end' 2 "'9999' is no number from 0"

# Control-C ends a search of minutes at once, with what it has found.
# It is sent once the program listens for it (bit 2 of its caught signals);
# the shell that becomes the program does so, too, and would clean up here.
# Its memory must not be filled first, as meson has it: that takes minutes.
MALLOC_PERTURB_=0 "$terra" analyse nova --bot master:2000000 >out.txt 2>err.txt &
while kill -0 $! && ! { [ "/proc/$!/exe" -ef "$terra" ] &&
    grep -q '^SigCgt:.*[2367abef]$' "/proc/$!/status"; }; do
    sleep 0.05
done
kill -INT $!
wait $!
check 'a search can be stopped' grep -q '^seat 1 to act' out.txt

# ---- tuning ----
run tune nova "${islet[@]}" --bot novice --rounds 2 --weights '3000 2000 500'
shows 'tuning' '^2: [0-9]+ [0-9]+ [0-9]+$'
run tune nova "${islet[@]}" --rounds 2 --weights '3000 x'
bad 'tuning words' 2 "'3000 x' are no whole numbers"
run tune nova --rounds 0 --weights 1
bad 'tuning nothing' 2 "'0' is no number from 1"

finish
