import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import type { ContactSource } from '~/db/values/contacts';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { CONTACT_LIMITS } from '../../limits/audience';
import { keepListener as keepListenerJob } from '../../queue/jobs/audience';
import { enrolContact } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { noteSource } from './contact-sources';
import { suppressionOf } from './suppressions';

export type KeptPerson = {
  creatorId: number;
  email: string;
  name: string;
  /** Null for a donor without an account. */
  userId: number | null;
  language: Language;
  source: ContactSource;
};

/**
 * Adds a person to a creator's list, in the transaction of the event by which they come. Repeating it is harmless. A
 * contact that waits for its confirmation becomes active; one that has left stays inactive, also after its deletion.
 * A contact that is on the list gets the account only if the account's address is verified. Buyers can enter any address,
 * and deleting the account deletes its contacts.
 */
export async function keepContact(tx: TxCtx, person: KeptPerson): Promise<void> {
  const now = tx.now();
  // its person may be leaving at the same moment
  await lockAddress(tx, person.email);
  const suppressed = await suppressionOf(tx, person);
  const state = suppressed
    ? ({ status: 'inactive', inactiveAs: suppressed, statusReason: 'suppressed' } as const)
    : ({ status: 'active', statusReason: person.source } as const);
  const times = { statusAt: now, since: now, createdAt: now, updatedAt: now };
  const ifPending = (column: PgColumn) =>
    sql`case when ${contacts.status} = 'pending' then excluded.${sql.identifier(column.name)} else ${column} end`;
  const [row] = await tx.db
    .insert(contacts)
    .values({ ...person, ...state, ...times })
    .onConflictDoUpdate({
      target: [contacts.creatorId, contacts.email],
      set: {
        userId: accountOf(),
        name: sql`coalesce(nullif(${contacts.name}, ''), excluded.name)`,
        status: ifPending(contacts.status),
        statusReason: ifPending(contacts.statusReason),
        statusAt: ifPending(contacts.statusAt),
        inactiveAs: ifPending(contacts.inactiveAs),
        updatedAt: now,
      },
    })
    .returning({ id: contacts.id, creatorId: contacts.creatorId });
  await noteSource(tx, row!, person.source);
}

/** A proven account stays; another one takes its place, or comes, if it is proven, or if nobody has confirmed the contact. */
const accountOf = () => sql`case
  when exists (select from ${users} u where u.id = ${contacts.userId} and u.email_verified_at is not null)
    then ${contacts.userId}
  when ${contacts.status} = 'pending' or exists (
    select from ${users} u
    where u.id = excluded.user_id and u.email = excluded.email and u.email_verified_at is not null
  ) then coalesce(excluded.user_id, ${contacts.userId})
  else ${contacts.userId} end`;

type Listener = { userId: number; productId: number; source: 'follow' | 'purchase' | 'subscription'; at?: string };

/**
 * The job: adds a user who follows or has bought a show to its creator's list. Guests of a creator never come here (0340).
 * Others may have typed an unverified address in a form, so its follows wait for `keepFollower`. `at`: when they did, in
 * ISO 8601; automations that were switched on after it are not about it, however late the job is.
 */
export async function keepListener(ctx: Ctx, { userId, productId, source, at }: Listener): Promise<void> {
  const { creatorId } = products;
  const { email, name, language } = users;
  const [person] = await ctx.db
    .select({ creatorId, email, name, language })
    .from(products)
    .innerJoin(creators, eq(creators.id, creatorId))
    .innerJoin(users, eq(users.id, userId))
    .where(
      and(
        eq(products.id, productId),
        source === 'follow' ? and(isNull(products.priceMinor), isNotNull(users.emailVerifiedAt)) : undefined,
        and(isNull(users.deletedAt), isNull(creators.closedAt), ne(creators.userId, userId)),
      ),
    );
  if (!person) return;
  const contact = { ...person, userId, source, language: person.language ?? DEFAULT_LANGUAGE };
  await transact(ctx, async (tx) => {
    await keepContact(tx, contact);
    if (source === 'follow') return;
    await tx.jobs.enqueue(enrolContact, { trigger: 'purchase', userId, productId, at: at ?? tx.now().toISOString() });
  });
}

/**
 * The job after an address was verified: each show that the user follows adds them, and contacts with the address at
 * creators from whom they have bought get the account. Contacts that a creator has deleted do not come back.
 */
export async function keepFollower(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const follows = await ctx.db
    .select({ productId: grants.productId })
    .from(grants)
    .where(and(eq(grants.userId, userId), eq(grants.source, 'follow'), isNull(grants.endsAt)))
    .orderBy(asc(grants.id))
    .limit(CONTACT_LIMITS.follows);
  const jobs = follows.map(({ productId }) => ({ userId, productId, source: 'follow' as const }));
  await transact(ctx, async (tx) => {
    await claimContacts(tx, userId);
    await tx.jobs.enqueueAll(keepListenerJob, jobs);
  });
}

async function claimContacts({ db, now }: TxCtx, userId: number): Promise<void> {
  await db.execute(sql`
    update ${contacts} c set user_id = u.id, updated_at = ${now().toISOString()}::timestamptz
    from ${users} u
    where u.id = ${userId} and u.email_verified_at is not null and u.deleted_at is null and c.email = u.email
      and not exists (select from ${users} o where o.id = c.user_id and o.email_verified_at is not null)
      and exists (
        select from ${grants} g join ${products} p on p.id = g.product_id
        where g.user_id = u.id and p.creator_id = c.creator_id and g.source in ('purchase', 'subscription'))`);
}
