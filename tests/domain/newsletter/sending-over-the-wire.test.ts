import { afterEach, expect, test } from 'vitest';
import { bulkSmtpMail } from '~/server/adapters/mail/bulk/bulk-mail';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { SENDING_LIMITS } from '~/server/limits/newsletter';
import { ALL_OFFERS, openPeer, type PeerOptions } from '../../adapters/mail/smtp-peer';
import { newsletterStage } from './sent-editions';

const { runtime, clock, publisher, addContacts, draft, rowOf, jobCtx } = await newsletterStage();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function peerWith(options: PeerOptions = {}) {
  const peer = await openPeer({ offers: ALL_OFFERS, ...options });
  opened.push(peer);
  return peer;
}
/** Nothing is signed, so no thread is started. */
const startDkimThread = () => {
  throw new Error('nothing is signed');
};
function sendTo(url: string): void {
  const mail = bulkSmtpMail({ url, dkim: null, startDkimThread, pauseMs: 1 });
  opened.push(mail);
  runtime.ports.bulkMail = mail;
}

async function sending(count: number) {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, count);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  return { owner, id: edition.id, emails: readers.map(({ email }) => email).sort() };
}

test('an edition that is cancelled in the middle and resumed reaches everyone once', async () => {
  const { owner, id, emails } = await sending(SENDING_LIMITS.batch * 2 + 50);
  let cancelled: Promise<unknown> | undefined;
  const peer = await peerWith({
    answer({ step }) {
      if (step === 'end' && peer.kept.length > 100) cancelled ??= owner.api.editions.cancel({ id });
      return undefined;
    },
  });
  sendTo(peer.url);

  await deliverEdition(jobCtx(), { editionId: id });
  await cancelled;
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled' });
  const before = peer.kept.length;
  await owner.api.editions.resume({ id });
  await deliverEdition(jobCtx(later(clock.now, MINUTES(1))), { editionId: id });

  expect(before).toBeLessThan(emails.length);
  expect(peer.kept.map(({ to }) => to).sort()).toEqual(emails);
  expect(await rowOf(id)).toMatchObject({ status: 'sent' });
});

test('when the mail server goes away for an hour in the middle, everyone gets the edition once', async () => {
  const { id, emails } = await sending(250);
  let isAway = false;
  const peer = await peerWith({
    answer({ step }) {
      if (step === 'end' && peer.kept.length === 100) isAway = true;
      if (isAway && step === 'mail') return '421 4.3.2 going down';
      return isAway && step === 'greeting' ? 'drop' : undefined;
    },
  });
  sendTo(peer.url);

  const everyTwoMinutes = Array.from({ length: 31 }, (_, index) => later(clock.now, MINUTES(2 * index)));
  for (const now of everyTwoMinutes) await deliverEdition(jobCtx(now), { editionId: id });
  const before = peer.kept.length;
  const during = await rowOf(id);
  isAway = false;
  await deliverEdition(jobCtx(later(clock.now, HOURS(1) + MINUTES(5))), { editionId: id });

  expect(before).toBeGreaterThanOrEqual(100);
  expect(before).toBeLessThan(emails.length);
  expect(during).toMatchObject({ status: 'sending' });
  expect(peer.kept.map(({ to }) => to).sort()).toEqual(emails);
  expect(await rowOf(id)).toMatchObject({ status: 'sent' });
});
