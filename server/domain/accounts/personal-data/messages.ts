import { eq, or } from 'drizzle-orm';
import { abuseReports, contactMessages } from '~/db/schema/support';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { type DataFile, json } from './rows';

/** The person's messages to the operator, and the answers to their reports. Who decided a report stays private. */
export async function* messageFiles({ db }: Ctx, { id, email }: UserRow): AsyncGenerator<DataFile, void> {
  const isSender = or(eq(contactMessages.userId, id), eq(contactMessages.email, email));
  yield json('contact-messages.json', () => db.select().from(contactMessages).where(isSender));
  const { name, url, reason, text, reporterName, reporterEmail, state, answer, createdAt, decidedAt } = abuseReports;
  const columns = { name, url, reason, text, reporterName, reporterEmail, state, answer, createdAt, decidedAt };
  const isReporter = or(eq(abuseReports.userId, id), eq(reporterEmail, email));
  yield json('reports.json', () => db.select(columns).from(abuseReports).where(isReporter));
}
