// Positions of Terra Mystica in which a special terrain tile can be placed or a
// faction's action taken: two seats on the original map in round 3.

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
