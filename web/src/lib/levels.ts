/* What bot levels are called. */
import { m } from '../paraglide/messages';

const names: Record<string, () => string> = {
  random: m.level_random,
  novice: m.level_novice,
  casual: m.level_casual,
  club: m.level_club,
  expert: m.level_expert,
  master: m.level_master,
};

export const levelName = (level: string): string => names[level]?.() ?? level;

/** The level offered first: club if there is one, else the strongest below it. */
export const usualLevel = (levels: string[]): string => (levels.includes('club') ? 'club' : (levels.at(-1) ?? 'random'));
