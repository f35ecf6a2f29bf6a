import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { hashPassword } from '~/server/auth/passwords';
import { logIn } from '~/server/domain/accounts/logins/log-in';
import { requestPasswordReset } from '~/server/domain/accounts/logins/passwords';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';

const { runtime, make, visitorCtx } = await cast({ empty: true });
const ATTEMPTS = 200;
const TOLERANCE = 0.05;

/** The typical duration of both calls, measured alternately. */
async function timesOf(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < ATTEMPTS * 2; i += 1) {
    const began = performance.now();
    await (i % 2 ? other : one)().catch(() => {});
    times[i % 2 ? 1 : 0].push(performance.now() - began);
  }
  const typical = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]!;
  return [typical(times[0]), typical(times[1])];
}

test('neither a log-in nor a reset takes longer for an address that has an account', async () => {
  const { id, email } = await make.person();
  // other tests use hashes with minimal cost
  const passwordHash = await hashPassword(PASSWORD, { network: '', isKnownDevice: false });
  await runtime.db.update(users).set({ passwordHash }).where(eq(users.id, id));
  const ctx = visitorCtx();
  const unknown = 'nobody@mail.example';
  const guess = (address: string) => () => logIn(ctx, { email: address, password: 'wrong password' });
  const reset = (address: string) => () => requestPasswordReset(ctx, { email: address });

  for (const attempt of [guess, reset]) {
    // the first attempts load code and data that later ones find in memory
    for (const address of [email, unknown]) await attempt(address)().catch(() => {});
    // a real difference repeats, but a difference from a busy machine does not
    await expect
      .poll(
        async () => {
          const [known, other] = await timesOf(attempt(email), attempt(unknown));
          return Math.abs(known / other - 1);
        },
        { timeout: 60_000 },
      )
      .toBeLessThan(TOLERANCE);
  }
});
