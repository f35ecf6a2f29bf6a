import { eq } from 'drizzle-orm';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { editionCountsDoor } from '~/server/doors/pages/edition-counts';
import { EDITING_LIMITS } from '~/server/limits/newsletter';
import '../../support/matchers';
import { newsletterStage } from './sent-editions';

const { runtime, clock, as, visitor, publisher, addContacts, draft, make, rowOf } = await newsletterStage();
const { db } = runtime;
const door = new Hono();
editionCountsDoor(runtime)(door as never);

async function sent(changes: Record<string, unknown> = {}) {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const edition = await draft(owner, changes);
  await owner.api.editions.send(edition as never);
  const { slug } = await rowOf(edition.id);
  const read = () => visitor.newsletter.archived({ domain: owner.domain, slug: slug! });
  return { owner, ...edition, read };
}

test('a listener who pays the creator reads what follows the line, until the payment ends', async () => {
  const { owner, id } = await sent({ content: '<p>For all</p><hr data-free-end><p>For payers</p>' });
  const show = await make.product(owner, { priceMinor: 500 });
  const [payer, follower, former] = [await make.person(), await make.person(), await make.person()];
  const grant = { productId: show.id, startsAt: runtime.now() };
  await db.insert(grants).values([
    { ...grant, userId: payer.id, source: 'subscription' },
    { ...grant, userId: follower.id, source: 'follow' },
    { ...grant, userId: former.id, source: 'subscription', endsAt: runtime.now() },
  ]);
  await addContacts(owner.creatorId, 1, { userId: payer.id });
  const { slug } = await rowOf(id);
  const readAs = async (person: typeof payer) =>
    (await as(person, 'web')).newsletter.archived({ domain: owner.domain, slug: slug! });

  const whole = await readAs(payer);

  expect(whole.html).toContain('For payers');
  expect(whole.html).not.toContain('data-invitation');
  expect(whole.getsNewsletter).toBe(true);
  for (const person of [follower, former]) {
    const { html, getsNewsletter } = await readAs(person);
    expect(html).not.toContain('For payers');
    expect(html).toContain('data-invitation');
    expect(getsNewsletter).toBe(false);
  }
});

type Person = Awaited<ReturnType<typeof make.person>>;

test('an edition to buyers without a line is read by those who got it, and those who subscribe later', async () => {
  const { owner, id } = await sent({ content: '<p>For some</p>' });
  const show = await make.product(owner, { priceMinor: 500 });
  const other = await make.product(owner, { priceMinor: 500 });
  await db
    .update(editions)
    .set({ audience: { group: 'subscribers', of: show.slug } })
    .where(eq(editions.id, id));
  const people = await Promise.all(Array.from({ length: 5 }, () => make.person()));
  const [got, later, elsewhere, waiting, refunded] = people as [Person, Person, Person, Person, Person];
  const contactOf = async ({ id: userId }: { id: number }) =>
    (await addContacts(owner.creatorId, 1, { userId }))[0]!.id;
  for (const [person, state] of [
    [got, 'sent'],
    [waiting, 'waiting'],
    [refunded, 'skipped'],
  ] as const)
    await db.insert(editionRecipients).values({ editionId: id, contactId: await contactOf(person), pays: true, state });
  for (const person of [later, elsewhere]) await contactOf(person);
  await db.insert(grants).values([
    { userId: later.id, productId: show.id, source: 'subscription', startsAt: runtime.now() },
    { userId: elsewhere.id, productId: other.id, source: 'subscription', startsAt: runtime.now() },
  ]);
  const { slug } = await rowOf(id);
  const reads = async (person: Person) => {
    const { html } = await (await as(person, 'web')).newsletter.archived({ domain: owner.domain, slug: slug! });
    return html.includes('For some');
  };

  expect(await Promise.all(people.map(reads))).toEqual([true, true, false, false, false]);
});

test('everyone reads the part before the line, and never what follows it', async () => {
  const { read } = await sent({ content: '<p>For all</p><hr data-free-end><p>For payers</p>' });

  const { html } = await read();

  expect(html).toContain('For all');
  expect(html).not.toContain('For payers');
});

test('an edition to people who pay is not public, even without a line', async () => {
  const { id, read } = await sent({ content: '<p>For payers</p>' });
  await db
    .update(editions)
    .set({ audience: { group: 'subscribers', of: 'olas' } })
    .where(eq(editions.id, id));

  expect((await read()).html).not.toContain('For payers');
});

test('an edition to a segment about buyers is not public without a line, also when the segment is deleted', async () => {
  const owner = await publisher();
  const { id: aboutBuyers } = await owner.api.contacts.saveSegment({
    name: 'Cancelled',
    filter: { subscription: 'cancelled' },
  } as never);
  const { id: ofTag } = await owner.api.contacts.saveSegment({ name: 'Cork', filter: { search: 'reader' } } as never);
  await addContacts(owner.creatorId, 1);
  const htmlFor = async (segment: number) => {
    const { id, revision } = await draft(owner, { content: '<p>For some</p>' });
    await owner.api.editions.send({ id, revision } as never);
    const audience = { group: 'segment', of: String(segment) } as const;
    const [row] = await db.update(editions).set({ audience }).where(eq(editions.id, id)).returning();
    return async () => (await visitor.newsletter.archived({ domain: owner.domain, slug: row!.slug! })).html;
  };
  const [read, readOther] = [await htmlFor(aboutBuyers), await htmlFor(ofTag)];

  expect(await read()).not.toContain('For some');
  expect(await readOther()).toContain('For some');
  await owner.api.contacts.deleteSegment({ id: aboutBuyers });
  expect(await read()).not.toContain('For some');
});

