import type { Database } from '~/db/client';
import type { Actor, Ctx } from '~/server/ctx';
import type { Recorders } from '~/server/domain/listening/group-commit';
import { openRecorders } from '~/server/domain/listening/recorders';
import { makeUrls } from '~/server/urls';
import { BASE_TIME } from './published';

export const testUrls = makeUrls({
  appUrl: 'http://altavoz.localhost:3000',
  publicRoot: 'altavoz.localhost:3000',
  creatorHostPrefix: 'staging-',
  creatorUrls: 'host',
  mediaUrl: null,
});

const recorders = new Map<Database, Recorders>();

/** One per database, as a process has. */
function recordersOf(db: Database): Recorders {
  const opened = recorders.get(db) ?? openRecorders(db);
  recorders.set(db, opened);
  return opened;
}

/** The parts of a context that listening needs, with a fixed clock. */
export function listenerCtx(db: Database, over: { actor?: Actor; now?: Date } = {}): Ctx {
  const { actor = { type: 'visitor' }, now = BASE_TIME } = over;
  return { db, urls: testUrls, recorders: recordersOf(db), actor, now: () => now } as unknown as Ctx;
}

export const ownerOf = (creator: { id: number; userId: number }): Actor => ({
  type: 'user',
  userId: creator.userId,
  creatorId: creator.id,
  sessionId: 'test',
});
