import { users } from '~/db/schema/accounts';
import { hashPassword } from '../../auth/passwords';
import { type Ctx, transact, violates } from '../../ctx';
import { currencyOf } from '../../money';
import { emailTaken } from './errors';
import { type OpenedSession, openSession } from './logging-in';
import { assertOldEnough } from './rules';
import type { SignUp } from './schema';
import { queueVerificationEmail } from './verifying';

/**
 * Creates an account, logs it in and queues the verification email. The currency follows the country; the language
 * defaults to the page's. @throws account.email_taken, account.too_young, common.logins_busy
 */
export async function signUp(ctx: Ctx, input: SignUp): Promise<OpenedSession> {
  assertOldEnough(input.birthDate, ctx.now());
  const passwordHash = await hashPassword(input.password, ctx.client);

  const user = await transact(ctx, async (tx) => {
    const { name, email, country, birthDate } = input;
    const language = input.language ?? ctx.language;
    const [row] = await tx.db
      .insert(users)
      .values({
        name,
        email,
        passwordHash,
        country,
        language,
        birthDate,
        currency: currencyOf(country),
        termsAcceptedAt: tx.now(),
      })
      .returning();
    await queueVerificationEmail(tx, row!);
    return row!;
  }).catch((error: unknown) => {
    throw violates(error, 'users_email_once') ? emailTaken() : error;
  });
  return openSession(ctx, user);
}
