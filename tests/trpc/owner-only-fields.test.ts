import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { donationSettings, donations } from '~/db/schema/donations';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { appRouter } from '~/server/trpc/router';
import { cast } from '../support/cast';
import { CONSOLE_READS } from '../support/console-rows';

/**
 * Only the owner may receive owner-only values. Each such column contains a marker, and no response of a read procedure
 * to a visitor, a listener or another creator may contain one.
 */
const { runtime, ada, tom, visitor, make, checkNewAudio } = await cast();
const owner = await make.creator({ name: 'Lucía' });
const podcast = await make.product(owner, { name: 'Olas' });
const published = await make.draft(owner, podcast, { name: 'Published' });
const hidden = await make.draft(owner, podcast, { name: 'MARKER-unpublished-name', slug: 'hidden' });
const listed = await make.draft(owner, podcast, { name: 'Listed', type: 'private' });
await checkNewAudio();
await owner.api.episodes.hold({ id: hidden.id });

const audioMarkers = { privateNote: 'MARKER-note', fileName: 'MARKER-file.mp3', audioSha256: 'MARKER-sha256' };
for (const { id } of [published, hidden, listed]) {
  await runtime.db
    .update(episodes)
    .set({ ...audioMarkers, uploadKey: `MARKER-upload-${id}`, audioKey: `MARKER-audio-${id}` })
    .where(eq(episodes.id, id));
  const reasons = { failureReason: 'MARKER-reason', audioWarnings: ['MARKER-warning'] };
  await runtime.db.update(episodes).set(reasons).where(eq(episodes.id, id));
}
const messages = {
  welcomeMessage: 'MARKER-welcome',
  subscriberEmailMessage: 'MARKER-subscriber-email',
  ownerName: 'MARKER-feed-owner',
  ownerEmail: 'marker-feed@mail.example',
};
await runtime.db.update(products).set(messages).where(eq(products.id, podcast.id));
const account = { name: 'MARKER-account-name', email: 'marker-email@mail.example', passwordHash: 'MARKER-hash' };
await runtime.db.update(users).set(account).where(eq(users.id, owner.id));
await runtime.db
  .update(creators)
  .set({ timeZone: 'Etc/GMT+7', acceptsDonations: true })
  .where(eq(creators.id, owner.creatorId));
const terms = { amountMinor: 500, currency: 'eur' as const, donatedAt: runtime.now() };
await runtime.db.insert(donationSettings).values({ creatorId: owner.creatorId, currency: 'eur', showsWall: true });
await runtime.db.insert(donations).values([
  { checkoutId: randomUUID(), creatorId: owner.creatorId, email: 'marker-donor@mail.example', name: 'Ana', ...terms },
  {
    checkoutId: randomUUID(),
    creatorId: owner.creatorId,
    email: 'marker-anonymous@mail.example',
    name: 'MARKER-anonymous',
    isAnonymous: true,
    ...terms,
  },
  {
    checkoutId: randomUUID(),
    creatorId: owner.creatorId,
    email: '',
    name: 'MARKER-hidden',
    message: 'MARKER-hidden-message',
    hiddenAt: runtime.now(),
    ...terms,
  },
]);
const MARKER = /marker-[\w@.-]+|etc\/gmt\+7/gi;

