#!/bin/bash
# shellcheck disable=SC2016,SC2317
# tests/cli/engine_test.sh: the line protocol, and engines that hang, die or
# cheat in a series: they lose their games and nothing else.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

islet=(--option board=islet --option setup=random)

# ---- the protocol ----
feed $'hello 1 nova\n' engine nova
shows 'a name' '^id name terra '
shows 'a greeting' '^ok$'
feed $'hello 2\nhello 1 mystica\n' engine nova
shows 'another version' '^error version'
shows 'another game' '^error game: this is nova$'
feed $'go nodes 50\n' engine nova "${islet[@]}"
shows 'nodes and lead' '^info nodes 50 time [0-9]+ lead -?[0-9]+$'
shows 'points' '^points -?[0-9]+ -?[0-9]+$'
shows 'a line' '^line 1 '
shows 'the best action' '^best '
feed $'setup 2\nseats: 3\noption board: islet\nshow\n' engine nova
shows 'another setup' '^position 5/6/7.* yrb y0'
feed $'setup 1\nseats: 9\nsetup x\nlegal\n' engine nova --board islet
shows 'a wrong setup' '^error'
shows 'a wrong count' "^error usage: say how many lines follow, not 'x'"
shows 'and all is as before' '^action 1 '
feed $'move 1 +a1\nmove +a2\nmove 9 +a3\nshow\ndance\n' \
    engine nova --board islet
shows 'moves' '^position .* y0 4,4'
shows 'an unknown command' "^error unknown: there is no command 'dance'"
feed $'go depth 3\ngo nodes 0\ngo movetime\n' engine nova
check 'wrong limits' [ "$(grep -c '^error usage: go' out.txt)" = 3 ]
feed $'go movetime 99999999999\n' engine nova
shows 'too long a time' '^error usage'
feed $'go movetime 3600000\nstop\nlegal\n' engine nova "${islet[@]}"
shows 'stop ends a search' '^best '
shows 'and then it goes on' '^action 1 '
feed $'go movetime 3600000\nquit\nlegal\n' engine nova "${islet[@]}"
shows 'quit does, too' '^best '
check 'and that is all' [ "$(grep -c '^action' out.txt)" = 0 ]
run arena nova --seats random,club "${islet[@]}" --games 1 --out one
run legal one/00000.nova
{ wc -l <one/00000.nova; } >lines.txt
{ echo "record $(<lines.txt)"; cat one/00000.nova; echo go; } >talk.txt
feed "$(<talk.txt)" engine nova
shows 'a record is read' '^ok$'
shows 'and its game is over' '^error over'
feed $'record 2\nnon\nsense\nposition 1\nnonsense\nhello 1\n' engine nova
shows 'no record' '^error .*format'
shows 'no position' '^error position'
run engine
bad 'no game' 2 'which game'
run engine nova --bot nobody
bad 'no bot' 2 "no bot 'nobody'"
run engine nova --bot engine:true
bad 'no engine in an engine' 2 "no bot 'engine'"

# ---- engines in a series ----
# series NAME COMMAND [ARENA OPTION...]: two games against `random`.
series() {
    local out=$1 command=$2
    shift 2
    printf '#!/bin/bash\n%s\n' "$command" >"$out.sh"
    chmod +x "$out.sh"
    run arena nova --seats "engine:$dir/$out.sh,random" "${islet[@]}" \
        --games 2 --out "$out" "$@"
}

# third COMMANDS: a filter that does this to $line, the third best action.
third() {
    printf '%s | { n=0; while IFS= read -r line; do case $line in best*)
        n=$((n + 1)); if [ $n = 3 ]; then %s; fi ;; esac
        printf "%%s\\n" "$line"; done; }' "$good_engine" "$1"
}

