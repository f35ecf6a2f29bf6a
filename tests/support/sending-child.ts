// A process that sends an edition until nobody waits. A test kills it at any moment.
import fs from 'node:fs';
import { and, eq, isNotNull, min } from 'drizzle-orm';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { DAYS, later } from '~/server/base/time';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { systemCtx } from '~/server/runtime/runtime';
import { BASE_TIME, openTestRuntime } from './open-test-runtime';

const [url = '', dataDir = '', smtpUrl = '', id = '', journal = ''] = process.argv.slice(2);
const { runtime, clock } = await openTestRuntime(url, dataDir, { SMTP_URL: smtpUrl });
const { db } = runtime;
const editionId = Number(id);
const ctx = systemCtx(runtime, 'newsletter.deliver-edition');

// what the former process held when it was killed; its leases have ended, and the clock has jumped
const starts = fs.existsSync(journal) ? fs.readFileSync(journal, 'utf8').split('\n').length : 1;
const held = await db
  .select({ contactId: editionRecipients.contactId })
  .from(editionRecipients)
  .where(and(eq(editionRecipients.editionId, editionId), eq(editionRecipients.state, 'leased')))
  .orderBy(editionRecipients.contactId);
fs.appendFileSync(journal, `${held.map(({ contactId }) => contactId).join(' ')}\n`);
clock.now = later(BASE_TIME, starts * DAYS(2));
process.stdout.write('ready\n');

for (;;) {
  await deliverEdition(ctx, { editionId });
  const [edition] = await db.select({ status: editions.status }).from(editions).where(eq(editions.id, editionId));
  if (edition?.status !== 'sending') break;
  const [next] = await db
    .select({ at: min(editionRecipients.dueAt) })
    .from(editionRecipients)
    .where(and(eq(editionRecipients.editionId, editionId), isNotNull(editionRecipients.dueAt)));
  if (next?.at && next.at > clock.now) clock.now = next.at;
}
process.exit(0);
