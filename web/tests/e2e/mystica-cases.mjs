// Positions of Terra Mystica in which a special terrain tile can be placed or a
// faction's action taken: two seats on the original map in round 3.
import assert from 'node:assert/strict';

const other = (faction) => (['swarmlings', 'mermaids', 'riverwalkers'].includes(faction) ? 'nomads yellow yellow' : 'swarmlings blue blue');

/** The position of a case as a file. */
export function position({ faction, home, build, terrain = '', purse = '' }) {
  return `game: mystica
seats: 2
option ice: yes
option volcano: yes
option variable: v5
option special-landscapes: all
seed: 0000000000000001
start:
	round 3 actions active 1
	score SCORE6 SCORE5 SCORE4 SCORE8 SCORE7 SCORE3
	cards BON3 BON4 BON5 BON6 BON9
	seat 1 ${faction} ${home} vp 20 C 20 W 20 P 3 keys 0 ship ${['dwarves', 'fakirs'].includes(faction) ? 0 : 1} dig 0 bowls 4/4/6 cults 5/5/5/5 card BON3 ${purse}
${build.map((line) => `	build 1 ${line}`).join('\n')}
	seat 2 ${other(faction)} vp 20 C 20 W 20 P 3 keys 0 ship 0 dig 0 bowls 4/4/4 cults 1/1/1/1 card BON4
	build 2 D ${other(faction).startsWith('nomads') ? 'H1' : 'I4'}
${terrain ? `	terrain ${terrain}\n` : ''}`;
}

/** Two buildings of one turn offer power to the same neighbour, who may answer
 * in any order. */
export const twoOffers = position({ faction: 'chaosmagicians', home: 'red red', build: ['SH E3', 'D D4 G2'], terrain: 'blue F4' })
  .replace('seed:', 'option strict-leech: no\nseed:').replace('build 2 D I4', 'build 2 D F4\n\tbuild 2 TP D5').replace('bowls 4/4/4', 'bowls 6/4/2');
export const twoBuilds = ['action ACTC', 'upgrade G2 to TP', 'upgrade D4 to TP', 'done'];

/** Where each faction's tile goes, by which deeds. */
export const tiles = [
  { faction: 'alchemists', home: 'black black', build: ['SH E5'], cell: 'E6', deeds: ['dig 1. special E6'] },
  { faction: 'auren', home: 'green green', build: ['D F4'], cell: 'E7', deeds: ['dig 1. special E7'] },
  { faction: 'chaosmagicians', home: 'red red', build: ['TP D4'], cell: 'E3', deeds: ['upgrade D4 to SH', 'special E3'] },
  { faction: 'cultists', home: 'brown brown', build: ['D E6'], cell: 'F3', deeds: ['dig 1. special F3'] },
  { faction: 'darklings', home: 'black black', build: ['SH E5'], cell: 'E6', deeds: ['dig 1. special E6'] },
  { faction: 'dwarves', home: 'gray gray', build: ['D E7'], cell: 'F4', deeds: ['dig 1. special F4'] },
  { faction: 'engineers', home: 'gray gray', build: ['D E7'], cell: 'F4', deeds: ['dig 1. special F4'] },
  { faction: 'fakirs', home: 'yellow yellow', build: ['D E8'], cell: 'E7', deeds: ['dig 2. special E7'] },
  { faction: 'giants', home: 'red red', build: ['TE D4'], cell: 'E6', deeds: ['dig 2. special E6'] },
  { faction: 'halflings', home: 'brown brown', build: ['SH E6'], cell: 'F3', deeds: ['dig 1. special F3'] },
  { faction: 'mermaids', home: 'blue blue', build: ['D D5'], cell: 'r16', deeds: ['dig 1. special r16'] },
  { faction: 'nomads', home: 'yellow yellow', build: ['TP E8'], cell: 'E7', deeds: ['dig 2. special E7'] },
  { faction: 'swarmlings', home: 'blue blue', build: ['SA D5'], cell: 'E7', deeds: ['dig 2. special E7'] },
  { faction: 'witches', home: 'green green', build: ['TE F4 C3'], cell: 'E7', deeds: ['dig 1. special E7'] },
  { faction: 'icemaidens', home: 'ice green', build: ['D E6'], terrain: 'ice E6', cell: 'E7', deeds: ['dig 1. special E7'] },
  { faction: 'yetis', home: 'ice green', build: ['D E6'], terrain: 'ice E6', cell: 'E7', deeds: ['dig 1. special E7'] },
  { faction: 'acolytes', home: 'volcano green', build: ['D E6'], terrain: 'volcano E6', cell: 'E7', deeds: ['dig 1. special E7', '-3FIRE'] },
  { faction: 'dragonlords', home: 'volcano green', build: ['SA F4'], terrain: 'volcano F4', cell: 'E7', deeds: ['dig 1. special E7'] },
  { faction: 'riverwalkers', home: 'variable blue', build: ['D D5'], purse: 'unlocked blue', cell: 'r16', deeds: ['special r16'] },
  { faction: 'shapeshifters', home: 'green green', build: ['D F4'], cell: 'E7', deeds: ['dig 1. special E7', 'pick-color brown'] },
];

