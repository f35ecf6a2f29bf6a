import { sql } from 'drizzle-orm';
import { type SignUpMethod, users } from '~/db/schema/accounts';
import { LANGUAGES, type Language } from '~/locales/languages';
import { hashPassword } from '../../../auth/passwords';
import { BILLING_PATH, GO_PAID_PATH, PLANS_PATH } from '../../../base/account-paths';
import { type Currency, currencyOf } from '../../../base/money';
import { STUDIO_PAGES } from '../../../policy/studio-pages';
import { noteReferral } from '../../../queue/jobs/affiliates';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { requireSwitch } from '../../reference/switches';
import { emailTaken } from '../base/errors';
import { lookupUserByEmail, type UserRow } from '../base/queries';
import { assertOldEnough, nameInAddress } from '../base/rules';
import type { NewPerson, SignUp } from '../base/schema';
import { type OpenedSession, openSession } from './log-in';
import { enqueueVerified } from './mark-verified';
import { queueVerificationEmail } from './verify-email';

/**
 * Creates an account, logs it in and queues the verification email. The currency follows the country; the language
 * defaults to the page's. @throws account.email_taken, account.too_young, common.logins_busy,
 * switch.off
 */
export async function signUp(ctx: Ctx, { password, ...person }: SignUp): Promise<OpenedSession> {
  await requireSwitch(ctx, 'registrations', { subject: person.email });
  assertOldEnough(person.birthDate, ctx.now());
  const passwordHash = await hashPassword(password, ctx.client);
  const user = await createAccount(ctx, (tx) => insertUser(tx, person, { passwordHash, signedUpWith: 'password' }));
  return openSession(ctx, user);
}

/** The person's proof: a password to store, or an address that another service has verified. */
type Proof = { signedUpWith: SignUpMethod; passwordHash?: string; isEmailVerified?: boolean };

/** Runs in a transaction. @throws account.email_taken */
export function createAccount(ctx: Ctx, create: (tx: TxCtx) => Promise<UserRow>): Promise<UserRow> {
  return transact(ctx, create).catch((error: unknown) => {
    throw violates(error, 'users_email_once') ? emailTaken() : error;
  });
}

/** Inserts the user, and queues the verification email unless the address is proven. */
export async function insertUser(tx: TxCtx, person: NewPerson, proof: Proof): Promise<UserRow> {
  const { name, email, country, birthDate, next } = person;
  const { signedUpWith, passwordHash, isEmailVerified = false } = proof;
  const now = tx.now();
  const [row] = await tx.db
    .insert(users)
    .values({
      name,
      email,
      passwordHash,
      signedUpWith,
      country,
      language: person.language ?? tx.language,
      birthDate,
      currency: currencyOf(country),
      termsAcceptedAt: now,
      emailVerifiedAt: isEmailVerified ? now : null,
      signUpSource: tx.client.source,
      signUpReason: next && leadsToStudio(next) ? 'publish' : null,
    })
    .returning();
  await noteSource(tx, row!.id);
  if (isEmailVerified) await enqueueVerified(tx, row!.id);
  else await queueVerificationEmail(tx, row!, next);
  return row!;
}

/**
 * Whether a page is for creators. People whom it asked to sign up came to publish, so that a later log-in leads them to
 * the studio, even if they left before they claimed a page. @param next as a path
 */
function leadsToStudio(next: string): boolean {
  const [path = ''] = next.replace(LANGUAGE, '').split(/[?#]/);
  return FOR_CREATORS.some((base) => path === base || path.startsWith(`${base}/`));
}

const LANGUAGE = new RegExp(`^/(?:${LANGUAGES.join('|')})(?=/)`);
const FOR_CREATORS = [
  ...['/start', '/newsletter-settings', BILLING_PATH, PLANS_PATH, GO_PAID_PATH],
  ...Object.values(STUDIO_PAGES).map(({ path }) => `/${path}`),
];

/**
 * The account with an address whose owner has just opened a link, created now if missing. A new account has no
 * password; `queuePasswordReset` lets its owner set one. An existing account whose address was never verified stays
 * unverified, because another person may have signed up with it, and gets another verification email.
 */
export async function findOrCreateListener(
  tx: TxCtx,
  { email, currency }: { email: string; currency: Currency },
): Promise<UserRow> {
  const known = await lookupUserByEmail(tx, email);
  if (known && !known.emailVerifiedAt) await queueVerificationEmail(tx, known);
  if (known) return known;
  const now = tx.now();
  const account = { email, name: email.slice(0, email.indexOf('@')), language: tx.language, currency };
  const accepted = { termsAcceptedAt: now, emailVerifiedAt: now, signUpSource: tx.client.source };
  const [row] = await tx.db
    .insert(users)
    .values({ ...account, ...accepted, signedUpWith: 'email' })
    .returning();
  await noteSource(tx, row!.id);
  await enqueueVerified(tx, row!.id);
  return row!;
}

/** Notes the affiliate whose link has brought the person, if the browser remembers one. */
export async function noteSource(tx: TxCtx, userId: number): Promise<void> {
  const code = tx.client.source?.ref;
  if (code) await tx.jobs.enqueue(noteReferral, { userId, code });
}

/** `name`: set if the buyer has told it. */
type NewBuyer = { email: string; language: Language; currency: Currency; name?: string };

/**
 * The account with the address that a buyer has entered to pay, created now if missing. The address is unproven: the
 * owner of a new account verifies it later.
 */
export async function findOrCreateBuyer(tx: TxCtx, buyer: NewBuyer): Promise<{ user: UserRow; isNew: boolean }> {
  const found = await findOrCreateAccount(tx, buyer);
  if (found.isNew) await queueVerificationEmail(tx, found.user);
  return found;
}

/** Like findOrCreateBuyer for a person who was given something, without an email. */
export async function findOrCreateAccount(
  tx: TxCtx,
  { email, language, currency, name = nameInAddress(email) }: NewBuyer,
): Promise<{ user: UserRow; isNew: boolean }> {
  const [created] = await tx.db
    .insert(users)
    .values({ email, name, language, currency, termsAcceptedAt: tx.now(), signedUpWith: 'email' })
    .onConflictDoNothing()
    .returning();
  const user = created ?? (await lookupUserByEmail(tx, email));
  if (!user) throw emailTaken();
  return { user, isNew: created !== undefined };
}

/** What many people share who were given something. */
type GivenTo = { emails: string[]; language: Language; currency: Currency };

/** Creates the accounts that are missing, as findOrCreateAccount does, with one statement. */
export async function createAccounts(tx: TxCtx, { emails, language, currency }: GivenTo): Promise<void> {
  const rows = emails.map((email) => ({ email, name: nameInAddress(email) }));
  // in one order, so that two statements do not wait for each other
  await tx.db.execute(sql`
    insert into ${users} (email, name, language, currency, terms_accepted_at, signed_up_with)
    select p.email, p.name, ${language}, ${currency}, ${tx.now().toISOString()}::timestamptz, 'email'
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p(email text, name text) order by p.email
    on conflict do nothing`);
}