test('an edition to some people is in the archive only if its author says so', async () => {
  const owner = await publisher();
  const [reader] = await addContacts(owner.creatorId, 1);
  await owner.api.contacts.change({ action: 'tag', ids: [reader!.id], tag: 'Cork' } as never);
  const change = async (id: number, changes: Record<string, unknown>) => {
    const { revision } = await rowOf(id);
    await owner.api.editions.update({ id, revision, ...changes } as never);
  };
  const [silent, said] = [await draft(owner, { title: 'Silent' }), await draft(owner, { title: 'Said' })];
  for (const { id } of [silent, said]) await change(id, { audience: { group: 'tag', of: 'Cork' } });
  await change(said.id, { isInArchive: true });
  await change(said.id, { audience: { group: 'tag', of: 'cork' } });

  for (const { id } of [silent, said]) {
    const { revision } = await rowOf(id);
    await owner.api.editions.send({ id, revision } as never);
  }

  const { items } = await visitor.newsletter.archive({ domain: owner.domain });
  expect(items.map(({ title }) => title)).toEqual(['Said']);
});

test('editions that were sent in one millisecond are neighbours, and on one page of the archive each', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const slugs: string[] = [];
  for (let sentNow = 0; sentNow <= EDITING_LIMITS.archivePage; sentNow += 1) {
    const edition = await draft(owner, { title: `Number ${sentNow}` });
    await owner.api.editions.send(edition as never);
    slugs.unshift((await rowOf(edition.id)).slug!);
  }
  await db.update(editions).set({ startedAt: clock.now }).where(eq(editions.creatorId, owner.creatorId));
  const { domain } = owner;

  const first = await visitor.newsletter.archive({ domain });
  const second = await visitor.newsletter.archive({ domain, after: first.after! });

  expect([...first.items, ...second.items].map(({ slug }) => slug)).toEqual(slugs);
  expect(second.after).toBeNull();
  const { earlier, later } = await visitor.newsletter.archived({ domain, slug: slugs[1]! });
  expect([later?.slug, earlier?.slug]).toEqual([slugs[0], slugs[2]]);
  // an address of before, with the time only
  const older = await visitor.newsletter.archive({ domain, after: `${clock.now.getTime() + 1}` });
  expect(older.items).toEqual(first.items);
  await expect(visitor.newsletter.archive({ domain, after: 'x' })).toFailWith('common.invalid');
});

test('a draft is on no page, and an edition that is left out of the archive only at its address', async () => {
  const { owner, id, read } = await sent();
  await draft(owner, { title: 'Secret plans' });
  const { revision } = await rowOf(id);
  await owner.api.editions.update({ id, revision, isInArchive: false });

  await expect(visitor.newsletter.archive({ domain: owner.domain })).toFailWith('newsletter.edition_not_found');
  expect(await read()).toMatchObject({ isInArchive: false });
});

test('an edition leads to those of the archive before and after it', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const slugs: string[] = [];
  for (const title of ['First', 'Hidden', 'Second', 'Third']) {
    const edition = await draft(owner, { title, isInArchive: title !== 'Hidden' });
    await owner.api.editions.send(edition as never);
    slugs.push((await rowOf(edition.id)).slug!);
    clock.now = new Date(clock.now.getTime() + 60_000);
  }
  const read = (slug: string) => visitor.newsletter.archived({ domain: owner.domain, slug });

  const [first, second] = [await read(slugs[0]!), await read(slugs[2]!)];

  expect(second).toMatchObject({ earlier: { title: 'First' }, later: { title: 'Third' } });
  expect(first).toMatchObject({ earlier: null, later: { title: 'Second', slug: slugs[2] } });
});

test('opens and clicks are counted without a recipient, and a click leads where the edition said', async () => {
  const content =
    '<p><a href="https://es.wikipedia.org/wiki/España?x=%20a">a</a> <a href="https://a.example/?t={{unsubscribe}}">b</a></p>';
  const { id, owner } = await sent({ content });

  await door.request(`/opened/${id}.gif`);
  const answers = await Promise.all([0, 1, 2].map((position) => door.request(`/clicked/${id}/${position}`)));
  await door.request(`/clicked/${id}/0`, { method: 'HEAD' });

  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
    [302, 'https://es.wikipedia.org/wiki/Espa%C3%B1a?x=%20a'],
    [302, 'https://a.example/?t=%7B%7Bunsubscribe%7D%7D'],
    [404, null],
  ]);
  expect((await owner.api.editions.get({ id })).counts).toMatchObject({
    opens: 1,
    links: [{ clicks: 1 }, { clicks: 1 }],
  });
  expect((await door.request('/opened/999999.gif')).status).toBe(200);
});

test('another creator’s episode has no card', async () => {
  const stranger = await make.creator();
  const show = await make.product(stranger, { name: 'Foreign show' });
  const episode = await make.draft(stranger, show, { name: 'Foreign' });
  const { read } = await sent({ content: `<p>Hi</p><div data-episode="${episode.id}"></div>` }).catch(() => ({
    read: null,
  }));

  // it can't even be sent
  expect(read).toBeNull();
});