/** Every faction's action, and what it leads to. */
export const actions = [
  { faction: 'auren', home: 'green green', build: ['SH F4'], deeds: ['action ACTA', '+2FIRE'], shows: (scene) => scene.seats[0].cults[0] === 7 },
  { faction: 'chaosmagicians', home: 'red red', build: ['SH D4', 'D E3'], deeds: ['action ACTC', 'upgrade E3 to TP', 'send p to FIRE for 3'], shows: (scene) => scene.seats[0].cults[0] === 8 && scene.seats[0].pieces[1] === 1 },
  { faction: 'engineers', home: 'gray gray', build: ['D C2'], deeds: ['action ACTE', 'bridge C2:E5'], shows: (scene) => scene.bridges.length === 1 },
  { faction: 'giants', home: 'red red', build: ['SH D4'], deeds: ['action ACTG', 'transform E6 to red', 'build E6'], shows: (scene) => scene.seats[0].pieces[0] === 1 },
  { faction: 'nomads', home: 'yellow yellow', build: ['SH E8'], deeds: ['action ACTN', 'transform E7 to yellow'], shows: (scene) => scene.cells.find((one) => one.cell === 'E7').terrain === 'yellow' },
  { faction: 'swarmlings', home: 'blue blue', build: ['SH D5', 'D H4'], deeds: ['action ACTS', 'upgrade H4 to TP'], shows: (scene) => scene.seats[0].pieces[1] === 1 },
  { faction: 'witches', home: 'green green', build: ['SH F4'], deeds: ['action ACTW', 'build A3'], shows: (scene) => scene.seats[0].pieces[0] === 1 },
  { faction: 'shapeshifters', home: 'green green', build: ['SH F4'], deeds: ['action ACTH5', 'pick-color brown'], shows: (scene) => scene.seats[0].home === 'brown' },
];

