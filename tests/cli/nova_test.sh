#!/bin/bash
# tests/cli/nova_test.sh: Terra Nova at the command line: counts, records,
# boards that must be refused, and the terminal game.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" "$1"

# ---- a complete game (nova §11.2) ----
cat >game.nova <<'END'
[Game "nova"]
[Format "1"]
[Board "islet"]
[Seats "yr"]
[Seat1 "Ada"]
[Seat2 "Ben"]
[Edition "en"]
[Result "18-24"]
[End "divided"]

P +a3 +b5
P +b1 +d7
P +c6 +f4
P +g5 +f6
P +h7 +h6
1y h7-f7 *g7 *g8
1r h6-h7 *h6 *g6(r6)
2y g5-h5 *g5 *g4(y3)
2r f6-a1 *b2 *a2
3y b1-d3 *c3 *d4
3r f4-d2 *c1 *c2(r6)
4y f7-f5 *e5 *f6(y9)
4r b5-b6 *b5 *a5
5y c6-c4 *b4 *b3(y6)
5r d7-d6 *d5 *e6(r12)
END
run replay game.nova
is 'replay' 'game.nova: nova, 2 seats, 40 steps, 18-24, divided'
run convert game.nova
is 'convert is exact' "$(cat game.nova)"
run convert game.nova --at 11 --to position
shows 'a position of it' '^islet .* yr y2:h7>f7 - 0,0 26 0$'
run convert game.nova --to board
shows 'its board' '^name: islet$'
sed 's/^3y b1-d3/3y b1-h1/' game.nova >line.nova
run replay line.nova
bad 'an illegal action in the middle' 1 'line.nova:20:[0-9]+: [a-z.-]+: .*nova §'
sed 's/^3y b1-d3/3y b1~d3/' game.nova >word.nova
run replay word.nova
bad 'malformed notation' 1 'word.nova:20:[0-9]+: text.syntax'
sed 's/(r6)/(r7)/' game.nova >gain.nova
run replay gain.nova
bad 'a wrong gain' 1 'gain.nova:17:'
sed 's/18-24/18-25/' game.nova >total.nova
run replay total.nova
bad 'a wrong result' 1 'total.nova:8:'
sed 's/"islet"/"atlantis"/' game.nova >where.nova
run replay where.nova
bad 'an unknown board in a record' 1 'where.nova:3:'
size=$(wc -c <game.nova)
worst=0
for ((i = 1; i < size; i += 7)); do
    head -c "$i" game.nova >cut.nova
    run replay cut.nova
    if [ "$status" -gt 1 ] || [ "$(wc -l <err.txt)" -gt 1 ]; then worst=$i; fi
done
check 'truncated anywhere' [ "$worst" = 0 ]
head -c 300 game.nova >cut.nova
run replay cut.nova
bad 'truncated' 1 'cut.nova'
run draw game.nova --at 12 -o picture.svg
good 'draw'
check 'a picture' grep -q '</svg>' picture.svg
check 'no temporary files' tidy

# ---- counts (nova §15) ----
rows='2y2/y3r1/5y1/6r1/7/1r1r2/1y3/1ry1'
for edition in en:150674 nl:156776 sv:150305; do
    run perft nova --option board=islet --option "edition=${edition%:*}" \
        --position "$rows yr y1 - 0,0 26 0" --depth 3
    is "perft, edition ${edition%:*}" "${edition#*:}"
done
run perft nova --option board=islet --position "$rows yr y1 - 0,0 26 0" \
    --depth 2 --divide
check 'the count alone on the last line' [ "$(tail -n 1 out.txt)" = 2816 ]
check 'divide lists each action' [ "$(wc -l <out.txt)" = 53 ]
run perft nova --option board=islet --depth 2
is 'two placements' $((48 * 47))
run perft nova --option board=islet --position "$rows rybg y1 - 0,0,0,0 26 0" \
    --depth 1
bad 'more pioneers than four have' 1 'position'
run perft nova --option board=islet --seats bg --depth 1
is 'seats by colour' 48
final='1#2#/1####1/###4/3##3/3##2/3#2/#####/1#2 yr =divided - 18,24 6 0'
run perft nova --option board=islet --position "$final" --depth 1
is 'a finished game has no actions' 0
run legal nova --option board=islet --position "$final"
is 'nor legal ones' ''
run legal nova --option board=islet --position "$rows yr y1 - 0,0 26 0"
check 'legal actions' [ "$(wc -l <out.txt)" = 52 ]
check 'sorted' env LC_ALL=C sort -c out.txt
run legal nova --file game.nova --at 0
check 'of a file' [ "$(wc -l <out.txt)" = 48 ]
run legal nova --option board=islet --at 3
bad 'steps of nothing' 2 '--at counts the steps of a --file'
one="islet $rows yr y1 - 0,0 26 0"
printf '; two of them\n\n%s ; the first\n  islet %s\n\n' "$one" "$final" \
    >two.pos
