import { users } from '~/db/schema/accounts';
import { hashPassword } from '../../auth/passwords';
import { type Ctx, transact, violates } from '../../ctx';
import { currencyOf } from '../../money';
import { emailTaken } from './errors';
import { assertOldEnough } from './rules';
import type { Register } from './schema';
import { type SignedIn, signedIn } from './signing-in';
import { sendVerification } from './verifying';

/**
 * Makes an account, logs it in, and sends the mail that verifies its address.
 * The currency follows the country; the language is the chosen one, or the page's. @throws account.email_taken, account.too_young
 */
export async function registerAccount(ctx: Ctx, input: Register): Promise<SignedIn> {
  assertOldEnough(input.birthDate, ctx.now());
  const passwordHash = await hashPassword(input.password);

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
    await sendVerification(tx, row!);
    return row!;
  }).catch((error: unknown) => {
    throw violates(error, 'users_email_once') ? emailTaken() : error;
  });
  return signedIn(ctx, user);
}
