/* Terra Nova in ten exercises, all on Lake Islet; you are yellow. */
import type { NovaScene } from '../../games/nova/scene';
import { m } from '../../paraglide/messages';
import type { Exercise, Lesson } from './lesson';

type Goal = (scene: NovaScene) => boolean;
const stands = (hex: string): Goal => (scene) => scene.pioneers.some((one) => one.hex === hex && one.seat === 0);
const stones = (...hexes: string[]): Goal => (scene) => hexes.every((hex) => scene.stones.includes(hex));
const points = (yellow: number, red?: number): Goal => ({ seats }) => seats[0]!.points >= yellow && (red === undefined || seats[1]!.points === red);

const exercise = (id: string, rows: string, supply: number, goal: Goal, targets: string, solution: string, title: () => string, text: () => string): Exercise => ({
  id,
  start: `islet ${rows} yr y1 - 0,0 ${supply} 0`,
  targets: targets.split(' ').filter(Boolean),
  solved: (scene) => goal(scene as NovaScene),
  solution: solution.split(' '),
  title,
  text,
});

export const lesson: Lesson = {
  game: 'nova',
  title: m.lesson_nova,
  exercises: [
    exercise('move', '4r/6/7/y7/7/6/5/3r', 26, stands('d8'), 'd8', 'd1-d8', m.ln_move, m.ln_move_text),
    exercise('three', '5/6/5r1/y2r4/7/6/5/4', 26, stands('d8'), 'd8', 'd1-h5 h5-h8 h8-d8', m.ln_three, m.ln_three_text),
    exercise('stone', '4r/6/y6/8/7/6/5/3r', 26, stones('c6'), 'c6', 'c1-c5 *c6', m.ln_stone, m.ln_stone_text),
    exercise('stones', '4r/6/y6/8/7/6/5/3r', 26, stones('c4', 'd5'), 'c4 d5', 'c1-c5 *c4 *d5', m.ln_stones, m.ln_stones_text),
    exercise('close', '4r/##4/2#4/1y1#4/1##4/3y2/5/3r', 20, points(18), 'f3', 'f6-f4 *f3', m.ln_close, m.ln_close_text),
    exercise('choose', '4r/##4/2#3r/1y1#4/1##2##/2y##1/##1y1/4', 1, points(18), '', 'f5-f4 *f3', m.ln_choose, m.ln_choose_text),
    exercise('bring', '4r/##4/r1#4/1y1#4/1##4/3y2/5/3y', 20, points(18), '', 'f6-f3 f3-e2 *f3', m.ln_bring, m.ln_bring_text),
    exercise('tie', '4r/##4/r1#4/ry1#4/1##4/3y2/5/3y', 20, points(9, 9), '', 'f6-f3 f3-e2 *f3', m.ln_tie, m.ln_tie_text),
    exercise('fourth', '4r/###3/r2#3/1yy#4/2#4/1#4/#4/3y', 18, points(8), '', 'd2-e2 *f3', m.ln_fourth, m.ln_fourth_text),
    exercise('both', '4r/##4/2#2y1/1y1#4/1#y4/2#3/2#2/1#1r', 18, points(30), '', 'e4-f4 *f3 *e4', m.ln_both, m.ln_both_text),
  ],
};
