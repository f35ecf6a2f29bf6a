import { and, asc, eq, gt, or } from 'drizzle-orm';
import { donationSettings, donations } from '~/db/schema/donations';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { type DataFile, inPages, json, jsonRows } from './rows';

/** The person's donations, made with an account or an email address. */
export async function* donationFiles({ db }: Ctx, { id, email }: UserRow): AsyncGenerator<DataFile, void> {
  const isOwn = or(eq(donations.userId, id), eq(donations.email, email));
  yield json('donations.json', () => db.select().from(donations).where(isOwn));
}

/** Donations to a creator, and what their page shows about donations. */
export async function* receivedDonations({ db }: Ctx, creatorId: number): AsyncGenerator<DataFile, void> {
  const isOwn = eq(donationSettings.creatorId, creatorId);
  yield json('donation-settings.json', () => db.select().from(donationSettings).where(isOwn));
  const received = inPages(
    (after) =>
      db
        .select()
        .from(donations)
        .where(and(eq(donations.creatorId, creatorId), gt(donations.id, after)))
        .orderBy(asc(donations.id))
        .limit(EXPORT_LIMITS.page),
    ({ id }) => id,
  );
  yield { name: 'donations-received.json', rows: () => jsonRows(received) };
}
