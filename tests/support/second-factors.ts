import { eq } from 'drizzle-orm';
import { authenticators } from '~/db/schema/logins';
import { totpCode, totpStepAt } from '~/server/auth/totp';
import type { Runtime } from '~/server/runtime/runtime';
import type { Person } from './make';
import { PASSWORD } from './make';

type Stage = { runtime: Runtime; make: { person(): Promise<Person> } };
export type Guarded = Person & { secret: string; recoveryCodes: string[] };

/** The secret of an authenticator app, during or after its set-up. */
export async function secretOf({ db, vault }: Runtime, userId: number): Promise<string> {
  const [row] = await db.select().from(authenticators).where(eq(authenticators.userId, userId));
  return vault.open(row!.secret, `authenticator ${userId}`);
}

/** A user with an authenticator app. */
export async function protect({ runtime, make }: Stage): Promise<Guarded> {
  const person = await make.person();
  const { accounts } = person.api;
  await accounts.confirmIdentity({ confirmationPassword: PASSWORD });
  await accounts.startAuthenticator();
  const secret = await secretOf(runtime, person.id);
  const { recoveryCodes } = await accounts.confirmAuthenticator({ code: totpCode(secret, totpStepAt(runtime.now())) });
  return { ...person, secret, recoveryCodes: recoveryCodes! };
}
