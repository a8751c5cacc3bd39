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

export function turnsOf(log: Step[], phase: (step: Step) => string): Turn[] {
  const turns: Turn[] = [];
  let round = 0;
  let part: string | null = null;
  let previous = Infinity;
  for (let i = 0; i < log.length; ) {
    const first = log[i]!;
    let end = i;
    while (end < log.length - 1 && !log[end]!.last && log[end + 1]!.seat === first.seat) end++;
    const now: string = first.kind === 'action' ? phase(first) : (part ?? '');
    if (now !== part) {
      round = 0;
      previous = Infinity;
      part = now;
    }
    if (first.seat <= previous || round === 0) round++;
    previous = first.seat;
    turns.push({ from: i, steps: log.slice(i, end + 1), seat: first.seat, label: `${now}${round}.${first.seat + 1}`, complete: log[end]!.last });
    i = end + 1;
  }
  return turns;
}
