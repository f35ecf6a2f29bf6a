import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators, domains } from '~/db/schema/creators';
import { describeProblem } from '~/server/base/problems';
import '../support/matchers';
import { cast } from '../support/cast';
import { lockWaits } from '../support/lock-waits';

const { runtime, lucia, as, visitor, make } = await cast();

test('claiming a domain makes the user a creator', async () => {
  const { api, token } = await make.person();

  await api.creators.claim({ name: 'Lucía', domain: 'Luciana', timeZone: 'Europe/Madrid' });

  const me = await (await as({ token })).accounts.me();
  expect(me).toMatchObject({
    type: 'creator',
    creator: { domain: 'luciana', timeZone: 'Europe/Madrid', url: 'http://staging-luciana.altavoz.localhost:3000/' },
    trial: { eligible: true, complete: false },
  });
  expect(me.trial.endsAt).toEqual(new Date('2026-03-16T09:00:00Z'));
});

test('an account has at most one creator page', async () => {
  const { api } = await make.creator();

  await expect(api.creators.claim({ name: 'Again', domain: 'again' })).toFailWith('creator.already_claimed');
});

test.each([
  [{ name: '', domain: 'fine' }, 'creator.name_required'],
  [{ name: 'A name of 21 letters!', domain: 'fine' }, 'field.too_long'],
  [{ name: 'Ana', domain: '' }, 'creator.domain_required'],
  [{ name: 'Ana', domain: 'a' }, 'creator.domain_invalid'],
  [{ name: 'Ana', domain: 'staging-app' }, 'creator.domain_reserved'],
])('claiming %j fails with %s', async (input, code) => {
  const { api } = await make.person();

  await expect(api.creators.claim(input)).toFailWith(code);
});

