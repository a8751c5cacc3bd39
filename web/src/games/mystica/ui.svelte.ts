/* What the panels of one table share: which tray of choices is open. */
export type Tray = 'pass' | 'send' | 'power' | 'convert' | null;
export const ui = $state<{ tray: Tray }>({ tray: null });
