import { eq, gt } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { dmarcReports } from '~/db/schema/sending-domains';
import { imapMailbox } from '~/server/adapters/mail/mailbox';
import { DAYS, earlier, later } from '~/server/base/time';
import type { DmarcReport } from '~/server/bounces/dmarc-report';
import { leaveMailto } from '~/server/domain/audience/leave-by-email';
import { suppressionOf } from '~/server/domain/audience/suppressions';
import { dmarcPassRate, platformDmarc } from '~/server/domain/newsletter/dmarc-rate';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { readMailbox } from '~/server/domain/newsletter/read-mailbox';
import { receiveMessage } from '~/server/domain/newsletter/receive-message';
import { recordDmarcReport, sweepDmarcReports } from '~/server/domain/newsletter/record-dmarc-report';
import { mailWebhooksDoor } from '~/server/doors/mail-webhooks';
import { inboundMailSettings } from '~/server/env/inbound-mail';
import { INBOUND_LIMITS } from '~/server/limits/newsletter';
import type { Ctx } from '~/server/runtime/ctx';
import { startImapPeer } from '../../support/imap-peer';
import { pagesApp } from '../../support/pages-app';
import { newsletterStage } from './sent-editions';

const SECRET = 'a-secret-of-a-mail-server';
const stage = await newsletterStage();
const { runtime, env, clock, publisher, addContacts, draft, deliver, statesOf } = stage;
const { db } = runtime;
runtime.ports.mail = { ...runtime.ports.mail, bounceAddress: 'bounces@altavoz.example' };
const jobCtx = (now = clock.now): Ctx => stage.jobCtx(now);
const peer = await startImapPeer();
afterAll(peer.close);

async function sentTo(count: number) {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, count);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  await deliver(edition.id);
  const tagOf = (contactId: number) => emailTag(jobCtx(), { editionId: edition.id, contactId });
  return { owner, readers, editionId: edition.id, tagOf };
}
const contactOf = async (id: number) => (await db.select().from(contacts).where(eq(contacts.id, id)))[0]!;

function bounce(email: string, tag: string, original = `Message-ID: <${tag}@altavoz.example>`): string {
  const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
  const status = `Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; ${email}\r\nAction: failed\r\nStatus: 5.1.1\r\n`;
  return `From: MAILER-DAEMON@mx.example\r\nTo: bounces+${tag}@altavoz.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n${part('text/plain', 'Sorry')}${part('message/delivery-status', status)}${part('text/rfc822-headers', original)}--b--\r\n`;
}
const plain = (to: string) => `From: someone@else.example\r\nTo: ${to}\r\nSubject: unsubscribe\r\n\r\nPlease.\r\n`;
const mailtoOf = (creatorId: number, id: number) =>
  leaveMailto(jobCtx(), { creatorId, id })!.replace(/^mailto:|\?.*$/g, '');

test('emails offer to unsubscribe by email where such emails are read, and each carries its return path', async () => {
  const owner = await publisher();
  const [reader] = await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const sent: { from: string; text: string }[] = [];
  await deliver(edition.id, {
    answer: (mail) => {
      sent.push({ from: mail.from, text: String(mail.bytes()) });
      return {};
    },
  });

  const tag = emailTag(jobCtx(), { editionId: edition.id, contactId: reader!.id });
  expect(sent[0]!.from).toBe(`bounces+${tag}@altavoz.example`);
  expect(sent[0]!.text).toContain(`<mailto:${mailtoOf(owner.creatorId, reader!.id)}?subject=unsubscribe>`);
  expect(mailtoOf(owner.creatorId, reader!.id).indexOf('@')).toBeLessThan(64);
  const quiet = { ...jobCtx().ports, mail: { ...jobCtx().ports.mail, bounceAddress: null } };
  expect(leaveMailto({ ...jobCtx(), ports: quiet }, { creatorId: 1, id: 1 })).toBe(undefined);
});

