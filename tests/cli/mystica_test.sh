#!/bin/bash
# tests/cli/mystica_test.sh: maps of one's own, ledgers and bots at the command
# line.
games=$(cd "$(dirname "$0")/../games/mystica" && pwd) || exit 1
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

# ---- maps ----
cat >good.map <<'END'
USGBYRUKRGBRK
YIIUKIIYKIIY
IIKISIGIGISII
GBYIIRBIRIRU
KURBKUSYIIGKB
SGIIYGIIIUSU
IIISIRIGIYKBY
YBUIIIBKISUS
RKSBRGYUSIBGR
END
run perft mystica --map good.map --depth 1
is 'a map of nine rows' 14
sed 's/I/./g; s/./& /g' good.map >dots.map
run perft mystica --map dots.map --depth 1
is 'rivers as dots, blanks between' 14
run replay good.map
shows 'a map is a file too' '^good.map: mystica map'
sed '5s/^K/X/' good.map >letter.map
sed '4s/.$//' good.map >short.map
sed '6s/$/G/' good.map >long.map
head -n 8 good.map >eight.map
{ cat good.map; echo RRR; } >ten.map
for each in 'letter 5:1' 'short 4:12' 'long 6:13' 'eight 9:1' 'ten 10:1'; do
    name=${each% *}
    for command in 'perft mystica -d 1' 'legal mystica' 'bench mystica'; do
        # shellcheck disable=SC2086
        run $command --map "$name.map"
        bad "$command: $name" 1 "$name.map:${each#* }: setup\\.map-row: "
    done
done
run perft mystica -d 1 --map nowhere.map
bad 'no such map' 2 "no file 'nowhere.map', and mystica has no map of that"
"$terra" perft mystica -d 1 --map - <good.map >count.txt
check 'a map from standard input' grep -qx 14 count.txt

# The map is inside the record of the match.
run convert good.map --to mystica -o own.mystica
good 'a match on that map'
check 'its rows are in the record' grep -q '^	USGBYRUKRGBRK$' own.mystica
rm good.map
run replay own.mystica
shows 'and need no file any more' '^own.mystica: mystica'
run convert own.mystica --to map
check 'the map comes out again' grep -q '^RKSBRGYUSIBGR$' out.txt

# Where a record leaves the map open the command line gives one.
run convert own.mystica --to map -o again.map
printf 'game: mystica\nseats: 2\nseed: 0000000000000007\n\n' >open.mystica
run convert open.mystica --map again.map
check 'a map for a record without' grep -q '^	USGBYRUKRGBRK$' out.txt
printf 'game: mystica\nseats: 2\nseed: %016d\nscore: %s\n\n' 7 \
    SCORE2,SCORE3,SCORE4,SCORE5,SCORE6,SCORE7 >score.mystica
run convert score.mystica --map again.map --given score=SCORE1
check 'a map for a record with tiles' grep -q '^	USGBYRUKRGBRK$' out.txt
check 'which keeps its tiles' grep -q '^score: SCORE2,SCORE3' out.txt
check 'and only these' test "$(grep -c '^score:' out.txt)" = 1
run replay score.mystica --given cards=BON1
bad 'the command line is to blame' 1 'score\.mystica: setup\.cards: '
sed 's/^seats: 2/option map: fjords/' score.mystica >fjords.mystica
run convert fjords.mystica --map again.map
check 'a record that names its map' grep -q '^option map: fjords$' out.txt
check 'is not played on another' test "$(grep -c '^map:' out.txt)" = 0
sed 's/^seats: 2/option map: given/' score.mystica >given.mystica
run replay given.mystica
bad 'a map that is missing' 1 'given\.mystica: setup\.map-missing: .*--map FILE'
run convert given.mystica --map again.map
check 'and given' grep -q '^	USGBYRUKRGBRK$' out.txt
run perft mystica -d 1 --option map=given
bad 'nor without a file' 2 'setup\.map-missing: .*--map FILE'
run replay open.mystica --given score=SCORE1
bad 'no line of the file is to blame' 1 'open\.mystica: setup\.score: '

# Refusals of a setup name the line of the file, notes counted.
printf 'game: mystica\nnote Date: now\nseats: 2\nseed: %016d\ncards: BON1\n\n' \
    7 >cards.mystica
