#!/usr/bin/env bash
# The program speaks the reader's language; notation, files and numbers do not.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/lib.sh
. "$here/lib.sh" "$1"
root=$here/../..

# reads LOCALE ARGUMENTS...: runs the program where that language is spoken.
reads() {
    local locale=$1
    shift
    env LANGUAGE= LC_ALL="$locale" "$terra" "$@" >out.txt 2>err.txt </dev/null
    status=$?
    out=$(<out.txt)
    err=$(<err.txt)
}

unset LANGUAGE
for case in "nl_NL.UTF-8|er is geen opdracht 'x'" \
    "sv_SE.UTF-8|det finns inget kommando 'x'" \
    "de_DE.UTF-8|es gibt keinen Befehl 'x'" \
    "C|there is no command 'x'" "xx_XX.UTF-8|there is no command 'x'"; do
    reads "${case%%|*}" x
    bad "${case%%|*}: a message" 2 "${case#*|}"
done

# LANGUAGE goes before the locale, as everywhere.
LANGUAGE=sv LC_ALL=C.UTF-8 run x
bad 'LANGUAGE is heard' 2 "det finns inget kommando"

# Refusals are told in the words of the browser, behind the same code.
printf 'islet 4r/6/7/y7/7/6/5/3r yr y1 - 0,0 26\n' >short.pos
reads nl_NL.UTF-8 replay short.pos
nl=$(tr '\n' ' ' <err.txt)
bad 'a refusal in Dutch' 1 'short.pos:1: position\.fields: [A-Z]'
reads C replay short.pos
bad 'and in English' 1 'short.pos:1: position\.fields: [a-z]'
check 'in other words' test "$nl" != "$(tr '\n' ' ' <err.txt)"
words=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[
    "fault_position_fields"].rstrip("."))' "$root/web/messages/nl.json")
check 'those of the browser' grep -qF "$words" <<<"$nl"

# The same notation, files and numbers in every language.
for command in 'legal nova --option setup=random --seed 5' \
    'games --json' 'games --faults' 'perft blank --depth 3'; do
    # shellcheck disable=SC2086
    reads C $command
    english=$out
    # shellcheck disable=SC2086
    reads de_DE.UTF-8 $command
    is "$command says the same in German" "$english"
done
reads nl_NL.UTF-8 convert "$root/tests/games/nova/sample-islet.nova"
dutch=$out
reads C convert "$root/tests/games/nova/sample-islet.nova"
is 'a record is the same in Dutch' "$dutch"

# At the table.
play() { # locale
    printf 'help\nzz\nundo\n' | env LANGUAGE= LC_ALL="$1" "$terra" play nova \
        --seats human,human --option setup=random --seed 5 \
        >out.txt 2>err.txt
    status=$?
}
play nl_NL.UTF-8
check 'the table speaks Dutch' grep -q 'alle mogelijke acties' out.txt
check 'refusals at the table, too' grep -q 'invoerregel 2: ' err.txt
check 'nothing to undo, in Dutch' grep -q 'niets om ongedaan' err.txt
reads sv_SE.UTF-8 --help
shows 'the list of commands in Swedish' 'play +spela i terminalen'

# What argp says by itself, and what we tell of the options.
for case in "nl_NL.UTF-8|Gebruik: terra play|toon deze hulp|De tafel:" \
    "sv_SE.UTF-8|Användning: terra play|visa den här hjälpen|Bordet:" \
    "de_DE.UTF-8|Aufruf: terra play|diese Hilfe zeigen|Der Tisch:" \
    "C|Usage: terra play|give this help list|The table:"; do
    IFS='|' read -r locale usage help table <<<"$case"
    reads "$locale" play --help
    shows "$locale: how a command is called" "^$usage"
    shows "$locale: its options" "$help"
    shows "$locale: their heading" "$table"
done
reads nl_NL.UTF-8 play --help
shows 'what the command does' '^Speelt een partij in de terminal'
reads nl_NL.UTF-8 --help
shows 'and what the program is' 'Terra Mystica op de opdrachtregel'
shows 'argp says [OPTION...] in Dutch' '^Gebruik: terra \[OPTIE\.\.\.\]'
reads de_DE.UTF-8 draw --help
shows 'and the second way to call' '^  oder: +terra draw'

# Every command: what it does, its options and what stands behind them.
for case in 'games|Ein Stern steht bei' 'replay|Standardeingabe' \
    'convert|Beispiel: terra convert' 'draw|Beispiel: terra draw' \
    'legal|Ohne Stellung oder Datei' 'perft|Die letzte Zeile' \
    'bench|Fingerabdruck' 'analyse|Strg-C beendet' \
    'arena|--seats nennt die Bots' 'engine|Befehle: hello' \
    'selfplay|--seats nennt die Bots' 'stats|Intervalle gelten' \
    'puzzles|--seats nennt die Bots' 'tune|Jede Zeile nennt' \
    'play|spielt jede Woche'; do
    reads de_DE.UTF-8 "${case%%|*}" --help
    shows "the help of ${case%%|*} in German" "${case#*|}"
    check 'no English is left in it' test -z \
        "$(grep -wE '(the|of|with|not|many|default)' out.txt)"
