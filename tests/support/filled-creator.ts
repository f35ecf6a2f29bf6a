import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { grants } from '~/db/schema/access';
import { billingDetails, users } from '~/db/schema/accounts';
import {
  contactConsents,
  contactSegments,
  contactSources,
  contacts,
  contactTags,
  suppressions,
  taggedContacts,
  trackingConsents,
} from '~/db/schema/audience';
import { automations } from '~/db/schema/automations';
import { disputes, endRefunds, refunds, sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCustomers } from '~/db/schema/checkouts';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import { creators } from '~/db/schema/creators';
import { creditNotes } from '~/db/schema/credit-notes';
import { donationSettings, donations } from '~/db/schema/donations';
import { announcements, episodeChapters, episodeTranscripts, promoDays, promos } from '~/db/schema/episode-parts';
import { formerEpisodeSlugs } from '~/db/schema/episodes';
import { gifts } from '~/db/schema/gifts';
import { glossaries } from '~/db/schema/glossaries';
import { episodeMinutes } from '~/db/schema/heard-minutes';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import {
  campaignClips,
  campaignEpisodes,
  clips,
  insertionCampaigns,
  insertionPoints,
  insertionSlots,
  replacedPassages,
} from '~/db/schema/insertions';
import { episodeMonths, episodeTotals, listeningDays, machineDays, statisticsChanges } from '~/db/schema/listening';
import { feedRedirects } from '~/db/schema/moving';
import { editionLinks, editions, newsletters } from '~/db/schema/newsletter';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { creatorPlans } from '~/db/schema/plans';
import { formerProductSlugs, products } from '~/db/schema/products';
import { impressionDays } from '~/db/schema/renditions';
import { soundbites } from '~/db/schema/soundbites';
import { activity, members } from '~/db/schema/team';
import { later, MINUTES } from '~/server/base/time';
import type { Runtime } from '~/server/runtime/runtime';

type Person = { id: number };
type Stage = {
  runtime: Runtime;
  owner: Person & { creatorId: number };
  /** A listener, and another user. */
  tom: Person;
  ada: Person;
  podcast: { id: number; coverKey: string };
  series: { id: number };
  episode: { id: number; audioKey: string | null };
};
type ColumnValues = Record<string, unknown>;

/**
 * Rows in every table of a creator's backup, with values in every column that is not given, so that tests notice a
 * column that a backup loses.
 */
