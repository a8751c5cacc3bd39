/* What is drawn on each tile: marks of a glyph, the number below it, and how it
 * counts ("vp": points for each, "action": an action space). */

export interface Mark { glyph: string; n: string; how: string }

const drawn: Record<string, string> = {
  BON1: 'coin 2|spade 1 action', BON2: 'coin 4|cults 1 action', BON3: 'coin 6', BON4: 'power 3|ship +1', BON5: 'worker 1|power 3',
  BON6: 'worker 2|stronghold 4 vp|sanctuary 4 vp', BON7: 'worker 1|trading-house 2 vp', BON8: 'priest 1', BON9: 'coin 2|dwelling 1 vp', BON10: 'power 3|ship 3 vp',
  TW1: 'vp 5|coin 6', TW2: 'vp 7|worker 2', TW3: 'vp 9|priest 1', TW4: 'vp 6|power 8', TW5: 'vp 8|cults +1', TW6: 'vp 2|cults +2|key 2', TW7: 'vp 4|ship +1', TW8: 'vp 11',
  FAV1: 'cult-fire +3', FAV2: 'cult-water +3', FAV3: 'cult-earth +3', FAV4: 'cult-air +3',
  FAV5: 'cult-fire +2|town 6', FAV6: 'cult-water +2|cults 1 action', FAV7: 'cult-earth +2|worker 1|power 1', FAV8: 'cult-air +2|power 4',
  FAV9: 'cult-fire +1|coin 3', FAV10: 'cult-water +1|trading-house 3 vp', FAV11: 'cult-earth +1|dwelling 2 vp', FAV12: 'cult-air +1|trading-house 2+ vp',
  /* special terrain tiles, by faction */
  alchemists: 'ship +1|spade +1', auren: 'cults 10|vp 4', chaosmagicians: 'stronghold 0', cultists: 'cults =|vp', darklings: 'dwelling|vp', dwarves: 'tunnel 2', engineers: 'bridge',
  fakirs: 'carpet|coin 2', giants: 'spade +1', halflings: 'spade −1', mermaids: 'terrain-river|spade 1', nomads: 'power|coin 1', swarmlings: 'town 14', witches: 'town|vp 5', icemaidens: 'temple|spade 1',
  yetis: 'power +2', acolytes: 'cults −3|power', dragonlords: 'power +1', riverwalkers: 'priest 1|ship +1', shapeshifters: 'swap',
};
export const tileIds = Object.keys(drawn);
export const marksOf = (id: string): Mark[] => (drawn[id] ?? '').split('|').map((text) => {
  const [glyph = '', n = '', how = ''] = text.split(' ');
  return { glyph, n, how };
});

/** Glyphs of resources and cults have their colour everywhere. */
export const toneOf = (glyph: string): string =>
  (/^(coin|worker|priest|power|vp)$/.test(glyph) ? `var(--res-${glyph})` : glyph.startsWith('cult-') ? `var(--${glyph})` : 'var(--ink)');

export const kindOf = (id: string): 'card' | 'town' | 'favour' | 'land' => (id.startsWith('BON') ? 'card' : id.startsWith('TW') ? 'town' : id.startsWith('FAV') ? 'favour' : 'land');
