import { PLAYER_LIMITS } from '~/server/limits/player';

export type KeyAction = { type: 'toggle' } | { type: 'jump'; seconds: number } | { type: 'volume'; by: number };

const { jumpSeconds } = PLAYER_LIMITS;

const EVERYWHERE: Record<string, KeyAction> = {
  ' ': { type: 'toggle' },
  ArrowLeft: { type: 'jump', seconds: -jumpSeconds },
  ArrowRight: { type: 'jump', seconds: jumpSeconds },
};
const IN_THE_PLAYER: Record<string, KeyAction> = {
  ...EVERYWHERE,
  ArrowUp: { type: 'volume', by: 1 },
  ArrowDown: { type: 'volume', by: -1 },
};

/** Where a key was pressed: what has the focus decides whether the key is the player's. */
export type KeyPlace = {
  key: string;
  modified: boolean;
  tag: string /** It makes something of keys by itself. */;
  editable: boolean;
  role: string | null;
  inPlayer: boolean;
};

const TYPING = ['INPUT', 'TEXTAREA', 'SELECT', 'AUDIO', 'VIDEO'];
const OWN_ROLES = [
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
 * Space and the arrows ±5 s work wherever nothing else wants them; up and down change the volume while the focus is in the
 * player, since elsewhere they scroll the page.
 */
export function keyAction(place: KeyPlace): KeyAction | null {
  if (place.modified || place.editable) return null;
  if (place.key === ' ' && ['BUTTON', 'A', 'SUMMARY'].includes(place.tag)) return null;
  if (place.tag === 'SELECT') return null;
  if (place.inPlayer) return place.tag === 'INPUT' && place.key === ' ' ? null : (IN_THE_PLAYER[place.key] ?? null);
  if (TYPING.includes(place.tag) || (place.role && OWN_ROLES.includes(place.role))) return null;
  return EVERYWHERE[place.key] ?? null;
}

export function placeOf(event: KeyboardEvent): KeyPlace {
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