export async function fillCreator({ runtime, owner, tom, ada, podcast, series, episode }: Stage): Promise<void> {
  const { db } = runtime;
  const { creatorId } = owner;
  const insert = async (table: PgTable, over: ColumnValues) => {
    const [row] = await db
      .insert(table)
      .values(filled(runtime, table, over) as never)
      .returning();
    return row as ColumnValues & { id: number };
  };
  const update = (table: PgTable & { id: PgColumn }, id: number, over: ColumnValues) =>
    db
      .update(table)
      .set(filled(runtime, table, over) as never)
      .where(eq(table.id, id));

  const own = { creatorId };
  const money = { currency: 'eur', creatorId };
  const [current] = await db.select().from(creators).where(eq(creators.id, creatorId));
  const page = { ctaUrl: 'https://creator.example/cta', buttonColor: '#112233', textColor: '#AABBCC' };
  const words = {
    testimonials: [{ text: 'T', author: 'A', url: null }],
    links: [{ label: 'L', url: 'https://l.example' }],
  };
  const { name, domain, userId, claimedAt } = current!;
  await update(creators, creatorId, {
    ...page,
    ...words,
    name,
    domain,
    userId,
    claimedAt,
    avatarKey: podcast.coverKey,
    closedAt: null,
    timeZone: 'Europe/Madrid',
  });
  await insert(billingDetails, { userId: owner.id });
  await insert(creatorPlans, { ...own, plan: 'PRO' });
  await insert(members, { ...own, userId: ada.id, role: 'editor' });
  await db
    .update(users)
    .set({ description: 'D', birthDate: '1990-01-02', signUpSource: { ref: 'r' } })
    .where(eq(users.id, owner.id));
  await db
    .update(products)
    .set({
      fundingUrl: 'https://fund.example',
      trialDays: 7,
      benefits: ['Todo, antes'],
      listings: { apple: 'https://a.example' },
    })
    .where(eq(products.id, podcast.id));
  await insert(formerProductSlugs, { scopeId: creatorId, ownerId: podcast.id, slug: 'antes' });
  await insert(feedRedirects, { productId: series.id, url: 'https://next.example/bosque.xml' });
  await insert(formerEpisodeSlugs, { scopeId: podcast.id, ownerId: episode.id, slug: 'antes' });
  await insert(glossaries, { productId: podcast.id, lines: ['Peñíscola = peña íscola, "pe" 👋'] });
  const chapters = [{ startMs: 0, title: 'Uno', url: 'https://c.example', imageKey: podcast.coverKey }];
  await insert(episodeChapters, { episodeId: episode.id, chapters });
  await insert(episodeTranscripts, {
    episodeId: episode.id,
    language: 'es',
    source: 'vtt',
    cues: [{ text: 'Hola 👋 "שלום"\u2028' }],
    original: [{ text: 'Ola' }],
  });
  await insert(promos, { ...own, episodeId: episode.id, audioKey: episode.audioKey });
  await insert(soundbites, {
    ...{ ...own, episodeId: episode.id, title: 'La «ola» 👋', startMs: 1000, endMs: 9000 },
    ...{ sourceKey: episode.audioKey, audioKey: episode.audioKey },
  });
  const clip = await insert(clips, { ...own, origin: 'upload', status: 'ready', audioKey: episode.audioKey });
  await insert(insertionPoints, { episodeId: episode.id, origin: 'creator', audioKey: episode.audioKey });
  await insert(insertionSlots, { productId: podcast.id, rule: 'near_middle' });
  const passage = { ...own, episodeId: episode.id, clipId: clip.id, audioKey: episode.audioKey };
  await insert(replacedPassages, { ...passage, fromMs: 0, toMs: 1000 });
  const campaign = await insert(insertionCampaigns, {
    ...{ ...own, productId: podcast.id, kind: 'campaign', place: 'mid', selection: 'chosen', isActive: false },
    ...{ firstDay: '2026-11-01', lastDay: '2026-11-30', selectionDay: null, cap: 100, impressions: 7, reserved: 0 },
  });
  await insert(campaignClips, { campaignId: campaign.id, clipId: clip.id });
  await insert(campaignEpisodes, { campaignId: campaign.id, episodeId: episode.id });
  await insert(impressionDays, { campaignId: campaign.id, episodeId: episode.id, day: '2026-11-02' });
  await insert(promoDays, own);
  await insert(announcements, { episodeId: episode.id, userId: tom.id });
  const fan = { ...own, source: 'form', status: 'inactive', language: 'es', email: 'fan@mail.example', userId: tom.id };
  const { id: contactId } = await insert(contacts, { ...fan, inactiveAs: 'bounced' });
  const tag = await insert(contactTags, { ...own, name: 'VIP' });
  await insert(taggedContacts, { tagId: tag.id, contactId });
  await insert(contactSources, { ...own, contactId, source: 'form' });
  await insert(contactConsents, { contactId, source: 'form', text: 'Sí' });
  await insert(trackingConsents, { contactId, givenAt: new Date('2026-02-01T10:00:00Z'), text: 'También' });
  await insert(suppressions, { ...own, addressDigest: 'ab'.repeat(32), reason: 'bounced' });
  await insert(contactSegments, { ...own, name: 'Los de la ola', filter: { tag: 'VIP' } });
  await insert(newsletters, {
    ...own,
    name: 'Cartas',
    category: 101,
    language: 'es',
    logoKey: null,
    mayBeRecommended: false,
  });
  const edition = await insert(editions, {
    removedAt: null,
    ...own,
    status: 'sent',
    slug: 'carta-1',
    title: 'Carta 1',
    content: '<p>Hola</p>\n<hr data-free-end>\n<p>Solo para quien paga</p>',
    tags: ['cartas'],
    audience: { group: 'everyone' },
    ...{ automationId: null, delayHours: null },
  });
  await insert(editionLinks, { editionId: edition.id, position: 0, href: 'https://olas.example/carta', clicks: 3 });
  const automation = await insert(automations, {
    ...{ ...own, name: 'Gracias', trigger: 'purchase', productId: podcast.id, removedAt: null },
  });
  await insert(editions, {
    removedAt: null,
    ...{ ...own, status: 'draft', slug: null, title: 'Gracias', content: '<p>Gracias</p>', tags: [] },
    ...{ audience: { group: 'everyone' }, automationId: automation.id, delayHours: 48, isInArchive: false },
  });
  await insert(episodeEmailOptOuts, { productId: podcast.id, email: 'no@mail.example' });
  const coupon = await insert(coupons, {
    ...money,
    productId: podcast.id,
    amountMinor: null,
    percent: 10,
    duration: 'repeating',
  });
  const customerId = 'cus_1';
  await insert(paymentCustomers, { userId: tom.id, providerId: customerId, isMain: true });
  const sold = { creatorId, productId: podcast.id, userId: tom.id };
  const bought = { ...sold, couponId: coupon.id, customerId, status: 'settled', language: 'es', refusedFor: null };
  const checkout = await insert(checkouts, { ...bought, purpose: 'show', terms: { name: 'Olas', priceMinor: 500 } });
  const gift = await insert(checkouts, { ...bought, purpose: 'gift', terms: {} });
  await insert(couponRedemptions, { checkoutId: checkout.id, couponId: coupon.id, userId: tom.id, state: 'redeemed' });
  const running = { ...sold, ...money, checkoutId: checkout.id, customerId, purpose: 'show', plan: null };
  const states = { status: 'active', every: 'month', endReason: 'subscriber' };
  const subscription = await insert(subscriptions, { ...running, ...states });
  const sale = await insert(sales, {
    ...{ ...sold, ...money, checkoutId: checkout.id, subscriptionId: subscription.id, couponId: coupon.id },
    ...{ purpose: 'show', every: 'month', plan: 'PRO', amountMinor: 500, refundedMinor: 100, commissionMinor: 45 },
    ...{ vatMinor: 87, vatBasis: 'charged', vatEvidence: [{ kind: 'card_country', country: 'ES' }] },
    buyer: { name: 'Tom', street: null },
  });
  const refund = await insert(refunds, { saleId: sale.id, status: 'succeeded' });
  const dispute = await insert(disputes, { saleId: sale.id, status: 'lost' });
  const note = { saleId: sale.id, legalEntity: sale.legalEntity };
  await insert(creditNotes, { ...note, refundId: refund.providerId, disputeId: null, kind: 'refund' });
  await insert(creditNotes, { ...note, refundId: null, disputeId: dispute.providerId, kind: 'dispute', number: 9 });
  await insert(endRefunds, { subscriptionId: subscription.id, currency: 'eur', status: 'sent' });
  await insert(gifts, { checkoutId: gift.id, giverId: tom.id, productId: series.id, redeemedBy: ada.id });
  await insert(grants, { userId: tom.id, productId: podcast.id, source: 'subscription' });
  await insert(grants, { userId: ada.id, productId: series.id, source: 'gift' });
  await insert(donationSettings, money);
  await insert(donations, { ...money, userId: tom.id, subscriptionId: null, amountMinor: 500, every: null });
  await insert(listeningDays, { ...own, productId: podcast.id });
  await db.delete(episodeTotals).where(eq(episodeTotals.episodeId, episode.id));
  await insert(episodeTotals, { ...own, episodeId: episode.id });
  await insert(episodeMonths, { ...own, productId: podcast.id, episodeId: episode.id });
  await insert(episodeMinutes, { ...own, productId: podcast.id, episodeId: episode.id });
  await insert(machineDays, { ...own, productId: podcast.id });
  const source = await insert(importedSources, { ...own, productId: podcast.id, host: 'libsyn' });
  await insert(importedPlays, { ...own, productId: podcast.id, sourceId: source.id, period: 'day' });
  await insert(statisticsChanges, { ...own, productId: podcast.id, reason: 'machines' });
  await insert(activity, { ...own, userId: ada.id, action: 'product.updated', params: { name: 'Olas' } });
}

/** A value for each column: one of its type that differs from its default. */
function filled({ now }: Runtime, table: PgTable, over: ColumnValues): ColumnValues {
  const columns = Object.entries(table).filter(([key]) => key !== 'enableRLS') as [string, PgColumn][];
  const generated = new Set(
    getTableConfig(table).columns.flatMap((column) => (column.generatedIdentity ? [column.name] : [])),
  );
  const values = columns.flatMap(([key, column], index) => {
    if (generated.has(column.name)) return [];
    return [[key, key in over ? over[key] : sampleOf(column, later(now(), MINUTES(index)), index + 2)]];
  });
  return Object.fromEntries(values);
}

function sampleOf(column: PgColumn, time: Date, number: number): unknown {
  const type = column.getSQLType();
  if (type.endsWith('[]')) return [`${column.name} ${randomUUID()}`];
  if (type === 'uuid') return randomUUID();
  if (type === 'date') return '2026-01-02';
  if (type.startsWith('timestamp')) return time;
  if (type === 'boolean') return column.default !== true;
  if (type === 'jsonb') return { filled: ['é', 1, null] };
  if (type === 'integer' || type === 'bigint') return number;
  // differs from the value of every other row
  return `${column.name} ñ"'\\ ${randomUUID()}`;
}