/** Puts a dwelling of the other seat there instead. */
const beside = (cell) => (text) => text.replace(/build 2 D \w+/, `build 2 D ${cell}`);
/** A turn in which something is still to be taken. */
const owed = (text) => `${text}\tturn started 1 acted 1\n`;
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** What factions can do without an action space, and what comes of it. */
export const abilities = [
  {
    faction: 'mermaids', what: 'a town across a river hex', home: 'blue blue', build: ['TE D5', 'TP E7 D6', 'D E6'], terrain: 'blue E7 D6 E6', deeds: ['connect r16', '+TW2'],
    shows: ({ cells, seats: [me] }) => assert.deepEqual([cells.filter((one) => one.seat === 0 && one.town).length, me.towns], [4, [2]]),
  },
  {
    faction: 'riverwalkers', what: 'a terrain for a priest', home: 'variable blue', build: ['D D5'], purse: 'unlocked blue', deeds: ['action ACT2', 'unlock-terrain green'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.cap, me.P, me.C < was.C], [was.cap + 1, was.P, true]),
  },
  {
    faction: 'shapeshifters', what: 'a power token when others take power', home: 'green green', build: ['D E7'], terrain: 'green E7', change: beside('D5'),
    deeds: ['upgrade E7 to TP', 'done', 'leech 1 from shapeshifters', 'gain P3 for VP'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([sum(me.bowls), me.points], [sum(was.bowls) + 1, was.points - 1]),
  },
  {
    faction: 'shapeshifters', what: 'another home for five power tokens', home: 'green green', build: ['SH F4'], deeds: ['action ACTH6', 'pick-color brown'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.home, sum(me.bowls)], ['brown', sum(was.bowls) - 5]),
  },
  {
    faction: 'cultists', what: 'a cult step when others take power', home: 'brown brown', build: ['D E7'], terrain: 'brown E7', change: beside('D5'),
    deeds: ['upgrade E7 to TP', 'done', 'leech 1 from cultists', '+EARTH'],
    shows: ({ seats: [me] }) => assert.deepEqual(me.cults, [5, 5, 6, 5]),
  },
  {
    faction: 'witches', what: 'a ride to any forest', home: 'green green', build: ['SH F4'], deeds: ['action ACTW', 'build A3'],
    shows: ({ cells, seats: [me] }, { seats: [was] }) => assert.deepEqual([cells.find((one) => one.cell === 'A3').piece, me.C, me.W], ['D', was.C, was.W]),
  },
  {
    faction: 'darklings', what: 'workers to priests with the stronghold', home: 'black black', build: ['TP E5'], deeds: ['upgrade E5 to SH', 'convert 3W to 3P'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.P, was.W - me.W], [was.P + 3, 7]),
  },
  {
    faction: 'alchemists', what: 'points for coins and back', home: 'black black', build: ['D E5'], deeds: ['convert 1VP to 1C', 'convert 1VP to 1C', 'convert 2C to 1VP'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.points, me.C], [was.points - 1, was.C]),
  },
  {
    faction: 'fakirs', what: 'a flight by carpet', home: 'yellow yellow', build: ['D E8'], terrain: 'yellow D4', deeds: ['build D4'],
    shows: ({ cells, seats: [me] }, { seats: [was] }) => assert.deepEqual([cells.find((one) => one.cell === 'D4').piece, me.P, me.sources.faction], ['D', was.P - 1, was.sources.faction + 4]),
  },
  {
    faction: 'dwarves', what: 'a tunnel', home: 'gray gray', build: ['D E7'], terrain: 'gray C3', deeds: ['build C3'],
    shows: ({ cells, seats: [me] }, { seats: [was] }) => assert.deepEqual([cells.find((one) => one.cell === 'C3').piece, was.W - me.W, me.sources.faction], ['D', 3, was.sources.faction + 4]),
  },
  {
    faction: 'yetis', what: 'power actions for one power less', home: 'ice green', build: ['D E6'], terrain: 'ice E6', change: (text) => text.replace('bowls 4/4/6', 'bowls 9/0/3'), deeds: ['action ACT4'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.C, me.bowls], [was.C + 7, [12, 0, 0]]),
  },
  {
    faction: 'halflings', what: 'three spades with the stronghold', home: 'brown brown', build: ['TP E6'], deeds: ['upgrade E6 to SH', 'transform F3 to brown', 'transform D4 to brown', 'build F3'],
    shows: ({ cells, seats: [me] }, { seats: [was] }) => assert.deepEqual([cells.find((one) => one.cell === 'F3').piece, me.pieces[3], me.sources.faction], ['D', 1, was.sources.faction + 3]),
  },
  {
    faction: 'icemaidens', what: 'points for temples when passing with the stronghold', home: 'ice green', build: ['SH E6', 'TE F4'], terrain: 'ice E6 F4', deeds: ['pass BON5'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.equal(me.points, was.points + 3),
  },
  {
    faction: 'acolytes', what: 'a volcano for cult steps', home: 'volcano green', build: ['D E6'], terrain: 'volcano E6', deeds: ['dig 1. build E7', '-3FIRE'],
    shows: ({ cells, seats: [me] }, { seats: [was] }) => assert.deepEqual([cells.find((one) => one.cell === 'E7').terrain, me.cults[0]], ['volcano', was.cults[0] - 3]),
  },
  {
    faction: 'dragonlords', what: 'a volcano for power tokens', home: 'volcano green', build: ['D E6'], terrain: 'volcano E6', deeds: ['dig 1. build E7'],
    shows: ({ cells, seats: [me] }, { seats: [was] }) => assert.deepEqual([cells.find((one) => one.cell === 'E7').terrain, sum(me.bowls)], ['volcano', sum(was.bowls) - 1]),
  },
  {
    faction: 'cultists', what: 'power when all decline', home: 'brown brown', build: ['D E7'], terrain: 'brown E7', change: beside('D5'),
    deeds: ['upgrade E7 to TP', 'done', 'decline 1 from cultists'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.cults, me.bowls], [was.cults, [was.bowls[0] - 1, was.bowls[1] + 1, was.bowls[2]]]),
  },
  {
    faction: 'nomads', what: 'a coin instead of power at the Trade Post', home: 'yellow yellow', build: ['D E8', 'X E7'], change: (text) => beside('D5')(text).replace('active 1', 'active 2'),
    deeds: ['upgrade D5 to TP', 'done', 'coin 2 from swarmlings'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.C, me.bowls], [21, was.bowls]),
  },
  {
    faction: 'witches', what: 'three cult steps for a town at the Raven Roost', home: 'green green', build: ['TE F4 C3', 'X E7'], purse: 'due-towns 1', change: owed, deeds: ['+TW1', '+3AIR'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.cults[3], me.points, me.towns], [8, was.points + 5, [1]]),
  },
  {
    faction: 'alchemists', what: 'two steps without a priest in the Dark Workshop', home: 'black black', build: ['SH E5'], deeds: ['dig 1. special E6', 'advance ship', 'advance dig'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.ship, me.dig, me.P], [was.ship + 1, 1, was.P]),
  },
  {
    faction: 'giants', what: 'a free digging step in the Cave of Wisdom', home: 'red red', build: ['TE D4'], deeds: ['dig 2. special E6', 'advance dig'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.dig, me.P, me.C], [1, was.P, was.C]),
  },
  {
    faction: 'swarmlings', what: 'a second town tile from the Breeding Ground', home: 'blue blue', build: ['SA D5/1', 'SH D4/1', 'TE E7/1 E6/1', 'TP F4/1', 'D F3/1', 'X I4'], terrain: 'blue D4 E7 E6 F4 F3', purse: 'towns 1 tiles 1 took TW5', deeds: ['upgrade F3 to TP', '+TW1'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.towns, me.W, me.points], [[1, 5], was.W, was.points + 5]),
  },
  {
    faction: 'swarmlings', what: 'a building between two towns joins one', home: 'blue blue', build: ['SA D5/1', 'SH C3/1', 'TE C4/1 B4/1', 'TP A7/1', 'D A8/1', 'TP F4/2 F3/2', 'TE G3/2', 'D H3/2', 'X I4'], purse: 'towns 2 tiles 2 took TW5+TW6',
    terrain: 'blue E7 C3 C4 B4 A7 A8 F4 F3 G3 H3', deeds: ['build E7', 'join D5', '+TW1'],
    shows: ({ seats: [me] }) => assert.deepEqual(me.towns, [1, 5, 6]),
  },
  {
    faction: 'riverwalkers', what: 'two bridges with the stronghold', home: 'variable blue', build: ['TP C2', 'D E5'], terrain: 'blue C2 E5', purse: 'unlocked blue', deeds: ['upgrade C2 to SH', 'bridge C2:E5', 'bridge C2:D4'],
    shows: ({ bridges, seats: [me] }) => assert.deepEqual([bridges.length, me.pieces[3]], [2, 1]),
  },
  {
    faction: 'riverwalkers', what: 'a priest kept instead of a terrain', home: 'variable blue', build: ['D D5'], purse: 'unlocked blue+green', change: (text) => text.replace('P 3', 'P 0'), deeds: ['action ACT2', 'unlock-terrain gain-priest'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.deepEqual([me.P, me.C], [was.P + 1, was.C]),
  },
  {
    faction: 'yetis', what: 'a power action already taken, with the stronghold', home: 'ice green', build: ['SH E6'], terrain: 'ice E6', change: (text) => `${text}\tused ACT4\n`, deeds: ['action ACT4'],
    shows: ({ used, seats: [me] }, { seats: [was] }) => assert.deepEqual([used, me.C], [['ACT4'], was.C + 7]),
  },
  {
    faction: 'acolytes', what: 'a priest goes one step farther with the stronghold', home: 'volcano green', build: ['SH E6'], terrain: 'volcano E6', deeds: ['send p to FIRE for 3'],
    shows: ({ seats: [me] }, { seats: [was] }) => assert.equal(me.cults[0], was.cults[0] + 4),
  },
];
