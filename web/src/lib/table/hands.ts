/* Which factions each seat may choose from, as a line of the setup: one drawn
 * for everybody, or all that live on the terrains a seat was dealt. */
import { engine } from '../engine/engine';

export type Choice = 'free' | 'random' | 'dealt';

interface Picks { phase?: string; actions: { text: string; kind?: string }[]; deck?: { id: string; home: string }[] }
type Faction = NonNullable<Picks['deck']>[number];

const shuffled = <T>(list: T[]): T[] => list.map((one) => ({ one, by: Math.random() })).sort((a, b) => a.by - b.by).map(({ one }) => one);

async function factionsOf(setup: string): Promise<Faction[]> {
  const opened = await engine.open(setup);
  if (!opened.ok) return [];
  const { seat } = await engine.status(opened.value);
  const { phase, actions, deck = [] } = (await engine.scene(opened.value, -1, seat)) as unknown as Picks;
  await engine.close(opened.value);
  /* In an auction nothing is dealt. */
  return phase === 'pick' ? deck.filter((one) => actions.some(({ text }) => text.endsWith(` ${one.id}`))) : [];
}

/** The setup with what chance has dealt. */
export async function withHands(setup: string, seats: number, choice: Choice): Promise<string> {
  const open = choice === 'free' ? [] : await factionsOf(setup);
  const homes = shuffled([...new Set(open.map((one) => one.home))]);
  if (!homes.length) return setup;
  const each = choice === 'random' ? 1 : Math.max(1, Math.min(3, Math.floor(homes.length / seats)));
  const hands = Array.from({ length: seats }, (_, i) => {
    const hand = open.filter((one) => homes.slice(i * each, (i + 1) * each).includes(one.home)).map((one) => one.id);
    return (choice === 'random' ? shuffled(hand).slice(0, 1) : hand).join('+');
  });
  return `${setup}hands: ${hands.join(' ')}\n`;
}