test('an email to unsubscribe ends the emails of one creator, for everything that is not leased yet', async () => {
  const owner = await publisher();
  const other = await publisher();
  const [reader, stays] = await addContacts(owner.creatorId, 2);
  const [elsewhere] = await addContacts(other.creatorId, 1, { email: reader!.email });
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const address = mailtoOf(owner.creatorId, reader!.id);

  const kinds = [
    await receiveMessage(jobCtx(), Buffer.from(plain(`<${address.toUpperCase()}>`))),
    await receiveMessage(jobCtx(), Buffer.from(plain(address))),
    await receiveMessage(jobCtx(), Buffer.from(plain(address.replace(/.@/, 'x@')))),
    await receiveMessage(jobCtx(), Buffer.from(plain('bounces@altavoz.example'))),
  ];

  expect(kinds).toEqual(['unsubscribe', 'unsubscribe', 'ignored', 'ignored']);
  expect(await deliver(edition.id)).toEqual([stays!.email]);
  expect(await contactOf(reader!.id)).toMatchObject({ inactiveAs: 'unsubscribed', statusReason: 'link' });
  expect(await contactOf(elsewhere!.id)).toMatchObject({ status: 'active' });
});

test('an email to unsubscribe counts after the contact was deleted, also if a file has brought it back', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, 3);
  const [later, back, stays] = readers;
  const change = (ids: number[]) => owner.api.contacts.change({ action: 'delete', ids } as never);
  await change([later!.id, back!.id]);
  const [again] = await addContacts(owner.creatorId, 1, { email: back!.email });

  for (const reader of [later!, back!, back!])
    await receiveMessage(jobCtx(), Buffer.from(plain(mailtoOf(owner.creatorId, reader.id))));
  const [added] = await addContacts(owner.creatorId, 1, { email: later!.email });
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  expect(await deliver(edition.id)).toEqual([stays!.email]);
  expect(await contactOf(again!.id)).toMatchObject({ status: 'inactive', inactiveAs: 'unsubscribed' });
  const person = { creatorId: owner.creatorId, email: added!.email };
  expect(await suppressionOf(jobCtx(), person)).toBe('unsubscribed');
  const other = await publisher();
  expect(await suppressionOf(jobCtx(), { ...person, creatorId: other.creatorId })).toBe(null);
});

test('the mailbox is read once, the oldest message first, and broken messages block no other', async () => {
  const { readers, editionId, tagOf } = await sentTo(2);
  const [first, second] = readers;
  runtime.ports.mailbox = imapMailbox({ url: peer.url, done: 'keep' });
  peer.put('not an email at all');
  peer.put(Buffer.alloc(INBOUND_LIMITS.messageBytes + 1, 0x41));
  peer.put(bounce(first!.email, tagOf(first!.id)));
  peer.put(bounce(second!.email, tagOf(second!.id), 'Subject: without an id'));

  await readMailbox(jobCtx());
  await readMailbox(jobCtx());

  expect(await statesOf(editionId)).toEqual({ [first!.email]: 'bounced', [second!.email]: 'bounced' });
  const flags = peer.folders.get('INBOX')!.map((one) => [...one.flags].sort());
  expect(flags).toEqual([['\\Seen'], ['\\Flagged', '\\Seen'], ['\\Seen'], ['\\Seen']]);
  peer.folders.set('INBOX', []);
});

test('what was read is moved or deleted, and a turn that ends before that repeats harmlessly', async () => {
  const { readers, editionId, tagOf } = await sentTo(1);
  const [reader] = readers;
  runtime.ports.mailbox = imapMailbox({ url: peer.url, done: { folder: 'Done' } });
  peer.put(bounce(reader!.email, tagOf(reader!.id)));
  peer.refuseNext('STORE');
  await readMailbox(jobCtx()).catch(() => {});
  expect(await statesOf(editionId)).toEqual({ [reader!.email]: 'bounced' });

  await readMailbox(jobCtx());
  expect([peer.folders.get('INBOX')!.length, peer.folders.get('Done')!.length]).toEqual([0, 1]);

  runtime.ports.mailbox = imapMailbox({ url: peer.url, done: 'delete' });
  peer.put(plain('bounces@altavoz.example'));
  await readMailbox(jobCtx());
  expect(peer.folders.get('INBOX')).toEqual([]);
});

