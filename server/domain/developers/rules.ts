import type { apiKeys } from '~/db/schema/developers';
import type { ErrorKind } from '../../base/errors';
import { DAYS, later } from '../../base/time';
import { DEVELOPER_LIMITS, KEY_LIVES } from '../../limits/developers';
import type { Role } from '../../policy/roles';
import type { KeyLife, KeyState } from './kinds';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** When a key that begins to work now stops; null if it does not. */
export function endOfLife(life: KeyLife, now: Date): Date | null {
  const days = KEY_LIVES[life];
  return days === null ? null : later(now, DAYS(days));
}

/** When a replaced key stops: after the overlap, but not later than it would have. */
export function endOfOverlap({ expiresAt }: Pick<ApiKeyRow, 'expiresAt'>, overlapMs: number, now: Date): Date {
  const end = later(now, overlapMs);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

/** The end of the key that replaces another one: it works as long as that one was meant to. */
export function endOfNext({ createdAt, expiresAt }: Pick<ApiKeyRow, 'createdAt' | 'expiresAt'>, now: Date) {
  return expiresAt === null ? null : later(now, expiresAt.getTime() - createdAt.getTime());
}

type Facts = Pick<ApiKeyRow, 'revokedAt' | 'expiresAt' | 'rotatedAt'>;

/** @param role the role that the key's creator has now; null for somebody who has left */
export function keyState({ revokedAt, expiresAt, rotatedAt }: Facts, role: Role | null, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  if (role === null) return 'idle';
  return rotatedAt === null ? 'active' : 'replaced';
}

/** A connection may be lost during the commit, and a bug may show after it: nobody knows what such a call has changed. */
const UNCERTAIN: ReadonlySet<ErrorKind> = new Set(['unavailable', 'no_space', 'upstream']);

/** Whether a call that failed like this is certain to have changed nothing. */
export const changedNothing = (kind: ErrorKind): boolean => !UNCERTAIN.has(kind);

/** What a repeated call gets: the first answer, of which only the id is left if it is long. */
export function keptBody(body: string): string {
  if (body.length <= DEVELOPER_LIMITS.answerLength) return body;
  const { id } = JSON.parse(body) as { id?: unknown };
  return JSON.stringify({ id });
}