const { domain } = owner;
const { slug } = podcast;
const episode = { id: published.id, kind: 'podcast' };
/** Inputs for each read procedure. Some have several, because a hidden or private episode could leak too. */
const INPUTS: Record<string, unknown[]> = {
  'accounts.me': [undefined],
  'accounts.trackingData': [undefined],
  'accounts.billingDetails': [undefined],
  'accounts.deletionState': [undefined],
  'accounts.exportState': [undefined],
  'accounts.notifications': [undefined],
  'accounts.pendingLogIn': [undefined],
  'accounts.secondFactor': [undefined],
  'accounts.undoDeletionLink': [{ token: 'unknown' }],
  'identities.list': [undefined],
  'identities.pending': [undefined],
  'identities.providers': [undefined],
  'audience.joinLink': [{ token: 'unknown' }],
  'audience.leaving': [{ token: 'unknown' }],
  'notifications.unsubscription': [{ token: 'unknown' }],
  'accounts.security': [undefined],
  'accounts.sessions': [{}],
  'accounts.emailChange': [undefined],
  'accounts.emailChangeLink': [{ token: 'unknown' }],
  'accounts.passwordResetLink': [{ token: 'unknown' }],
  'accounts.verificationLink': [{ token: 'unknown' }],
  'billing.offer': [{ product: podcast.id }],
  'billing.reducedOffer': [{ product: podcast.id }],
  'buyers.list': [{ id: podcast.id, kind: 'podcast' }],
  'buyers.export': [{ id: podcast.id, kind: 'podcast' }],
  'buyers.get': [{ id: podcast.id, kind: 'podcast', userId: 1 }],
  ...CONSOLE_READS,
  'operators.proof': [undefined],
  'operators.books': [{}],
  'payouts.overview': [undefined],
  'sellerAccount.view': [undefined],
  'sellerAccount.running': [undefined],
  'payouts.list': [{ page: 1 }],
  'payouts.paper': [{ id: crypto.randomUUID(), kind: 'invoice' }],
  'payouts.statement': [{ month: '2026-03', currency: 'eur' }],
  'payouts.exportStatement': [{ month: '2026-03', currency: 'eur' }],
  'archives.latest': [undefined],
  'moving.shows': [undefined],
  'moving.redirect': [{ id: podcast.id, kind: 'podcast' }],
  'moving.undoLink': [{ token: 'unknown' }],
  'subscriberMoves.overview': [undefined],
  'subscriberImports.latest': [{ id: podcast.id, kind: 'podcast' }],
  'subscriberImports.oldFeeds': [{ id: podcast.id, kind: 'podcast' }],
  'subscriberImports.problems': [{ id: 1 }],
  'subscriberImports.exportProblems': [{ id: 1 }],
  'imports.latest': [undefined],
  'imports.hasOldFeed': [{ productId: podcast.id }],
  'imports.oldFeed': [{ productId: podcast.id }],
  'imports.get': [{ id: 1 }],
  'imports.items': [{ id: 1 }],
  'imports.confirmation': [{ token: 'unknown' }],
  'coupons.list': [{}],
  'coupons.check': [{ code: 'MARKER', productId: podcast.id }],
  'creators.mine': [undefined],
  'creators.suggestion': [undefined],
  'creators.domainAvailability': [{ domain }],
  'donations.donors': [{ creatorId: owner.creatorId }],
  'donations.export': [{ creatorId: owner.creatorId }],
  'donations.mine': [undefined],
  'donations.page': [{ creatorId: owner.creatorId }],
  'donations.settings': [undefined],
  'donations.stoppable': [{ token: 'unknown' }],
  'episodes.get': [episode, { id: hidden.id }, { id: listed.id }],
  'episodes.chapters': [episode, { id: hidden.id }],
  'episodes.forEditing': [episode, { id: hidden.id }],
  'episodes.previewLink': [episode, { id: hidden.id }],
  'episodes.transcript': [episode, { id: hidden.id }],
  'episodes.list': [{ productId: podcast.id }, { productId: podcast.id, status: 'on_hold' }],
  'episodes.deleted': [{ productId: podcast.id }],
  'subscriptions.mine': [undefined],
  'subscriptions.get': [{ id: 1 }],
  'subscriptions.yearlyPreview': [{ id: 1 }],
  'pauses.list': [{ id: podcast.id, kind: 'podcast' }],
  'cards.mine': [undefined],
  'cards.overdue': [{ token: 'unknown' }],
  'receipts.list': [{}],
  'receipts.get': [{ id: 1 }],
  'gifts.offer': [{ product: podcast.id }],
  'gifts.mine': [undefined],
  'gifts.bought': [{ checkout: '00000000-0000-4000-8000-000000000000' }],
  'gifts.open': [{ token: 'unknown' }],
  'feeds.mine': [undefined],
  'feeds.firstToHear': [{ productId: podcast.id }],
  'feeds.heardShow': [{ productId: podcast.id }],
  'feeds.privateLinks': [{ productId: podcast.id }],
  'feeds.followLink': [{ token: 'unknown' }],
  'feeds.readiness': [{ id: podcast.id, kind: 'podcast' }],
  'episodes.lastChange': [{ batchId: '00000000-0000-4000-8000-000000000000' }],
  'listening.open': [episode, { id: hidden.id }, { id: listed.id }],
  'listening.start': [
    { ...episode, session: 'fields' },
    { id: hidden.id, session: 'fields' },
  ],
  'listening.position': [episode, { id: hidden.id }],
  'listening.url': [episode, { id: hidden.id }],
  'listening.adjacent': [episode, { id: hidden.id }],
  'listening.others': [episode, { id: listed.id }],
  'listening.plays': [{ episodeIds: [published.id, hidden.id] }],
  'listening.overview': [undefined],
  'support.viewReported': [{ page: { domain, slug } }, { page: { type: 'episode', id: hidden.id } }],
  'pages.home': [undefined],
  'pages.discover': [{}, { search: 'MARKER-unpublished-name' }, { search: 'unpublished' }],
  'pages.address': [{ type: 'episode', id: hidden.id }],
  'pages.creatorPreview': [{}],
  'pages.creator': [{ domain }],
  'pages.embeddedEpisode': [{ id: published.id }, { id: listed.id }],
  'pages.embeddedProduct': [{ id: podcast.id }],
  'pages.preview': [{ domain, token: 'unknown' }],
  'pages.product': [{ domain, slug }],
  'pages.episode': [
    { domain, slug, episodeSlug: published.slug },
    { domain, slug, episodeSlug: 'hidden' },
    { domain, slug, episodeSlug: listed.slug },
  ],
  'products.get': [{ id: podcast.id, kind: 'podcast' }],
  'products.freeConversion': [{ id: podcast.id, kind: 'podcast' }],
  'products.unusedPayments': [{ id: podcast.id, kind: 'podcast' }],
  'products.forEditing': [{ id: podcast.id, kind: 'podcast' }],
  'products.feedOwnerLink': [{ token: 'unknown' }],
  'products.list': [{}],
  'products.slugAvailability': [{ slug }],
  'episodes.month': [{ month: '2026-01' }, {}],
  'episodes.upcoming': [undefined],
  'episodes.promos': [undefined],
  'episodes.search': [{ search: 'e' }],
  'plans.overview': [undefined],
  'plans.invoices': [undefined],
  'plans.nextPayment': [undefined],
  'plans.preview': [{ plan: 'BASIC' }],
  'plans.previewEnd': [undefined],
  'plans.checkout': [{ id: '00000000-0000-4000-8000-000000000000' }],
  'team.get': [undefined],
  'team.activity': [{}],
  'team.invitation': [{ token: 'unknown' }],
  'team.workplaces': [undefined],
  'start.progress': [undefined],
  'reference.clientCountry': [undefined],
  'reference.countries': [undefined],
  'reference.countryOptions': [undefined],
  'reference.languages': [undefined],
  'reference.timeZones': [undefined],
  'announcements.current': [undefined],
  'reference.categories': [undefined],
  'reference.configurations': [undefined],
};
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const queries = Object.keys(procedures).filter((name) => procedures[name]!._def.type === 'query');