test('a wrong password is an error of the job, and no mailbox is none', async () => {
  runtime.ports.mailbox = imapMailbox({ url: peer.url.replace('secret', 'wrong'), done: 'keep' });
  await expect(readMailbox(jobCtx())).rejects.toThrow();

  runtime.ports.mailbox = null;
  await readMailbox(jobCtx());
});

test('a mail server hands over a message with its secret only', async () => {
  const { readers, editionId, tagOf } = await sentTo(1);
  const [reader] = readers;
  const settings = inboundMailSettings(
    { BOUNCE_MAILBOX_DONE: 'keep', MAIL_WEBHOOK_SECRET: SECRET } as never,
    'altavoz.example',
  );
  const app = pagesApp(runtime, env.urls, { doors: [mailWebhooksDoor(runtime, settings)] });
  const hand = (authorization: string) =>
    app.request('http://altavoz.localhost:3000/webhooks/mail/message', {
      method: 'POST',
      body: bounce(reader!.email, tagOf(reader!.id)),
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    });

  expect((await hand('')).status).toBe(400);
  expect((await hand('Bearer guess')).status).toBe(400);
  expect(await statesOf(editionId)).toEqual({ [reader!.email]: 'sent' });
  const answer = await hand(`Bearer ${SECRET}`);
  expect([answer.status, await statesOf(editionId)]).toEqual([200, { [reader!.email]: 'bounced' }]);
});

test('an inbox’s owner cannot report bounces of other people', async () => {
  const { readers, editionId, tagOf } = await sentTo(2);
  const [attacker, victim] = readers;

  await receiveMessage(jobCtx(), Buffer.from(bounce(victim!.email, tagOf(attacker!.id))));
  await receiveMessage(jobCtx(), Buffer.from(bounce(victim!.email, tagOf(victim!.id).replace(/.$/, 'x'))));

  expect(new Set(Object.values(await statesOf(editionId)))).toEqual(new Set(['sent']));
});

const REPORT: DmarcReport = {
  ...{ domain: runtime.ports.mail.domain, org: 'Provider', reportId: '1', beginsAt: clock.now, endsAt: clock.now },
  ...{ messages: 10, passed: 9, dkimPassed: 9, spfPassed: 5, otherSources: 0 },
  sources: [
    { ip: '192.0.2.1', messages: 9, passed: 9 },
    { ip: '192.0.2.2', messages: 1, passed: 0 },
  ],
};

test('DMARC reports count once, for our domain only, and make a rate by source', async () => {
  const kept = [
    await recordDmarcReport(jobCtx(), REPORT),
    await recordDmarcReport(jobCtx(), REPORT),
    await recordDmarcReport(jobCtx(), { ...REPORT, reportId: '2', passed: 10 }),
    await recordDmarcReport(jobCtx(), { ...REPORT, domain: 'somebody.example' }),
    await recordDmarcReport(jobCtx(), { ...REPORT, domain: `x.${REPORT.domain}` }),
  ];

  expect(kept).toEqual([true, true, true, false, false]);
  const period = { from: later(clock.now, -DAYS(30)), until: null };
  expect(await dmarcPassRate(jobCtx(), REPORT.domain, period)).toEqual({
    ...{ reports: 2, messages: 20, passed: 19, dkimPassed: 18, spfPassed: 10 },
    sources: [
      { ip: '192.0.2.1', messages: 18, passed: 18 },
      { ip: '192.0.2.2', messages: 2, passed: 0 },
    ],
  });
  expect(await platformDmarc(jobCtx())).toMatchObject({ domain: REPORT.domain, reports: 2, passed: 19 });
  const none = { reports: 0, messages: 0, passed: 0, dkimPassed: 0, spfPassed: 0, sources: [] };
  expect(await dmarcPassRate(jobCtx(), 'somebody.example', period)).toEqual(none);
  expect(await dmarcPassRate(jobCtx(), REPORT.domain, { from: later(clock.now, 1), until: null })).toEqual(none);
});

