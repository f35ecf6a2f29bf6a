import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { automations } from '~/db/schema/automations';
import { creators } from '~/db/schema/creators';
import { donationSettings, donations } from '~/db/schema/donations';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { editions, newsletters } from '~/db/schema/newsletter';
import { products } from '~/db/schema/products';
import { accepts, procedures, sampleInputs } from '../support/authorization';
import { campaignRow } from '../support/campaigns';
import { cast } from '../support/cast';
import { CONSOLE_READS } from '../support/console-rows';
import { webhookRow } from '../support/webhook-rows';

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
const fan = { creatorId: owner.creatorId, source: 'form', language: 'es' } as const;
const [contact] = await runtime.db
  .insert(contacts)
  .values({ ...fan, email: 'marker-contact@mail.example', name: 'MARKER-contact', status: 'active' })
  .returning({ id: contacts.id });
const [edition] = await runtime.db
  .insert(editions)
  .values({
    creatorId: owner.creatorId,
    status: 'sent',
    slug: 'letter',
    title: 'Letter',
    content: '<p>For everyone</p>\n<hr data-free-end>\n<p>MARKER-paid-part</p>',
    audience: { group: 'tag', of: 'MARKER-tag' },
    startedAt: runtime.now(),
  })
  .returning({ id: editions.id });
const [automation] = await runtime.db
  .insert(automations)
  .values({ creatorId: owner.creatorId, name: 'MARKER-automation', trigger: 'purchase' })
  .returning({ id: automations.id });
const [campaign] = await runtime.db
  .insert(insertionCampaigns)
  .values(campaignRow({ creatorId: owner.creatorId, productId: podcast.id }, { name: 'MARKER-campaign' }))
  .returning({ id: insertionCampaigns.id });
const settings = { name: 'Letters', description: '', category: 101, language: 'en', senderName: 'L', header: '-' };
await runtime.db.insert(newsletters).values({
  ...{ ...settings, creatorId: owner.creatorId, footer: '-', sendsWelcome: true },
  senderEmail: 'marker-sender@mail.example',
  welcomeSubject: 'MARKER-welcome-subject',
  welcomeContent: 'MARKER-welcome-content',
});
const webhook = await webhookRow({ runtime, owner }, 'MARKER-webhook');
const MARKER = /marker-[\w@.-]+|etc\/gmt\+7/gi;