run replay cards.mystica
bad 'too few cards' 1 'cards\.mystica:5: setup\.cards: '
sed 's/^seats: 2/option ice: maybe/' cards.mystica >ice.mystica
run replay ice.mystica
bad 'no such value' 1 'ice\.mystica:3:1: setup\.value: '

# ---- ledgers ----
ledger=$games/landscapes-5p-base-5002.tsv
sed '/^map /d' "$ledger" >nomap.tsv
run replay --quiet "$ledger" nomap.tsv
good 'a ledger, and without its map: the base map'
run replay --map fjords nomap.tsv
bad 'on another map' 1 'nomap\.tsv:[0-9]*: illegal\.terrain: '
sed 's/^map base/map fjords/' "$ledger" >other.tsv
run replay other.tsv
bad 'that names another map' 1 'other\.tsv:[0-9]*: illegal\.terrain: '
sed '100d' "$ledger" >missing.tsv
run replay missing.tsv
bad 'a missing row' 1 'missing\.tsv:1[0-9][0-9]: '
sed '120s/ VP/1 VP/' "$ledger" >number.tsv
run replay number.tsv
bad 'a changed number' 1 'number\.tsv:120: ledger\.values: '
run replay --all number.tsv
check 'all differences' grep -q 'number.tsv:.*120' err.txt
printf 'Caf\xe9\n' | cat - "$ledger" >latin.tsv
run replay latin.tsv
bad 'a foreign encoding' 1 'latin\.tsv:.*encoding'
run convert "$ledger" --to commands -o game.txt
good 'as a command file'
run replay --quiet game.txt
good 'which reads back'
sed 's/^score .*/score SCORE2,SCORE2,SCORE7,SCORE4,SCORE5,SCORE9/' \
    game.txt >twice.txt
run replay twice.txt
bad 'a tile twice' 1 \
    "twice\\.txt:$(grep -n '^score' game.txt | cut -d: -f1): setup\\.score: "
sed '/^delete BON/d' game.txt >delete.txt
play=$(grep -n '^setup' delete.txt | head -n 1 | cut -d: -f1)
run replay delete.txt
bad 'a card too many' 1 "delete\\.txt:$play: ledger\\.tiles: .*bonus cards"
sed 's/^score .*/score SCORE2,SCORE3/' game.txt >few.txt
run replay few.txt
bad 'too few tiles' 1 "few\\.txt:[0-9]*: setup\\.score: .*'SCORE2,SCORE3'"
{ cat game.txt; echo 'option foo-bar'; } >option.txt
run replay option.txt
bad 'an option nobody knows' 1 \
    "option\\.txt:$(wc -l <option.txt): setup\\.option: .*'foo-bar'"
{ echo 'option email-notify'; cat game.txt; } >harmless.txt
run replay --quiet harmless.txt
good 'an option without effect on the rules'
run convert own.mystica --to commands
bad 'what a command file cannot say' 1 'own\.mystica: commands\.map: '
run convert "$ledger" -o game.mystica
good 'without --to it becomes our own record'
check 'which says so' grep -q '^game: mystica$' game.mystica
run replay --quiet game.mystica
good 'and replays'

# ---- bots ----
series() { # FOLDER GAMES [MORE]: its progress is no error
    run arena mystica --seats club,casual,novice --games "$2" --out "$1" "${@:3}"
    err=
}
series whole 3
shows 'a series' '^club: .* of the wins in 3 games, .* times its share'
series parts 1
series parts 3 --resume
check 'stopped and resumed, the same games' \
    diff -r -x results.jsonl whole parts
run replay --quiet whole/00000.mystica
good 'its records replay'
run analyse whole/00000.mystica --at 30 --bot master:640 --top 3
shows 'the best actions' '^seat [123] to act, [0-9]+ nodes$'
shows 'a line of whole turns' '^line [123]: .*; [123]: '
shows 'points of all seats' '^points expected (-?[0-9.]+(, )?){3}$'
run analyse "$ledger" --at 30 --bot master:640 --top 3 --json
check 'of a ledger, as JSON' python3 -m json.tool out.txt json.txt

finish
