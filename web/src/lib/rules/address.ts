/* Where the rule behind a refusal can be read. */

/** What a text like "mystica §6.1.3" or "nova §9" names. */
export function cited(paragraph: string): { game: string; id: string } | null {
  const found = /^(\w+) §(\d+(?:\.\d+)*)/.exec(paragraph);
  return found ? { game: found[1]!, id: found[2]! } : null;
}

/* Faults that all games share tell no paragraph of their own. */
const shared: Record<string, Record<string, string>> = {
  nova: { 'setup.seats': '1', 'setup.option': '9', 'setup.value': '9', 'setup.given': '3', 'order.turn': '4', 'order.over': '8', text: '11' },
  terrax: { 'setup.seats': '3', 'setup.option': '12', 'setup.value': '12', 'setup.given': '3', 'order.turn': '4', 'order.over': '10', text: '17' },
  mystica: { 'setup.seats': '1', 'setup.option': '13', 'setup.value': '13', 'setup.given': '2', 'order.turn': '3', 'order.over': '10', text: '19' },
};
/* Those of Terra Mystica that are about what was written, not about a rule. */
const mystica: Record<string, string> = {
  'unknown.faction': '2.7', 'unknown.track': '8', 'unknown.action': '6.6', unknown: '17',
  'illegal.now': '3.3', 'illegal.forfeit': '15', position: '19', ledger: '19', commands: '19', record: '19',
};

const kind = (name: string): string => name.split('.')[0]!;

/** "nova §5.1" for every fault of that game; without one, only where it is sure. */
export function paragraphOf(fault: { name: string; paragraph: string | null }, game = ''): string | null {
  if (fault.paragraph) return fault.paragraph;
  const of = shared[game] ?? {};
  const id = of[fault.name] ?? of[kind(fault.name)];
  if (id) return `${game} §${id}`;
  const own = game && game !== 'mystica' ? undefined : (mystica[fault.name] ?? mystica[kind(fault.name)]);
  return own ? `mystica §${own}` : null;
}

export function address(fault: { name: string; paragraph: string | null } | null | undefined, game = ''): string {
  const paragraph = fault ? paragraphOf(fault, game) : null;
  const place = paragraph ? cited(paragraph) : null;
  return place ? `#/rules/${place.game}/${place.id}` : '';
}