test('if two users claim a domain at once, one of them gets it', async () => {
  const [ana, bea] = await Promise.all([make.person(), make.person()]);
  const claim = { name: 'Both', domain: 'wanted' };

  const outcomes = await Promise.allSettled([ana.api.creators.claim(claim), bea.api.creators.claim(claim)]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(ana.api.creators.domainAvailability({ domain: 'other-one' })).resolves.toMatchObject({
    available: true,
  });
  await expect((await make.person()).api.creators.claim(claim)).toFailWith('creator.domain_taken');
});

test('two concurrent moves leave one current domain', async () => {
  const mover = await make.creator({ domain: 'before' });
  const own = eq(creators.id, mover.creatorId);
  let moves: Promise<unknown> | undefined;

  await runtime.db.transaction(async (tx) => {
    // both moves start before either can write
    await tx.select().from(creators).where(own).orderBy(creators.id).for('update');
    moves = Promise.allSettled(['left', 'right'].map((domain) => mover.api.creators.update({ domain })));
    await lockWaits(runtime.db, 2);
  });
  await moves;

  const ownDomains = await runtime.db
    .select()
    .from(domains)
    .where(eq(domains.creatorId, mover.creatorId))
    .orderBy(domains.domain);
  const [creator] = await runtime.db.select().from(creators).where(own);
  const currentOnes = ownDomains.filter(({ retiredAt }) => retiredAt === null);
  expect(currentOnes.map(({ domain }) => domain)).toEqual([creator!.domain]);
});

test('a former domain redirects permanently, and no other user can claim it', async () => {
  const mover = await make.creator({ domain: 'old-home' });
  await mover.api.creators.update({ domain: 'new-home' });

  expect(await visitor.pages.creator({ domain: 'old-home' })).toEqual({ moved: { domain: 'new-home' } });
  await expect((await make.person()).api.creators.claim({ name: 'X', domain: 'old-home' })).toFailWith(
    'creator.domain_taken',
  );
  await mover.api.creators.update({ domain: 'old-home' });
  expect(await visitor.pages.creator({ domain: 'new-home' })).toEqual({ moved: { domain: 'old-home' } });
});

test('a creator can have at most ten former domains, and can always go back to one of them', async () => {
  const { api, domain } = await make.creator();
  for (let i = 1; i <= 10; i += 1) await api.creators.update({ domain: `${domain}-${i}` });

  await expect(api.creators.update({ domain: `${domain}-11` })).toFailWith('creator.too_many_domains');

  await api.creators.update({ domain });
  expect(await visitor.pages.creator({ domain: `${domain}-10` })).toEqual({ moved: { domain } });
});

test('a creator can’t take another creator’s domain', async () => {
  const first = await make.creator();
  const second = await make.creator();

  await expect(first.api.creators.update({ domain: second.domain })).toFailWith('creator.domain_taken');
});

test('visitors can’t claim, and only creators can update a page', async () => {
  const listener = await make.person();

  await expect(visitor.creators.claim({ name: 'X', domain: 'visitor' })).toFailWith('common.unauthenticated');
  await expect(visitor.creators.mine()).toFailWith('common.unauthenticated');
  await expect(visitor.creators.domainAvailability({ domain: 'x' })).toFailWith('common.unauthenticated');
  await expect(listener.api.creators.update({ name: 'X' })).toFailWith('common.not_authorized');
  await expect(visitor.pages.creator({ domain: 'unclaimed' })).toFailWith('creator.not_found');
});

const testimonial = { text: 'Me alegra el lunes.', author: 'Una oyente', url: 'https://example.org/post' };
const link = { label: 'Mastodon', url: 'https://mastodon.example/@lucia' };

test('the page shows what its owner has written, and its version rises', async () => {
  const owner = await make.creator();
  const before = (await owner.api.creators.mine())!;
  expect(before.showNewsletter).toBe(false);
  const call = { ctaTitle: 'Ven', ctaText: 'Cada martes.', ctaButton: 'Reserva', ctaUrl: 'https://example.org/ven' };
  const after = await owner.api.creators.update({
    ...call,
    testimonials: [testimonial, { text: '', author: '', url: '' }],
    links: [link],
    username: '@lucia.f',
    showNewsletter: true,
    acceptsDonations: true,
    donationText: 'Para un micrófono.',
  });

  const page = await visitor.pages.creator({ domain: owner.domain });
  expect(page.moved === null && page.creator).toMatchObject({
    callToAction: { title: 'Ven', text: 'Cada martes.', button: { text: 'Reserva', url: 'https://example.org/ven' } },
    testimonials: [testimonial],
    links: [link],
    username: 'lucia.f',
  });
  expect(after.version).toBeGreaterThan(before.version);
  expect(after).toMatchObject({ showNewsletter: true, acceptsDonations: true, donationText: 'Para un micrófono.' });
  expect(page.moved === null && page.donation).toMatchObject({ text: 'Para un micrófono.' });
});

test.each([
  ['ctaUrl', 'javascript:alert(1)', 'ctaUrl'],
  ['ctaUrl', 'data:text/html,x', 'ctaUrl'],
  ['ctaText', 'x'.repeat(201), 'ctaText'],
  ['username', 'a b', 'username'],
  ['username', '<b>x</b>', 'username'],
  ['links', [link, { label: 'x', url: 'javascript:alert(1)' }], 'links.1.url'],
  ['links', [{ label: 'x', url: '' }], 'links.0.url'],
  ['links', Array(13).fill(link), 'links'],
  ['testimonials', [{ ...testimonial, author: '' }], 'testimonials.0.author'],
  ['testimonials', [{ ...testimonial, url: 'ftp://example.org' }], 'testimonials.0.url'],
  ['testimonials', Array(11).fill(testimonial), 'testimonials'],
])('a wrong %s is refused beside its field (%#)', async (name, value, field) => {
  const result = await lucia.api.creators.update({ [name]: value }).catch((error: unknown) => describeProblem(error));

  expect(result).toMatchObject({ kind: 'invalid', fields: { [field]: expect.anything() } });
});

test('a preview shows changes without storing them, of the own page only', async () => {
  const preview = await lucia.api.pages.creatorPreview({ name: 'Otra', links: [link], buttonColor: '#FFD400' });

  expect(preview.creator).toMatchObject({ id: lucia.creatorId, name: 'Otra', links: [link] });
  expect(await lucia.api.creators.mine()).toMatchObject({ links: [], name: 'Lucía' });
  await expect(visitor.pages.creatorPreview({ name: 'Otra' })).toFailWith('common.unauthenticated');
});
