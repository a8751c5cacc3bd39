/* Power actions, special actions and conversions as they can be chosen now. */
import { isPlayer, powerActions, type MysticaAction, type MysticaScene } from './scene';

export interface PowerChoice { id: string; glyph: string; cost: number; burn: number; used: boolean; action: MysticaAction | null }

/* A turn in which the main action is still to come can also be passed. */
export const acting = (scene: MysticaScene): boolean => scene.phase === 'actions' && scene.actions.some((a) => a.kind === 'pass');

/** The six, with what must be burnt first where power is short. */
export function powerChoices(scene: MysticaScene, interactive: boolean): PowerChoice[] {
  const me = scene.seats[scene.report ?? -1];
  return powerActions.map(({ id, power, glyph }) => {
    const cost = power - (me?.faction === 'yetis' ? 1 : 0);
    const used = scene.used.includes(id);
    const legal = interactive ? scene.actions.find((a) => a.text === `action ${id}`) : undefined;
    const short = isPlayer(me) ? cost - me.bowls[2] : 0;
    const burn = !legal && !used && interactive && acting(scene) && isPlayer(me) && short > 0 && me.bowls[1] >= 2 * short ? short : 0;
    return { id, glyph, cost, burn, used, action: legal ?? (burn ? { text: `burn ${burn}. action ${id}`, kind: 'action' } : null) };
  });
}

export const specials = (scene: MysticaScene): MysticaAction[] => scene.actions.filter((a) => a.kind === 'action' && !/ACT\d$/.test(a.text));

/** Burning and each conversion by its smallest step. */
export function conversions(scene: MysticaScene): MysticaAction[] {
  const seen = new Set<string>();
  return scene.actions.filter((action) => {
    if (action.kind !== 'convert' && action.kind !== 'burn') return false;
    const sort = action.kind === 'burn' ? 'burn' : action.text.replace(/\d+/g, '');
    if (seen.has(sort)) return false;
    seen.add(sort);
    return true;
  });
}
