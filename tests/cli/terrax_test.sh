#!/bin/bash
# tests/cli/terrax_test.sh: maps of one's own at the command line.
games=$(cd "$(dirname "$0")/../games/terrax" && pwd) || exit 1
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

# The world under another name, with two more stations that have 13 legs each:
# 128 places and 255 legs, as large as a map may be.
run convert "$games/2p-greedy-a.txg" --to map -o world.map
good 'the map comes out of a record'
awk -F '\t' -v OFS='\t' '
    NR == 1 { print "map mine"; next }
    $2 == "mission" && ++missions <= 26 { mission[missions] = $1 }
    $1 == "legs" {
        for (k = 1; k <= 2; k++)
            print "rX" k, "red", "-", 0, 0, 30 * k, 30, "-", "X" k, "X" k, \
                "X" k, "X" k, "-", "-", "-"
    }
    { print }
    END {
        for (i = 1; i <= 26; i++)
            print "X" i, "rX" (i - 1) % 2 + 1, mission[i], "-"
    }' world.map >mine.map

run perft terrax --map mine.map --depth 1
is 'a map of 128 places and 255 legs' 9
run replay mine.map
shows 'a map is a file too' '^mine.map: terrax map, 4 seats'
"$terra" perft terrax -d 1 --map - <mine.map >count.txt
check 'a map from standard input' grep -qx 9 count.txt

awk -F '\t' '$1 == "legs" { sub(/.*/, "") } { print }' mine.map >legless.map
awk -F '\t' -v OFS='\t' '{ print } $1 == "rX2" { $1 = "rX3"; print }' \
    mine.map >places.map
{ cat mine.map; printf 'X27\trX1\tSCA\t-\n'; } >legs.map
awk -F '\t' '$1 != "POM" { print }' mine.map >few.map
awk -F '\t' '$1 != "L005" { print }' mine.map >start.map
sed 's/^X9	rX1/X9	rX9/' mine.map >unknown.map
sed 's/^rX1	red/rX1	blue/' mine.map >kind.map
while read -r name fault; do
    run perft terrax -d 1 --map "$name.map"
    bad "$name" 1 "$name.map(:[0-9]+)*: $fault"
done <<'END'
legless map-
places map-limit: .*rX3
legs map-limit: .*X27
few map-count: .*78 missions
start map-start:
unknown map-leg: .*legs.tsv
kind map-kind: .*places.tsv
END

# The map is inside the record of the match, and played on.
run convert mine.map --seats 2 --to txg -o own.txg
good 'a match on that map'
mv mine.map kept.map
run replay own.txg
shows 'which needs no other file' '^own.txg: terrax '
run convert own.txg --to map
check 'the map comes out again' cmp -s kept.map out.txt

finish
