/* The log as turns: steps up to the next fence, numbered round.seat. */
import type { Step } from './engine/types';

export interface Turn {
  /** index of the first step */
  from: number;
  steps: Step[];
  seat: number;
  label: string;
  complete: boolean;
}

type Parts = { phase(step: Step): string; ends?(step: Step): boolean };

/** Turns that are as they were before stay the same objects: what shows them
 *  need not look at them again. */
export function turnsOf(log: Step[], { phase, ends }: Parts, before: Turn[] = []): Turn[] {
  const turns: Turn[] = [];
  let round = 0;
  let part: string | null = null;
  let previous = Infinity;
  let lead = 0;
  for (let i = 0; i < log.length; ) {
    const first = log[i]!;
    let end = i;
    /* Claims of others stand inside a turn that ends by an action of its own. */
    while (end < log.length - 1 && !(ends ? ends(log[end]!) : log[end]!.last || log[end + 1]!.seat !== first.seat)) end++;
    const now: string = first.kind === 'action' ? phase(first) : (part ?? '');
    if (now !== part) {
      round = 0;
      previous = Infinity;
      /* Where turns end by an action, rounds count from whoever began. */
      lead = ends ? first.seat : 0;
      part = now;
    }
    const place = (first.seat - lead + 6) % 6;
    if (place <= previous || round === 0) round++;
    previous = place;
    const label = `${now}${round}.${first.seat + 1}`;
    const old = before[turns.length];
    const same = old?.from === i && old.label === label && old.steps.length === end + 1 - i && old.steps.every((step, k) => step === log[i + k]);
    turns.push(same ? old : { from: i, steps: log.slice(i, end + 1), seat: first.seat, label, complete: log[end]!.last });
    i = end + 1;
  }
  return turns;
}