test('a flood of DMARC reports ends at a limit, and old ones are deleted', async () => {
  await db.delete(dmarcReports);
  const flood = (i: number) => ({ ...REPORT, org: `Invented ${i}`, reportId: `flood-${i}`, createdAt: clock.now });
  await db.insert(dmarcReports).values(Array.from({ length: INBOUND_LIMITS.dmarcReports }, (_, i) => flood(i)));

  expect(await recordDmarcReport(jobCtx(), { ...REPORT, reportId: 'last' })).toBe(false);
  await sweepDmarcReports(jobCtx());
  expect(await db.$count(dmarcReports)).toBe(INBOUND_LIMITS.dmarcReports);
  await sweepDmarcReports(jobCtx(later(clock.now, INBOUND_LIMITS.dmarcKept + 1)));
  expect(await db.$count(dmarcReports)).toBe(0);
});

test('reports under a provider’s name take no place of those that it has signed', async () => {
  await db.delete(dmarcReports);
  const record = (reportId: string, signedBy: string | null) =>
    recordDmarcReport(jobCtx(), { ...REPORT, org: 'provider.example', reportId }, signedBy);
  const some = (name: string) => Array.from({ length: INBOUND_LIMITS.dmarcPerReporter }, (_, i) => `${name}-${i}`);
  for (const id of some('forged')) expect(await record(id, null)).toBe(true);

  expect(await record('forged', null)).toBe(false);
  for (const id of some('real')) expect(await record(id, 'provider.example')).toBe(true);
  expect(await record('real', 'provider.example')).toBe(false);
  expect(await record('forged', null)).toBe(false);
});

test('once a day is full, a signed report takes the place of one that is not', async () => {
  await db.delete(dmarcReports);
  const rows = Array.from({ length: INBOUND_LIMITS.dmarcReports }, (_, i) => ({
    ...{ ...REPORT, org: `Invented ${i}`, reportId: `flood-${i}`, createdAt: earlier(clock.now, DAYS(0.5)) },
  }));
  await db.insert(dmarcReports).values(rows);

  expect(await recordDmarcReport(jobCtx(), { ...REPORT, reportId: 'signed' }, 'provider.example')).toBe(true);
  expect(await recordDmarcReport(jobCtx(), { ...REPORT, org: 'New', reportId: 'open' })).toBe(false);

  const signed = eq(dmarcReports.signedBy, 'provider.example');
  expect([await db.$count(dmarcReports), await db.$count(dmarcReports, signed)]).toEqual([rows.length, 1]);
});

test('invented reporters displace none that has reported before, and one reporter fills no day', async () => {
  await db.delete(dmarcReports);
  const record = (org: string, reportId: string, at: Date) =>
    recordDmarcReport(jobCtx(at), { ...REPORT, org, reportId });
  const orgs = ['Provider', 'Second provider'];
  for (const org of orgs) await record(org, 'before', earlier(clock.now, DAYS(3)));
  const rows = Array.from({ length: INBOUND_LIMITS.dmarcReports }, (_, i) => ({
    ...{ ...REPORT, org: `Invented ${i}`, reportId: `flood-${i}`, createdAt: earlier(clock.now, 1) },
  }));
  await db.insert(dmarcReports).values(rows);

  const kept: boolean[] = [];
  for (const org of orgs) kept.push(await record(org, 'today', clock.now));
  for (let i = 1; i <= INBOUND_LIMITS.dmarcPerReporter; i += 1)
    kept.push(await record('Provider', `flood-${i}`, clock.now));

  expect(kept).toEqual([true, true, ...Array(INBOUND_LIMITS.dmarcPerReporter - 1).fill(true), false]);
  const today = gt(dmarcReports.createdAt, earlier(clock.now, DAYS(1)));
  expect(await db.$count(dmarcReports, today)).toBe(INBOUND_LIMITS.dmarcReports);
});
