import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import type { Ctx } from '../../runtime/ctx';
import { type CreatorRow, lookupCreatorByDomain } from '../creators/queries';
import { newsletterNotFound } from './errors';

/** An address on a creator's list. */
export type ContactKey = { creatorId: number; email: string };

export const whereContact = ({ creatorId, email }: ContactKey): SQL | undefined =>
  and(eq(contacts.creatorId, creatorId), eq(contacts.email, email));

/** The creator whose page has the form. @throws audience.newsletter_not_found */
export async function findNewsletter(ctx: Ctx, domain: string): Promise<CreatorRow> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator?.showNewsletter || creator.closedAt) throw newsletterNotFound();
  return creator;
}

/** The creator in a link of an email; null after the page is closed. */
export async function lookupSender({ db }: Ctx, id: number): Promise<CreatorRow | null> {
  const [creator] = await db
    .select()
    .from(creators)
    .where(and(eq(creators.id, id), isNull(creators.closedAt)));
  return creator ?? null;
}

/** Literal: a parameter would keep the database from using the index of active contacts. */
export const isActive = (): SQL => sql`${contacts.status} = 'active'`;

/** Literal, for the index of those who have left. */
export const hasUnsubscribed = (): SQL => sql`${contacts.inactiveAs} = 'unsubscribed'`;
