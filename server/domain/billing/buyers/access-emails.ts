import { eq, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { earlier, wholeSeconds } from '../../../base/time';
import { EMAIL_LINK_LIMITS } from '../../../limits/accounts';
import { BUYER_LIMITS } from '../../../limits/buyers';
import { requireUser } from '../../../policy/actor';
import type { TxCtx } from '../../../runtime/ctx';
import { listUndeliverable } from '../../audience/suppressions';
import { countEmailsOf, listFull, type OutgoingEmail, queueEmails } from '../../notifications/outbox';
import { type AccountTopic, accountEmail } from '../../notifications/templates/account-email';
import type { ProductRow } from '../../products/queries';
import { batchRunning } from '../base/errors';

/** Emails to people about their access to a show, which its creator causes. */
export type AccessEmail = { topic: AccountTopic; path(language: Language): string; facts?: Record<string, string> };
export type Recipient = { email: string; language: Language | null };

/** Of two concurrent changes that give access or send emails, the second one counts those of the first. */
export async function lockSender(tx: TxCtx): Promise<void> {
  const { userId } = requireUser(tx);
  await tx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/**
 * One batch of a creator runs at a time; others do not wait, because each would hold a connection.
 * @throws buyer.batch_running
 */
export async function lockBatch(tx: TxCtx, creatorId: number): Promise<void> {
  const lock = sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${`subscriber batch ${creatorId}`}, 0))`;
  const [row] = await tx.db.execute<{ isFree: boolean }>(sql`select ${lock} as "isFree"`);
  if (!row?.isFree) throw batchRunning({ seconds: wholeSeconds(BUYER_LIMITS.batchPause) });
}

/** Queues an email to one address, without a look at limits. */
export const queueAccessEmail = (tx: TxCtx, show: ProductRow, email: AccessEmail & { to: Recipient }): Promise<void> =>
  queueEmails(tx, [messageOf(tx, show, email)]);

/**
 * Queues an email to each of these people, as long as the user's daily limit and those of the addresses allow it, and
 * none to addresses at which the creator's emails bounced or were reported. The caller has locked the sender.
 * @returns the addresses that get one
 */
export async function tellOfAccess(
  tx: TxCtx,
  show: ProductRow,
  { people, ...email }: AccessEmail & { people: readonly Recipient[] },
): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const { topic } = email;
  const emails = people.map((person) => person.email);
  const since = earlier(tx.now(), EMAIL_LINK_LIMITS.window);
  const sent = await countEmailsOf(tx, { userId: requireUser(tx).userId, topic, since });
  const full = await listFull(tx, { emails, topic, since, most: EMAIL_LINK_LIMITS.perWindow });
  const dead = await listUndeliverable(tx, { creatorId: show.creatorId, emails });
  const told = people
    .filter((person) => !full.has(person.email) && !dead.has(person.email))
    .slice(0, Math.max(0, BUYER_LIMITS.invitedPerDay - sent));
  await queueEmails(
    tx,
    told.map((to) => messageOf(tx, show, { ...email, to })),
  );
  return new Set(told.map((person) => person.email));
}

/** Without a name, so that it looks the same whether the address has an account or not. */
function messageOf(
  tx: TxCtx,
  show: ProductRow,
  { topic, path, facts, to }: AccessEmail & { to: Recipient },
): OutgoingEmail {
  const { userId } = requireUser(tx);
  const language = to.language ?? tx.language ?? DEFAULT_LANGUAGE;
  const translate = (key: string, values?: Record<string, string | number>) => tx.translate(key, values, language);
  const url = tx.urls.app(path(language));
  const { subject, content } = accountEmail(translate, topic, { ...facts, name: '', url, show: show.name });
  return { to: to.email, userId, topic, language, subject, content };
}
