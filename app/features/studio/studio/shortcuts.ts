/**
 * Single keys and pairs of keys. Users can't turn off Ctrl+K and ⌘K, which open the search, so these are not listed.
 */
export const SHORTCUTS = {
  help: ['?'],
  list: ['/'],
  newEpisode: ['n'],
  home: ['g', 'h'],
  products: ['g', 'p'],
  calendar: ['g', 'c'],
  team: ['g', 't'],
  settings: ['g', 's'],
} as const;

export type Shortcut = keyof typeof SHORTCUTS;
const NAMES = Object.keys(SHORTCUTS) as Shortcut[];
/** The longest pause before the second key of a pair. */
export const PAIR_MS = 1500;

/** Finds the shortcut for a key, or for the pair of the previous key and this one. Null if no shortcut matches. */
export function shortcutOf(before: string | null, key: string): Shortcut | null {
  const isPair = (name: Shortcut) => SHORTCUTS[name].length === 2;
  const pair = NAMES.find((name) => isPair(name) && SHORTCUTS[name][0] === before && SHORTCUTS[name][1] === key);
  return pair ?? NAMES.find((name) => !isPair(name) && SHORTCUTS[name][0] === key) ?? null;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Ctrl+K, or ⌘K. */
export function opensSearch({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
}

/** Whether Ctrl, ⌘ or Alt is pressed. Shift does not count: `?` and `/` may need it, and it makes letters capital. */
export const isModified = ({ ctrlKey, metaKey, altKey }: Pressed): boolean => ctrlKey || metaKey || altKey;

const SETTING = 'shortcuts';

/** Whether single-key shortcuts are on (WCAG 2.1.4). Without storage, they are. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off';
  } catch {
    return true;
  }
}

export function turnShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, 'off');
  } catch {
    // shortcuts stay on
  }
}
