/* Terra-X in six exercises: lay, green, red, loop, cheque, claim. */
import type { TerraxScene } from '../../games/terrax/scene';
import { m } from '../../paraglide/messages';
import type { Exercise, Lesson } from './lesson';

type Goal = (scene: TerraxScene) => boolean;
const done = (card: string): Goal => (scene) => scene.missions.some((one) => one.card === card && one.at === 'done' && one.seat === 0);

const exercise = (id: string, routes: string, hand: string, goal: Goal, targets: string[], solution: string[], title: () => string, text: () => string, options = ''): Exercise => ({
  id,
  start: `game: terrax\nseats: 2\n${options}start:\n\t${routes} | seat 1 base 1 green 0 loop - loops 0 used 0\n\thand 1: ${hand}\n\thand 2: TAJ FUJ\n`,
  targets,
  solved: (scene) => goal(scene as TerraxScene),
  solution,
  title,
  text,
});

export const lesson: Lesson = {
  game: 'terrax',
  title: m.lesson_terrax,
  exercises: [
    exercise('lay', 'A:SCA>rCOP B:- C:-', 'NEB RAI', done('NEB'), [], ['A>NEB'], m.lx_lay, m.lx_lay_text),
    exercise('green', 'A:SCA>rCOP B:- C:-', 'WIE RAI', done('WIE'), [], ['B>gRIG', '+B>WIE'], m.lx_green, m.lx_green_text),
    exercise('red', 'A:- B:SCA>KIZ C:-', 'ULU RAI', (scene) => (scene.seats[0]?.cheques ?? 0) > 3, [], ['A>rCOP'], m.lx_red, m.lx_red_text),
    exercise('loop', 'A:SCA>rCOP>STO>SKA B:- C:-', 'CAR RAI', done('CAR'), [], ['A>SCA', '~A@STO>CAR'], m.lx_loop, m.lx_loop_text),
    exercise('cheque', 'A:SCA>rCOP>STO>CAR B:SCA>KIZ C:-', 'STO RAI', done('STO'), [], ['$A-CAR'], m.lx_cheque, m.lx_cheque_text),
    exercise('claim', 'A:SCA>rCOP>NEB B:SCA>KIZ C:-', 'NEB RAI', done('NEB'), [], ['!1:NEB'], m.lx_claim, m.lx_claim_text, 'option claims: manual\n'),
  ],
};