const others = {
  visitor,
  listener: tom.api,
  'different creator': ada.api,
};

/** The serialized result or error of a call. */
async function responseOf(caller: unknown, name: string, input: unknown): Promise<string> {
  const [room, verb] = name.split('.') as [string, string];
  const procedure = (caller as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[room]![verb]!;
  const response = await procedure(input).catch((error: Error) => ({ error: error.message }));
  return superjson.stringify(response);
}

test('every read procedure is tested', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(queries.sort());
});

const cases = queries.flatMap((name) =>
  Object.keys(others).map((caller): [string, keyof typeof others] => [name, caller as keyof typeof others]),
);
test.each(cases)('%s returns no owner-only values to a %s', async (name, caller) => {
  const responses = await Promise.all(INPUTS[name]!.map((input) => responseOf(others[caller], name, input)));

  expect(responses.join('\n').match(MARKER)).toBeNull();
});

test('the owner gets the owner-only fields', async () => {
  const responses = await Promise.all([
    responseOf(owner.api, 'products.get', { id: podcast.id, kind: 'podcast' }),
    responseOf(owner.api, 'episodes.get', episode),
    responseOf(owner.api, 'episodes.list', { productId: podcast.id }),
    responseOf(owner.api, 'accounts.me', undefined),
  ]);

  const found = new Set(responses.join('\n').match(MARKER));
  expect([...found].sort()).toEqual([
    'Etc/GMT+7',
    'MARKER-account-name',
    'MARKER-feed-owner',
    'MARKER-file.mp3',
    'MARKER-note',
    'MARKER-reason',
    'MARKER-subscriber-email',
    'MARKER-unpublished-name',
    'MARKER-warning',
    'MARKER-welcome',
    'marker-email@mail.example',
    'marker-feed@mail.example',
  ]);
});
