/* What the panels of one table share: which tray of choices is open, and
 * whether faction boards are out of sight. */
export type Tray = 'pass' | 'send' | 'convert' | null;
const narrow = matchMedia('(max-width: 1100px)');
export const ui = $state<{ tray: Tray; narrow: boolean }>({ tray: null, narrow: narrow.matches });
narrow.onchange = () => { ui.narrow = narrow.matches; };
