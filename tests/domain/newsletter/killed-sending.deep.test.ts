import fs from 'node:fs/promises';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { editionRecipients } from '~/db/schema/newsletter';
import { ALL_OFFERS, openPeer, type PeerAnswer, type PeerEvent } from '../../adapters/mail/smtp-peer';
import { deepSeed } from '../../support/deep';
import { killedProcess } from '../../support/killed-process';
import { seededInts } from '../../support/seeded-ints';
import { newsletterStage } from './sent-editions';

const { runtime, url, dataDir, publisher, draft, rowOf } = await newsletterStage();
const { db } = runtime;
const runKilled = await killedProcess('tests/support/sending-child.ts');
const EMAILS = 20_000;
// an email that was leased by twelve killed workers is left as unknown
const KILLS = 10;

/** Defers, closes, and loses connections before and after it has kept an email. */
function hostileAnswer(): (event: PeerEvent) => PeerAnswer {
  const below = seededInts(deepSeed());
  return ({ step }) => {
    const chance = below(1000);
    if (step === 'greeting') return chance < 20 ? '421 4.3.2 busy' : undefined;
    if (step === 'rcpt' && chance < 5) return '451 4.3.0 later';
    if (step === 'mail' && chance < 1) return '421 4.7.0 closing';
    if (step !== 'end') return undefined;
    if (chance < 2) return 'keep and drop';
    if (chance < 4) return 'drop';
    return chance < 8 ? '452 4.3.1 full' : undefined;
  };
}

test(`of ${EMAILS} emails, ${KILLS} restarts by SIGKILL lose none, and repeat only what was leased`, async () => {
  const owner = await publisher();
  await db.execute(sql`
    insert into contacts (creator_id, email, name, source, language, status)
    select ${owner.creatorId}, 'reader.' || n || '@d' || n % 4000 || '.example', 'Reader ' || n, 'form', 'en', 'active'
    from generate_series(1, ${EMAILS}::int) n`);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  // it reads slowly
  const peer = await openPeer({ offers: ALL_OFFERS, answer: hostileAnswer(), sip: 1 });
  const journal = path.join(dataDir, 'leased-at-kills');

  const kills = await runKilled([url, dataDir, peer.url, `${edition.id}`, journal], KILLS);

  await peer.close();
  expect(kills).toBeGreaterThan(KILLS / 2);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sent', recipients: EMAILS });
  const held = countEach((await fs.readFile(journal, 'utf8')).split(/\s+/).filter(Boolean));
  const copies = countEach(peer.kept.map(({ to }) => to));
  const rows = await db
    .select({ id: contacts.id, email: contacts.email, state: editionRecipients.state })
    .from(editionRecipients)
    .innerJoin(contacts, eq(contacts.id, editionRecipients.contactId))
    .where(eq(editionRecipients.editionId, edition.id))
    .orderBy(editionRecipients.contactId);
  const found = rows.map(({ id, email, state }) => ({
    state,
    copies: copies.get(email) ?? 0,
    held: held.get(`${id}`) ?? 0,
  }));

  expect(found).toHaveLength(EMAILS);
  expect(found.filter(({ state }) => state !== 'sent' && state !== 'unknown')).toEqual([]);
  expect(found.filter((one) => one.state === 'sent' && one.copies === 0)).toEqual([]);
  expect(found.filter((one) => one.copies > 1 + one.held)).toEqual([]);
  // lost answers only: a killed worker's emails are sent again
  expect(found.filter(({ state }) => state === 'unknown').length).toBeLessThan(EMAILS / 20);
});

function countEach(ids: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
