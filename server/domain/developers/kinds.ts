import { SCOPES, type Scope } from '~/db/values/api-scopes';
import { KEY_LIVES, KEY_OVERLAPS } from '../../limits/developers';

export type KeyLife = keyof typeof KEY_LIVES;
export type KeyOverlap = keyof typeof KEY_OVERLAPS;
export const KEY_LIFE_NAMES = Object.keys(KEY_LIVES) as [KeyLife, ...KeyLife[]];
export const KEY_OVERLAP_NAMES = Object.keys(KEY_OVERLAPS) as [KeyOverlap, ...KeyOverlap[]];
export const SCOPE_NAMES = SCOPES as [Scope, ...Scope[]];

/** `replaced`: another key has replaced it, and it still works. `idle`: who created it has left the team. */
export const KEY_STATES = ['active', 'replaced', 'idle', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];