done
reads sv_SE.UTF-8 games nova
shows 'what a game says of itself' 'Flytta pionjärer, hägna in land'
shows 'and of its options' '0 är obegränsat'
reads nl_NL.UTF-8 arena nova --threads x
bad 'a number in Dutch' 2 "aantal threads 'x' is geen getal van 1 tot 256"
reads sv_SE.UTF-8 play nova nova
bad 'a word too many in Swedish' 2 "spel anges bara en gång, inte även 'nova'"

# Those who run a server.
reads de_DE.UTF-8 serve --help
if [ "$status" = 0 ]; then # where the server is built
    shows 'the help of serve in German' '--port N +auf diesem Port lauschen'
    reads nl_NL.UTF-8 serve --port x
    bad 'serve refuses in Dutch' 2 "een poort is een getal van 0 tot 65535"
    reads sv_SE.UTF-8 serve --nope
    bad 'serve refuses in Swedish' 2 "okänd eller ofullständig flagga '--nope'"
    reads de_DE.UTF-8 serve --root . --no-data
    bad 'serve misses the client in German' 1 "hat keine index.html"
    reads nl_NL.UTF-8 admin --help
    shows 'the help of admin in Dutch' 'vacuum +geef ongebruikte ruimte terug'
    reads sv_SE.UTF-8 admin --store sqlite:none.db users
    check 'admin refuses in Swedish' grep -q "'none.db' finns inte" err.txt
    reads de_DE.UTF-8 worker
    check 'worker asks in German' grep -q 'welcher Datenspeicher?' err.txt
    reads nl_NL.UTF-8 protocol
    check 'protocol asks in Dutch' grep -q 'welke vorm?' err.txt
fi

# Tables of results: headings stand over their columns, letters of two bytes
# count once; numbers, names and JSON are the same.
series=(arena nova --seats 'greedy,random' --board islet --option setup=random)
reads C "${series[@]}" --games 4 --out series
reads C "${series[@]}" --games 4 --out series --resume # times as stored
english=$(sed -n 2p out.txt)
for case in 'nl|bot +partijen gewonnen +gelijk|van de overwinningen in 4 partijen' \
    'sv|bott +partier vinster oavgjorda förluster|av vinsterna i 4 partier' \
    'de|Bot +Partien gewonnen +remis|der Siege in 4 Partien'; do
    IFS='|' read -r language heading sentence <<<"$case"
    reads "$language.UTF-8" "${series[@]}" --games 4 --out series --resume
    shows "$language: the headings of a series" "^$heading"
    shows "$language: and its result" "$sentence"
    check 'all rows are equally wide' python3 -c 'import sys
rows = open("out.txt", encoding="utf-8").read().split("\n")[:3]
sys.exit(len({len(row) for row in rows}) != 1)'
    check 'with the same numbers' test \
        "$(sed -n 2p out.txt | tr -s ' ')" = "$(tr -s ' ' <<<"$english")"
done
reads C selfplay blank --seats random,random --games 4 --out set
reads C stats set
numbers=$(tr -cd '0-9.\n' <out.txt)
reads C stats set --json
json=$out
for case in 'nl|speler 1     gewonnen|marge        gemiddeld' \
    'sv|spelare 1    vinster|längd        medel' \
    'de|Spieler 1    Siege|Länge        Mittel'; do
    IFS='|' read -r language seat sample <<<"$case"
    reads "$language.UTF-8" stats set --svg set.svg
    shows "$language: what a set of games holds" "^$seat"
    shows "$language: in columns" "^$sample"
    check 'and the same numbers' test "$numbers" = "$(tr -cd '0-9.\n' <out.txt)"
    reads "$language.UTF-8" stats set --json
    is "$language: JSON is the same" "$json"
done
check 'plots are in German, too' grep -q '>mögliche Aktionen je Schritt<' set.svg
reads nl.UTF-8 bench blank --seconds 0.01
shows 'bench in Dutch' '^spelers +acties/s'
reads nl.UTF-8 bench blank --fingerprint
dutch=$out
reads C bench blank --fingerprint
is 'a fingerprint is the same' "$dutch"
reads sv.UTF-8 analyse series/00000.nova --at 10 --bot club:20
shows 'analyse in Swedish' '^handling +försprång +noder'
reads de.UTF-8 replay "$root/tests/games/nova/sample-islet.nova"
shows 'replay in German' ': nova, 2 Spieler, [0-9]+ Schritte, 18-24, divided$'

# Nothing is missing, nothing is too much.
check 'the catalogues are complete' "$root/tools/catalogues" "$terra"
finish
