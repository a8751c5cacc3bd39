#!/bin/bash
# tests/cli/terrax_test.sh: maps of one's own, in every command.  `full` is as
# large as a map may be, 128 places and 255 legs; `tree` has no place or leg
# more than its missions need.
games=$(cd "$(dirname "$0")/../games/terrax" && pwd) || exit 1
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"
cp "$games"/maps/*.map .

check '128 places and 255 legs' [ "$(wc -l <full.map)" = $((128 + 255 + 5)) ]
for map in full tree; do
    run perft terrax --map $map.map --depth 1
    is "$map is counted" 8
    run replay $map.map
    shows 'a map is a file too' "^$map.map: terrax map, 4 seats"
    run legal terrax --map $map.map --seats 2
    shows 'its cards are dealt' '^1:Q[A-Z]{2}$'
    run draw $map.map
    shows 'it is drawn' '^<svg '
    run analyse terrax --map $map.map --seats 2 --bot novice
    shows 'it is analysed' '^1:Q[A-Z]{2} '
    run bench terrax --map $map.map --seconds 0.1
    good 'it is measured'
    run convert $map.map --to map
    check 'and comes out as it went in' cmp -s $map.map out.txt
done
"$terra" perft terrax -d 1 --map - <full.map >count.txt
check 'a map from standard input' grep -qx 8 count.txt
feed $'quit\n' play terrax --map full.map --seats human,random
shows 'a map at the terminal' 'Terra-X: 1 human 2 random'

# ---- faulty ones, by their lines ----
awk -F '\t' '$1 == "legs" { sub(/.*/, "") } { print }' full.map >legless.map
awk -F '\t' -v OFS='\t' '{ print } $1 == "e3" { $1 = "rX3"; $2 = "red"
    $8 = "-"; print }' full.map >places.map
{ cat full.map; printf 'X1\tgSAA\tQBC\t-\n'; } >legs.map
awk -F '\t' '$1 != "QAC" { print }' full.map >few.map
awk -F '\t' -v OFS='\t' '$1 == "rSAB" { $2 = "mission"; $3 = "asia" }
    { print }' full.map >many.map
awk -F '\t' '$1 != "L5" { print }' full.map >start.map
sed 's/^L99	Q/L99	R/' full.map >unknown.map
sed 's/^rSAB	red/rSAB	blue/' full.map >kind.map
while read -r name fault; do
    run perft terrax -d 1 --map "$name.map"
    bad "$name" 1 "$name.map$fault"
done <<'END'
legless :132:1: map-columns: .*places.tsv
places :132:1: map-limit: .*places.tsv line 130: rX3
legs :389:1: map-limit: .*legs.tsv line 257: X1
few : map-count: .*78 missions
many :85:1: map-count: .*places.tsv line 83: rSAB
start : map-start: .*legs.tsv: start leg 5
unknown :232:1: map-leg: .*legs.tsv line 100
kind :85:1: map-kind: .*places.tsv line 83: rSAB
END

# ---- the map is inside the record, whoever's it is ----
run arena terrax --map full.map --seats greedy,random --games 2 --out series
check 'bots play on it' [ "$status" = 0 ]
mv full.map kept.map
grep -v '^.Game' series/00001.txg >untold.txg
run replay untold.txg
bad 'what is named .txg is refused as such' 1 'untold.txg:.*terrax §17'
echo '3.3 A>KIZ' >nothing.txg
run replay nothing.txg
bad 'even if it looks like nothing' 1 'nothing.txg:1:1: tag: .*terrax §17'

run replay series/00001.txg
shows 'its games need no other file' '^series/00001.txg: terrax txg, 2 seats'
run convert series/00001.txg --to map
check 'the map comes out again' cmp -s kept.map out.txt
for seat in 0 1 2; do
    run convert series/00001.txg --at 60 --seat $seat -o view.txg
    run convert view.txg
    check "so it does for seat $seat" cmp -s view.txg out.txt
    run convert view.txg --to map
    check 'with its map' cmp -s kept.map out.txt
done

# ---- for all numbers of players ----
players=random
for seats in 2 3 4 5 6; do
    players+=,random
    for map in kept tree; do
        run arena terrax --map $map.map --seats $players --games 1 \
            --out "$map-$seats"
        run replay "$map-$seats/00000.txg"
        shows "$seats play on $map" "terrax txg, $seats seats"
    done
done

# ---- large sets of games ----
run selfplay terrax --map kept.map --seats random,random --games 3 --out packed
shows 'a set on it' "^3 games of terrax in 'packed'$"
run selfplay terrax --map kept.map --seats random,random --games 3 --text \
    --out text
good 'as text'
run stats packed
of_packed=$out
shows 'is summarised' '^terrax, 2 seats, 3 games'
run stats text
is 'both say the same' "$of_packed"
run selfplay terrax --map tree.map --seats random,random --games 3 --out packed
bad 'of another map' 2 'is of another set'

# ---- engines ----
sed 's/^/\t/' kept.map >lines.txt
talk="setup $((2 + $(wc -l <lines.txt)))"$'\nseats: 2\nmap:\n'
feed "$talk$(<lines.txt)"$'\ngo nodes 5\n' engine terrax
shows 'a map for an engine' '^best 1:Q'
sed 's/\tred\t/\tblue\t/' lines.txt >wrong.txt
feed "$talk$(<wrong.txt)"$'\n' engine terrax
shows 'a faulty one' '^error map-kind: .*places.tsv line 83'
run arena terrax --map kept.map --games 2 --out engines \
    --seats "engine:$terra engine terrax --bot random,random"
check 'and one in a series' \
    [ "$status $(grep -c 'at seat' err.txt)" = '0 0' ]

finish
