import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { startProgress } from '~/server/domain/accounts/base/rules';
import '../../../support/matchers';
import { cast } from '../../../support/cast';

const { runtime, lucia, as, make } = await cast();

const NOTHING = { reason: null, hasPage: false, hasAbout: false, hasProduct: false, isShared: false };
const ALL = { reason: 'sell', hasPage: true, hasAbout: true, hasProduct: true, isShared: true };

test.each([
  ['a new user', NOTHING, 'reason', false],
  ['who claimed a page without the question', { ...NOTHING, hasPage: true }, 'about', false],
  ['who answered', { ...NOTHING, reason: 'sell' }, 'page', false],
  ['with a page', { ...NOTHING, reason: 'sell', hasPage: true }, 'about', false],
  ['with a show but no introduction', { ...ALL, hasAbout: false, isShared: false }, 'about', false],
  ['with all but the last step', { ...ALL, isShared: false }, 'share', false],
  ['who shared early', { ...ALL, hasAbout: false }, 'about', true],
  ['who has done everything', ALL, null, true],
  ['who came to listen', { ...NOTHING, reason: 'listen' }, 'page', true],
  ['who came to listen and then claimed a page', { ...NOTHING, reason: 'listen', hasPage: true }, 'about', false],
])('the next step for %s', (_, facts, next, isOver) => {
  expect(startProgress(facts)).toMatchObject({ next, isOver });
});

test.each([
  ['a new user', NOTHING, true],
  ['who came to listen', { ...NOTHING, reason: 'listen' }, true],
  ['who came to listen and then claimed a page', { ...NOTHING, reason: 'listen', hasPage: true }, false],
  ['who came to sell', { ...NOTHING, reason: 'sell' }, false],
  ['who never answered, but has a page', { ...NOTHING, hasPage: true }, false],
])('whether the account of %s is only for listening', (_, facts, isListener) => {
  expect(startProgress(facts).isListener).toBe(isListener);
});

test('the steps that have a screen are listed from the start', () => {
  const { steps } = startProgress(NOTHING);

  expect(steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
    'reason open',
    'page open',
    'about open',
    'product open',
    'share open',
  ]);
});

test('progress follows what the user does, in any order, and ends when the page is shared', async () => {
  const person = await make.person();
  await person.api.start.giveReason({ reason: 'sell' });
  await expect(person.api.start.markPageShared()).toFailWith('account.page_not_claimed');
  await person.api.creators.claim({ name: 'Ana', domain: 'ana-starts', birthDate: '1990-05-01' });
  const creator = await as(person);
  expect(await creator.start.progress()).toMatchObject({ next: 'about', isOver: false });

  await creator.creators.update({ aboutText: 'I read the weather aloud.' });
  expect(await creator.start.progress()).toMatchObject({ next: 'product' });
  await creator.products.create(await make.productInput(person));
  expect(await creator.start.progress()).toMatchObject({ next: 'share', isOver: false });
  await creator.start.markPageShared();
  const [first] = await runtime.db.select().from(users).where(eq(users.id, person.id));
  await creator.start.markPageShared();
  const [again] = await runtime.db.select().from(users).where(eq(users.id, person.id));

  expect(await creator.start.progress()).toMatchObject({ next: null, isOver: true, reason: 'sell' });
  expect(again!.pageSharedAt).toEqual(first!.pageSharedAt);
});

test('only publishing waits for a creator’s verified address', async () => {
  const creator = await make.creator();
  const isAbout = eq(users.id, creator.id);
  await runtime.db.update(users).set({ emailVerifiedAt: null }).where(isAbout);
  const show = await make.product(creator);
  const { id, kind } = await make.draft(creator, show, { hold: true });
  const batch = { productId: show.id, action: 'publish' as const, ids: [id] };

  await expect(creator.api.episodes.change(batch)).toFailWith('account.email_not_verified');
  await expect(make.draft(creator, show)).resolves.toMatchObject({ isHeld: true });
  await expect(creator.api.episodes.update({ id, kind, hold: false })).resolves.toMatchObject({ isHeld: true });
  await runtime.db.update(users).set({ emailVerifiedAt: runtime.now() }).where(isAbout);

  await expect(creator.api.episodes.update({ id, kind, hold: false })).resolves.toMatchObject({ isHeld: false });
});

test.each([
  ['Inés Prueba', { name: 'Inés Prueba', domain: 'ines-prueba' }],
  ['María de los Ángeles Ortega', { name: 'María de los Ángeles', domain: 'maria-de-los-angeles' }],
  ['Donaudampfschifffahrtsgesellschaft', { name: 'Donaudampfschifffahr', domain: 'donaudampfschifffahr' }],
  ['Admin', { name: 'Admin', domain: 'admin-2' }],
  ['Al', { name: 'Al', domain: 'al-2' }],
  ['لیلا', { name: 'لیلا', domain: '' }],
])('the page suggested to %s', async (name, page) => {
  const { api } = await make.person({ name });

  expect(await api.creators.suggestion()).toEqual(page);
});

test('a suggested domain is free', async () => {
  const { api } = await make.person({ name: lucia.domain });

  expect(await api.creators.suggestion()).toMatchObject({ domain: `${lucia.domain}-2` });
});