# loses NAME HOW: both games went to the opponent, for that reason, each said
# in one line; the series was played to its end and the records are whole.
loses() {
    local name=$1 how=$2 out=$3
    if [ "$status" = 0 ] &&
        [ "$(grep -c "^terra: game [01]: .*at seat [12] $how: " err.txt)" = 2 ] &&
        grep -qE "^engine:.* +2 +0 +0 +2 +0.0%" out.txt &&
        grep -qE "^random +2 +2 +0 +0 +100.0%" out.txt &&
        [ "$(grep -c "\"ending\":\"$how\"" "$out/results.jsonl")" = 2 ] &&
        "$terra" replay "$out/00000.nova" "$out/00001.nova" >/dev/null
    then say ok "$name"; else say bad "$name"; fi
}

# No process of that number, or only what init has still to collect.
gone() {
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        [ -e "/proc/$1" ] || return 0
        grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}

good_engine="'$terra' engine nova --bot random"
patient=(--engine-begin 60000 --engine-grace 60000)
hasty=(--engine-begin 60000 --engine-ms 10 --engine-grace 50)

series honest "exec $good_engine" "${patient[@]}"
check 'an honest engine plays' \
    [ "$status $(grep -c 'at seat' err.txt)" = '0 0' ]
series absent 'exec /nowhere/engine' "${patient[@]}"
loses 'one that does not exist' died absent
series dead 'exit 0' "${patient[@]}"
loses 'one that ends at once' died dead
series killed 'kill -9 $$' "${patient[@]}"
loses 'one that is killed' died killed
series quitter "$(third 'kill -9 $$; exit')" "${patient[@]}"
loses 'one that ends in the middle' died quitter
series deaf 'echo $$ >deaf.pid; exec sleep 1000' --engine-begin 50
loses 'one that says nothing' hung deaf
check 'and it is gone' gone "$(<deaf.pid)"
series stuck "echo ok; sleep 1000 & echo \$! >stuck.pid; cat >/dev/null; wait" \
    "${hasty[@]}"
loses 'one that hangs' hung stuck
check 'and its own child is gone' gone "$(<stuck.pid)"
series chatty "echo ok; while :; do echo info nodes 1; done" "${hasty[@]}"
loses 'one that talks without end' hung chatty
series endless "echo ok; exec tr '\\0' x </dev/zero" "${patient[@]}"
loses 'one whose line never ends' cheated endless
series cheat "$(third 'line="best a1-a1"')" "${patient[@]}"
loses 'one that plays what is not legal' cheated cheat
shows_rule() { grep -q "'a1-a1': .*§" err.txt; }
check 'the rule is named' shows_rule
series greedy "$(third 'line="$line ${line#best }"')" "${patient[@]}"
loses 'one that plays twice' cheated greedy
series noise "echo ok; head -c 3000 /dev/urandom; printf '\\nbest \\xff\\xfe\\n'; cat >/dev/null" \
    "${patient[@]}"
loses 'one that sends no text' cheated noise
series refuser 'echo error I will not; cat >/dev/null' "${patient[@]}"
loses 'one that refuses' cheated refuser

# Of three the others play on.
run arena nova --seats "engine:$dir/cheat.sh,random,random" "${islet[@]}" \
    --games 3 --out three "${patient[@]}"
check 'of three, the others play on' \
    [ "$status $(grep -c cheated err.txt)" = '0 3' ]
check 'and it is always last' \
    [ "$(grep -c '"by":\[\[[0-9-]*,3,' three/results.jsonl)" = 3 ]
run arena nova --seats 'engine:echo "no",random' "${islet[@]}" --games 2 \
    --out quotes --json
check 'quotes in a command are JSON all the same' \
    python3 -m json.tool out.txt json.txt
run arena nova --seats engine:,random --out x
bad 'an engine without command' 2 'engine: wants a command'
run arena nova --seats engine:true,random --calibrate 5
bad 'no calibration' 2 'only bots of our own'
run arena nova --seats random,random --engine-ms 0
bad 'no time' 2 "'0' is no number from 1"

finish