run replay two.pos
shows 'several positions in one file' '^two.pos: nova position, 2 seats'
run convert two.pos
is 'none is lost' "$one"$'\n'"islet $final"
printf 'islet %s yr y1 - 0 26 0\n' "$rows" >>two.pos
run replay two.pos
bad 'each is checked' 1 'two.pos:6:[0-9]+: position\.scores'
run convert two.pos -o never.pos
bad 'and nothing is written' 1 'two.pos:6'
check 'not even a half' [ ! -e never.pos ]
run legal nova --option board=islet --position "$rows yr y1 - 0,0 26"
bad 'a field missing' 1 'position'
run legal nova --option board=islet --position "${rows/7/9} yr y1 - 0,0 26 0"
bad 'a row too long' 1 'position: column [0-9]+: position\.row'

other='##1#g/##b3/4##1/gg#####1/g1#1#2/######/3#1/1#2 bg g3:c7>a5:c2>d2 - 7,3 4 0'
feed $'legal\n' play nova --option board=islet --position "$other" --seats 2
shows 'a position tells the colours' '^12 legal$'
run legal nova --option board=islet --position "${other/#??1/##2}"
bad 'and its faults are told with them' 1 'column 1: position\.row'

# ---- usage ----
run play nova --option board=atlantis
bad 'unknown board' 2 "'board' of nova .* islet"
run play nova --seats 5
bad 'unknown number of seats' 2 '2 to 4 seats, not 5'
run play nova --seats yz
bad 'unknown colours' 2 "'yz'"
run play nova --seats yy
bad 'one colour twice' 2 "'yy'"

# ---- boards ----

# head NAME PIONEERS: the head of a board with eight stripes.
head_of() {
    echo "name: $1"
    echo 'landscapes: a=lake b=forest c=meadow d=farm e=steppe f=hills g=rock h=sand'
    echo 'pioneers: 2 2 2'
    echo 'stones: 20'
    echo 'balance: 2'
    echo 'map:'
}
# stripes ROWS LETTERS: a map with the letters in every row.
stripes() {
    local i
    for ((i = 0; i < $1; i++)); do
        if ((i % 2)); then printf ' '; fi
        echo "$2"
    done
}
row8='a b c d e f g h'
row16='a a b b c c d d e e f f g g h h'
{ head_of good; stripes 6 "$row8"; } >good.board
run replay good.board
shows 'a good board' '^good.board: nova board'
run perft nova --board good.board --depth 1
is 'a board of one'"'"'s own' 48
{ head_of most; stripes 16 "$row16"; } >most.board
run replay most.board
shows 'a board of 256 hexes' '^most.board: nova board'
{ head_of more; stripes 16 "$row16"; echo '. a'; } >more.board
{ head_of none; } >none.board
{ head_of dots; echo '. . .'; } >dots.board
{ head_of long; stripes 27 "$row8"; } >long.board
{ head_of gap; stripes 6 'a b c d . e f g h'; } >gap.board
{ head_of split; stripes 5 "$row8"; echo ' h b c d e f g h'; } >split.board
sed 's/b=forest/a=forest/' good.board >twice.board
sed 's/^a b c/a b\tc/' good.board >tab.board
sed '/^stones/d' good.board >stones.board
for board in more none dots long gap split twice tab stones; do
    run replay $board.board
    bad "replay $board.board" 1 "$board.board:.*board\.[a-z-]+: .*nova §10"
    run play nova --board $board.board
    bad "play on $board.board" 1 "$board.board:.*board\.[a-z-]+: .*nova §10"
    run perft nova --board $board.board --depth 1
    bad "count on $board.board" 1 "$board.board:.*board\.[a-z-]+"
done
run replay twice.board
bad 'the line is named' 1 'twice.board:2:'
run play nova --board "$terra"
bad 'a binary board' 1 'text.encoding'
run play nova --board game.nova
bad 'a record is no board' 1 'game.nova:'

# ---- play ----
feed $'+a3\n+b1 +b2\nquit\n' play nova --option board=islet --seats 2
good 'several actions on one line'
feed $'+a3\n+b1 +b2\nquit\n' play nova --option board=islet --seed 1
bad 'nobody types for a bot' 1 'input line 2: column 5: order.turn'
feed $'+a3 +a3\nquit\n' play nova --option board=islet --seats 2
bad 'all of a line or nothing' 1 'input line 1: column 5: illegal'
feed $'*a1\n' play nova --option board=islet --seats 2
bad 'why an input is refused' 1 'nova §'
feed $'+a3\nundo\nquit\n' play nova --option board=islet --seats 2
bad 'undo stops at the end of the turn' 1 'undo stops'
feed $'+a3\ntakeback\nlegal\n' play nova --option board=islet --seats 2
shows 'unless everyone agrees' '^48 legal$'
moves="$(sed -n 's/^P //p; s/^[0-9]*[yr] //p' game.nova |
    sed 's/([^)]*)//g' | tr '\n' ' ')"
feed "${moves%%h7-f7*}h7-f7
undo
h7-f7
save kept.nova
${moves#*h7-f7}
" play nova --option board=islet --seats 2
shows 'a whole game' '^1\. seat 2 \(human\), 24 points$'
check 'undo within the turn' grep -q '^taken back; 0 more' out.txt
run replay kept.nova
shows 'saved in the middle of a turn' '11 steps, 0-0, unfinished'
feed $'a3-a4\nquit\n' play nova --position "islet $rows yr y1 - 0,0 26 0" \
    --seats 2
good 'a position that names its board'
feed '' play nova --option board=islet --seats random,random --seed 2
shows 'bots alone' '^The match is over: '
finish
