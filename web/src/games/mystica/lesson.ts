/* The first game: Halflings against Nomads, set up and ready for round 1. */
export const lesson = `game: mystica
seats: 2
seed: 0000000000000007
score: SCORE3 SCORE5 SCORE1 SCORE6 SCORE7 SCORE2
cards: BON1 BON3 BON5 BON7 BON9

1 setup halflings
2 setup nomads
1 build E6
2 build F3
2 build E8
1 build F5
2 build D3
2 pass BON1
1 pass BON5
`;
