import { PLAYER_LIMITS } from '~/server/limits/player';

export type KeyAction = { type: 'toggle' } | { type: 'jump'; seconds: number } | { type: 'volume'; by: number };

const { jumpSeconds } = PLAYER_LIMITS;

const GLOBAL_KEYS: Record<string, KeyAction> = {
  ' ': { type: 'toggle' },
  ArrowLeft: { type: 'jump', seconds: -jumpSeconds },
  ArrowRight: { type: 'jump', seconds: jumpSeconds },
};
const PLAYER_KEYS: Record<string, KeyAction> = {
  ...GLOBAL_KEYS,
  ArrowUp: { type: 'volume', by: 1 },
  ArrowDown: { type: 'volume', by: -1 },
};

/** The focused element of a key event. It decides whether the player handles the key. */
export type KeyContext = {
  key: string;
  modified: boolean;
  tag: string;
  /** Whether the element handles keys itself. */
  editable: boolean;
  role: string | null;
  inPlayer: boolean;
};

const INPUT_TAGS = ['INPUT', 'TEXTAREA', 'SELECT', 'AUDIO', 'VIDEO'];
const INPUT_ROLES = [
  'slider',
  'listbox',
  'option',
  'menuitem',
  'tab',
  'radio',
  'combobox',
  'gridcell',
  'spinbutton',
  'textbox',
];

/**
 * Space and the left and right arrows (±5 s) work unless the focused element handles them. Up and down change the
 * volume only while the player has focus, because elsewhere they scroll the page.
 */
export function keyAction(place: KeyContext): KeyAction | null {
  if (place.modified || place.editable) return null;
  if (place.key === ' ' && ['BUTTON', 'A', 'SUMMARY'].includes(place.tag)) return null;
  if (place.tag === 'SELECT') return null;
  if (place.inPlayer) return place.tag === 'INPUT' && place.key === ' ' ? null : (PLAYER_KEYS[place.key] ?? null);
  if (INPUT_TAGS.includes(place.tag) || (place.role && INPUT_ROLES.includes(place.role))) return null;
  return GLOBAL_KEYS[place.key] ?? null;
}

export function keyContext(event: KeyboardEvent): KeyContext {
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  return {
    key: event.key,
    modified: event.ctrlKey || event.metaKey || event.altKey || event.shiftKey,
    tag: target.tagName,
    editable: target.isContentEditable || target.closest('[data-own-keys]') !== null,
    role: target.getAttribute('role'),
    inPlayer: target.closest('[data-player]') !== null,
  };
}
