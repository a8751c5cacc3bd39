/* What an action of a turn paid, brought and scored, a line each. */
import type { Scene, Step } from '../../lib/engine/types';
import { linesOf } from './changes';
import { unitGlyphs, type MysticaScene, type MysticaStep } from './scene';
import { sourceWords } from './words';

/** `before` and `after` are the scenes around the step. */
export function gave(step: Step, before: Scene, after: Scene, names: string[]): string[] {
  const { effect } = step as MysticaStep;
  const had = (before as MysticaScene).seats[step.seat];
  const has = (after as MysticaScene).seats[step.seat];
  const { costs, gains, rest } = linesOf(effect, names, had?.bowls);
  const points = Object.entries(has?.sources ?? {}).flatMap(([source, now]) => {
    const more = now - (had?.sources?.[source] ?? 0);
    return more ? [`${sourceWords[source]?.() ?? source} ${more > 0 ? '+' : '−'}${Math.abs(more)}`] : [];
  });
  const list = (sign: string, of: { text: string }[]): string[] => (of.length ? [`${sign} ${of.map((one) => one.text).join(', ')}`] : []);
  /* Victory points are told by where they come from. */
  return [...list('−', costs), ...list('+', gains.filter((one) => one.glyph !== unitGlyphs.VP)), ...rest.map((one) => one.text), ...points];
}
