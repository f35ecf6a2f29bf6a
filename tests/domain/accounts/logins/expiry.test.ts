import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { emailTokens, sessions } from '~/db/schema/accounts';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { deleteExpired } from '~/server/domain/accounts/logins/verify-email';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../../support/cast';

const { runtime, clock, make } = await cast();

test('email links and sessions are deleted once they have expired', async () => {
  const { id } = await make.person();
  const [session] = await runtime.db.select().from(sessions).where(eq(sessions.userId, id));
  const kept = async (now: Date) => {
    clock.now = now;
    await deleteExpired(systemCtx(runtime, 'accounts.sweep-sessions'));
    const links = await runtime.db.$count(emailTokens, eq(emailTokens.userId, id));
    return { links, sessions: await runtime.db.$count(sessions, eq(sessions.userId, id)) };
  };

  expect(await kept(later(clock.now, DAYS(1)))).toEqual({ links: 1, sessions: 1 });
  expect(await kept(later(clock.now, DAYS(2)))).toEqual({ links: 0, sessions: 1 });
  expect(await kept(later(session!.expiresAt, MINUTES(1)))).toEqual({ links: 0, sessions: 0 });
});