const { domain } = owner;
const { slug } = podcast;
const episode = { id: published.id, kind: 'podcast' };
/** Inputs of read procedures that need one. Some have several, because a hidden or private episode could leak too. */
const NEEDED: Record<string, unknown[]> = {
  'accounts.emailChangeLink': [{ token: 'unknown', side: 'new' }],
  'billing.offer': [{ product: podcast.id }],
  'billing.reducedOffer': [{ product: podcast.id }],
  'buyers.list': [{ id: podcast.id, kind: 'podcast' }],
  'buyers.export': [{ id: podcast.id, kind: 'podcast' }],
  'campaigns.get': [{ id: campaign!.id }],
  'campaigns.figures': [{ id: campaign!.id }],
  'campaigns.reach': [{ productId: podcast.id }],
  'insertionPoints.ofEpisode': [{ id: published.id }],
  'insertionPoints.toReview': [{ productId: podcast.id }],
  'insertionPoints.slots': [{ productId: podcast.id }],
  'contacts.get': [{ id: contact!.id }],
  'editions.get': [{ id: edition!.id }],
  'editions.reach': [{ audience: 'everyone' }],
  'editions.versions': [{ id: edition!.id }],
  'editions.saved': [{ id: edition!.id }],
  'editions.preview': [{ id: edition!.id, part: 'paid' }],
  'automations.get': [{ id: automation!.id }],
  'recommendations.findShows': [{ productId: podcast.id }],
  'newsletter.findRecommendable': [{ search: `@${domain}` }],
  'newsletter.offered': [{ confirmed: 'unknown' }],
  'newsletter.archive': [{ domain }],
  'newsletter.archived': [{ domain, slug: 'letter' }],
  'buyers.feed': [{ id: podcast.id, kind: 'podcast', userId: 1 }],
  'buyers.get': [{ id: podcast.id, kind: 'podcast', userId: 1 }],
  ...CONSOLE_READS,
  'payouts.list': [{ page: 1 }],
  'payouts.paper': [{ id: crypto.randomUUID(), kind: 'invoice' }],
  'payouts.statement': [{ month: '2026-03', currency: 'eur' }],
  'payouts.exportStatement': [{ month: '2026-03', currency: 'eur' }],
  'moving.redirect': [{ id: podcast.id, kind: 'podcast' }],
  'subscriberImports.latest': [{ id: podcast.id, kind: 'podcast' }],
  'subscriberImports.oldFeeds': [{ id: podcast.id, kind: 'podcast' }],
  'subscriberImports.problems': [{ id: 1 }],
  'contactImports.preview': [{ contactsKey: 'unknown' }],
  'contactImports.problems': [{ id: 1 }],
  'subscriberImports.exportProblems': [{ id: 1 }],
  'imports.openShowPreview': [{ token: 'unknown' }],
  'imports.hasOldFeed': [{ productId: podcast.id }],
  'imports.oldFeed': [{ productId: podcast.id }],
  'imports.get': [{ id: 1 }],
  'imports.items': [{ id: 1 }],
  'coupons.check': [{ code: 'MARKER', productId: podcast.id }],
  'creators.domainAvailability': [{ domain }],
  'donations.donors': [{ creatorId: owner.creatorId }],
  'donations.export': [{ creatorId: owner.creatorId }],
  'donations.page': [{ creatorId: owner.creatorId }],
  'episodes.get': [episode, { id: hidden.id }, { id: listed.id }],
  'episodes.chapters': [episode, { id: hidden.id }],
  'episodes.describedChapters': [episode, { id: hidden.id }],
  'episodes.forEditing': [episode, { id: hidden.id }],
  'episodes.previewLink': [episode, { id: hidden.id }],
  'episodes.transcript': [episode, { id: hidden.id }],
  'apps.request': [{}],
  'transcripts.search': [{ words: 'MARKER' }],
  'transcripts.edit': [episode],
  'transcripts.original': [episode],
  'transcripts.glossary': [{ id: podcast.id, kind: 'podcast' }],
  'transcription.state': [episode, { id: hidden.id }],
  'suggestions.state': [episode, { id: hidden.id }],
  'spotify.ofShow': [{ productId: podcast.id }],
  'transcription.timing': [episode, { id: hidden.id }],
  'transcription.credits': [episode, { id: hidden.id }],
  'episodes.list': [{ productId: podcast.id }, { productId: podcast.id, status: 'on_hold' }],
  'episodes.publicRoom': [{ id: podcast.id, kind: 'podcast' }],
  'episodes.deleted': [{ productId: podcast.id }],
  'subscriptions.get': [{ id: 1 }],
  'subscriptions.yearlyPreview': [{ id: 1 }],
  'listening.playsOfShow': [{ id: podcast.id, kind: 'podcast' }],
  'buyers.revenue': [{ id: podcast.id, kind: 'podcast' }],
  'receipts.get': [{ id: 1 }],
  'gifts.offer': [{ product: podcast.id }],
  'gifts.bought': [{ checkout: '00000000-0000-4000-8000-000000000000' }],
  'feeds.firstToHear': [{ productId: podcast.id }],
  'feeds.episodes': [{}],
  'listening.progress': [{ episodeIds: [published.id, hidden.id] }],
  'feeds.heardShow': [{ productId: podcast.id }],
  'feeds.creatorsLink': [{ productId: podcast.id }],
  'feeds.privateLinks': [{ productId: podcast.id }],
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
  'statistics.ofShow': [{ id: podcast.id, kind: 'podcast' }],
  'statistics.salesOfShow': [{ id: podcast.id, kind: 'podcast' }],
  'statistics.live': [{ id: podcast.id, kind: 'podcast' }],
  'webhooks.deliveries': [{ endpointId: webhook.endpointId }],
  'webhooks.delivery': [webhook],
  'webhooks.sample': [{ type: 'show.created' }],
  'statistics.sponsorLinks': [{ id: podcast.id, kind: 'podcast' }],
  'statistics.sponsorPage': [{ token: 'unknown' }],
  'statistics.campaignReport': [{ token: 'unknown' }],
  'statistics.heardOfShow': [{ id: podcast.id, kind: 'podcast' }],
  'statistics.retention': [episode, { id: hidden.id }],
  'statistics.overview': [{ id: podcast.id, kind: 'podcast' }],
  'statistics.ofEpisode': [episode, { id: hidden.id }],
  'importedHistory.sources': [{ id: podcast.id, kind: 'podcast' }],
  'importedHistory.preview': [{ id: podcast.id, kind: 'podcast', statisticsKey: 'unknown' }],
  'importedHistory.problems': [{ id: podcast.id, kind: 'podcast', statisticsKey: 'unknown' }],
  'listening.playsOfShows': [{ productIds: [podcast.id] }],
  'listening.plays': [{ episodeIds: [published.id, hidden.id] }],
  'support.viewReported': [{ page: { domain, slug } }, { page: { type: 'episode', id: hidden.id } }],
  'pages.earnings': [{}, { plan: 'PRO', every: 'year', country: 'FR' }],
  'content.posts': [{}, { search: 'MARKER' }],
  'content.post': [{ slug: 'move-a-podcast' }],
  'content.help': [{}, { search: 'MARKER', audience: 'creators' }],
  'content.helpArticle': [{ slug: 'add-a-private-feed' }],
  'content.page': [{ slug: 'how-we-measure' }],
  'content.namedPage': [{ name: 'team' }],
  'content.legal': [{ name: 'privacy' }],
  'content.resource': [{ slug: 'audio-before-upload' }],
  'content.host': [{ slug: 'ivoox' }],
  'pages.discover': [{}, { search: 'MARKER-unpublished-name' }, { search: 'unpublished' }],
  'pages.sitePicture': [{ path: '/es/blog' }],
  'pages.discoverPassages': [{ search: 'MARKER' }, { search: 'unpublished' }],
  'pages.address': [{ type: 'episode', id: hidden.id }],
  'pages.creator': [{ domain }, { domain, search: 'MARKER' }, { domain, search: 'unpublished' }],
  'pages.embeddedEpisode': [{ id: published.id }, { id: listed.id }],
  'pages.embeddedProduct': [{ id: podcast.id }],
  'pages.preview': [{ domain, token: 'unknown' }],
  'pages.product': [{ domain, slug }],
  'pages.episode': [
    { domain, slug, episodeSlug: published.slug },
    { domain, slug, episodeSlug: 'hidden' },
    { domain, slug, episodeSlug: listed.slug },
  ],
  'pages.soundbite': [{ domain, slug, episodeSlug: published.slug, id: 1 }],
  'soundbites.list': [{ episodeId: published.id }, { episodeId: hidden.id }],
  'products.get': [{ id: podcast.id, kind: 'podcast' }],
  'products.freeConversion': [{ id: podcast.id, kind: 'podcast' }],
  'products.unusedPayments': [{ id: podcast.id, kind: 'podcast' }],
  'products.forEditing': [{ id: podcast.id, kind: 'podcast' }],
  'products.slugAvailability': [{ slug }],
  'episodes.month': [{ month: '2026-01' }, {}],
  'episodes.search': [{ search: 'e' }],
  'plans.preview': [{ plan: 'BASIC' }],
  'plans.checkout': [{ id: '00000000-0000-4000-8000-000000000000' }],
};
const queries = Object.keys(procedures).filter((name) => procedures[name]!._def.type === 'query');

const inputsOf = (name: string) => NEEDED[name] ?? sampleInputs(name);

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
  expect(queries.filter((name) => inputsOf(name).length === 0)).toEqual([]);
  expect(Object.keys(NEEDED).filter((name) => !queries.includes(name))).toEqual([]);
  expect(queries.filter((name) => !inputsOf(name).every((input) => accepts(name, input)))).toEqual([]);
});

const cases = queries.flatMap((name) =>
  Object.keys(others).map((caller): [string, keyof typeof others] => [name, caller as keyof typeof others]),
);
test.each(cases)('%s returns no owner-only values to a %s', async (name, caller) => {
  const responses = await Promise.all(inputsOf(name).map((input) => responseOf(others[caller], name, input)));

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
