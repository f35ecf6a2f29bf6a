import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions, users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { activity, invitations, members } from '~/db/schema/team';
import { hashToken } from '~/server/auth/token-hash';
import { DAYS, later } from '~/server/base/time';
import { leaveTeams, sweepActivity } from '~/server/domain/team/activity';
import { deleteInvitationsOf, sweepInvitations } from '~/server/domain/team/invite-member';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { cast } from '../support/cast';
import { lockWaits } from '../support/lock-waits';
import type { Creator, Person } from '../support/make';

const { runtime, lucia, ada, tom, visitor, make, as } = await cast();
const { db } = runtime;

/** The token of the valid invitation to an address. */
async function tokenFor(email: string): Promise<string> {
  const sent = await db
    .select({ text: outbox.text })
    .from(outbox)
    .where(eq(outbox.to, email))
    .orderBy(outbox.createdAt);
  const tokens = sent.flatMap(({ text }) => /invitation\?token=([\w-]+)/.exec(text)?.[1] ?? []);
  const [row] = await db.select().from(invitations).where(eq(invitations.email, email));
  return tokens.find((token) => hashToken(token) === row?.tokenHash)!;
}

/** A person who has accepted an invitation; their `api` works for the owner. */
async function member(owner: Creator, role: 'editor' | 'analyst' | 'finance' = 'editor'): Promise<Person> {
  const person = await make.person({ name: 'Marta' });
  await owner.api.team.invite({ email: person.email, role });
  await person.api.team.acceptInvitation({ token: await tokenFor(person.email) });
  return { ...person, api: await working(person, owner) };
}

/** Over REST, a token works for its own page; pages and tRPC work for the chosen page. */
async function working(person: { id: number; token: string }, owner: Creator) {
  await runtime.sessions.workFor(person.token, owner.creatorId);
  return as({ token: person.token }, 'web');
}

test('an invited person joins with a POST, at once, with a verified address', async () => {
  const owner = await make.creator();
  const person = await make.person({ name: 'Marta' });
  await owner.api.team.invite({ email: person.email, role: 'editor' });
  const token = await tokenFor(person.email);

  const offer = await visitor.team.invitation({ token });
  expect(offer).toEqual({ creator: 'Lucía', role: 'editor', email: person.email, isForUser: null });
  expect((await owner.api.team.get()).people).toHaveLength(1);
  await person.api.team.acceptInvitation({ token });

  expect((await owner.api.team.get()).people.map(({ name, role }) => [name, role])).toEqual([
    ['Lucía', 'owner'],
    ['Marta', 'editor'],
  ]);
  const [row] = await db.select().from(users).where(eq(users.id, person.id));
  expect(row?.emailVerifiedAt).not.toBeNull();
  expect((await working(person, owner).then((api) => api.accounts.me())).creator?.id).toBe(owner.creatorId);
});

test('a link works once, also for two at once, and for its address only', async () => {
  const owner = await make.creator();
  const person = await make.person();
  await owner.api.team.invite({ email: person.email, role: 'analyst' });
  const token = await tokenFor(person.email);

  await expect(tom.api.team.acceptInvitation({ token })).toFailWith('team.other_address');
  await expect(visitor.team.acceptInvitation({ token })).toFailWith('common.unauthenticated');
  expect((await tom.api.team.invitation({ token })).isForUser).toBe(false);
  const twice = await Promise.allSettled([1, 2].map(() => person.api.team.acceptInvitation({ token })));

  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(person.api.team.acceptInvitation({ token })).toFailWith('team.invitation_expired');
  expect(await db.$count(members, eq(members.userId, person.id))).toBe(1);
});

test('an invitation that is sent again while it is accepted leaves no open one, and no deadlock', async () => {
  const owner = await make.creator();
  const person = await make.person();
  await owner.api.team.invite({ email: person.email, role: 'editor' });
  const [row] = await db.select().from(invitations).where(eq(invitations.email, person.email));

  let sent: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.delete(invitations).where(eq(invitations.id, row!.id));
    sent = owner.api.team.resendInvitation({ id: row!.id });
    void sent.catch(() => {});
    await lockWaits(db);
    await tx.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role: 'editor' });
  });

  await expect(sent).toFailWith('team.already_member');
  expect(await db.$count(invitations, eq(invitations.email, person.email))).toBe(0);
});

test('guessed, replaced, revoked and expired links are equally worthless', async () => {
  const owner = await make.creator();
  const person = await make.person();
  const { email } = person;
  await owner.api.team.invite({ email, role: 'editor' });
  const first = await tokenFor(email);
  const {
    invitations: [pending],
  } = await owner.api.team.get();
  await owner.api.team.resendInvitation({ id: pending!.id });
  const second = await tokenFor(email);

  for (const token of ['guess', first]) {
    await expect(person.api.team.acceptInvitation({ token })).toFailWith('team.invitation_expired');
    await expect(visitor.team.invitation({ token })).toFailWith('team.invitation_expired');
  }
  await owner.api.team.revokeInvitation({ id: pending!.id });
  await expect(person.api.team.acceptInvitation({ token: second })).toFailWith('team.invitation_expired');
  await owner.api.team.invite({ email, role: 'editor' });
  const third = await tokenFor(email);
  await db.update(invitations).set({ expiresAt: runtime.now() }).where(eq(invitations.email, email));
  await expect(person.api.team.acceptInvitation({ token: third })).toFailWith('team.invitation_expired');
  await expect(visitor.team.invitation({ token: third })).toFailWith('team.invitation_expired');
  expect(await db.select().from(invitations).where(eq(invitations.tokenHash, third)).orderBy(invitations.id)).toEqual(
    [],
  );
});

test('the owner, members and too many people are not invited', async () => {
  const owner = await make.creator();
  const [row] = await db.select().from(users).where(eq(users.id, owner.id));
  const editor = await member(owner);

  await expect(owner.api.team.invite({ email: row!.email, role: 'editor' })).toFailWith('team.own_address');
  await expect(owner.api.team.invite({ email: editor.email, role: 'editor' })).toFailWith('team.already_member');
  await db.insert(invitations).values(
    Array.from({ length: 24 }, (_, i) => ({
      creatorId: owner.creatorId,
      email: `i${i}@mail.example`,
      role: 'analyst' as const,
      tokenHash: `${owner.id} ${i}`,
      invitedBy: owner.id,
      expiresAt: later(runtime.now(), DAYS(1)),
    })),
  );
  await expect(owner.api.team.invite({ email: 'more@mail.example', role: 'editor' })).toFailWith('team.full');
});

test('members do not change the team, and see no addresses', async () => {
  const owner = await make.creator();
  const editor = await member(owner);
  const other = await member(owner, 'analyst');
  const { api } = editor;

  const show = await make.product(owner);
  const attempts = [
    () => api.team.invite({ email: 'friend@mail.example', role: 'editor' }),
    () => api.team.changeRole({ userId: editor.id, role: 'finance' }),
    () => api.team.removeMember({ userId: other.id }),
    () => api.team.revokeInvitation({ id: 1 }),
    () => api.creators.update({ domain: 'stolen-domain' }),
    () => api.products.update({ id: show.id, kind: 'podcast', ownerEmail: editor.email }),
    () => api.products.retire({ id: show.id, kind: 'podcast' }),
  ];
  for (const attempt of attempts) await expect(attempt()).toFailWith('common.role_not_allowed');

  const seen = await api.team.get();
  expect(seen.people.map(({ email }) => email)).toEqual([null, null, null]);
  expect([seen.invitations, seen.canManage]).toEqual([[], false]);
});

test('another owner cannot touch a team, and the owner is no member', async () => {
  const owner = await make.creator();
  const editor = await member(owner);

  await expect(ada.api.team.changeRole({ userId: editor.id, role: 'finance' })).toFailWith('team.member_not_found');
  await expect(ada.api.team.removeMember({ userId: editor.id })).toFailWith('team.member_not_found');
  await expect(owner.api.team.removeMember({ userId: owner.id })).toFailWith('team.member_not_found');
  await expect(owner.api.team.leave()).toFailWith('team.owner_stays');
});

test('a removed member loses access with the next request, in every session', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const editor = await member(owner);
  await editor.api.products.update({ id: show.id, kind: 'podcast', name: 'Edited' });
  await owner.api.team.removeMember({ userId: editor.id });

  const after = await as({ token: editor.token }, 'web');
  await expect(after.products.update({ id: show.id, kind: 'podcast', name: 'Again' })).toFailWith(
    'common.not_authorized',
  );
  await expect(after.team.switch({ creatorId: owner.creatorId })).toFailWith('team.member_not_found');
  const sent = await db
    .select({ topic: outbox.topic })
    .from(outbox)
    .where(eq(outbox.to, editor.email))
    .orderBy(outbox.createdAt);
  expect(sent.map(({ topic }) => topic)).toContain('team_removed');
});

test('another role counts from the next request on, and the member is told', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const editor = await member(owner);
  await owner.api.team.changeRole({ userId: editor.id, role: 'analyst' });

  const after = await as({ token: editor.token }, 'web');
  expect((await after.accounts.me()).role).toBe('analyst');
  await expect(after.products.update({ id: show.id, kind: 'podcast', name: 'X' })).toFailWith(
    'common.role_not_allowed',
  );
});

test('members switch between pages; a token of the API always works for its own', async () => {
  const owner = await make.creator();
  const editor = await member(owner);
  const own = await editor.api.creators.claim({ name: 'Marta', domain: `m${editor.id}-page` });
  const atWeb = async () => (await as({ token: editor.token }, 'web')).accounts.me();

  expect((await atWeb()).creator?.id).toBe(own.id);
  const places = await (await as({ token: editor.token }, 'web')).team.workplaces();
  expect(places.map(({ name, role, isCurrent }) => [name, role, isCurrent])).toEqual([
    ['Marta', 'owner', true],
    ['Lucía', 'editor', false],
  ]);
  await editor.api.team.switch({ creatorId: owner.creatorId });
  expect((await atWeb()).creator?.id).toBe(owner.creatorId);
  const atRest = await (await as({ token: editor.token })).accounts.me();
  expect(atRest.creator?.id).toBe(own.id);
  await expect(editor.api.team.switch({ creatorId: lucia.creatorId })).toFailWith('team.member_not_found');
  await db.update(sessions).set({ worksFor: lucia.creatorId }).where(eq(sessions.userId, editor.id));
  runtime.sessions.forget();
  expect((await atWeb()).creator?.id).toBe(own.id);
});

test('a user who leaves is no longer a member', async () => {
  const owner = await make.creator();
  const editor = await member(owner, 'finance');
  await editor.api.team.leave();

  expect((await (await as({ token: editor.token }, 'web')).accounts.me()).role).toBe('owner');
  expect((await owner.api.team.get()).people).toHaveLength(1);
  expect((await owner.api.team.activity({})).items[0]).toMatchObject({ action: 'member.left' });
});

test('the log says who did what, for this creator only, of all or of one', async () => {
  const owner = await make.creator();
  const editor = await member(owner);
  const show = await editor.api.products.create(await make.productInput(editor, { name: 'Ondas' }));
  await editor.api.products.update({ id: show.id, kind: 'podcast', name: 'Ondas 2' });
  await owner.api.creators.update({ aboutTitle: 'About' });

  const { items, total } = await owner.api.team.activity({});
  const summary = items.map(({ action, person, params }) => [action, person?.name, params.name]);
  expect(summary).toEqual([
    ['page.updated', 'Lucía', undefined],
    ['product.updated', 'Marta', 'Ondas 2'],
    ['product.created', 'Marta', 'Ondas'],
    ['member.joined', 'Marta', 'Marta'],
    ['member.invited', 'Lucía', undefined],
  ]);
  expect(total).toBe(5);
  expect((await owner.api.team.activity({ userId: editor.id })).total).toBe(3);
  expect((await ada.api.team.activity({ userId: editor.id })).total).toBe(0);
  const finance = await member(owner, 'finance');
  await expect(finance.api.team.activity({})).toFailWith('common.role_not_allowed');
});

test('a change that fails leaves nothing in the log', async () => {
  const owner = await make.creator();
  const taken = await make.product(owner, { slug: 'taken' });
  const show = await make.product(owner, { slug: 'free' });

  await expect(owner.api.products.update({ id: show.id, kind: 'podcast', slug: taken.slug })).toFailWith(
    'product.slug_taken',
  );

  expect((await owner.api.team.activity({})).total).toBe(0);
});

test('a deleted account leaves its teams, and the log keeps its actions without a name', async () => {
  const owner = await make.creator();
  const editor = await member(owner);
  const show = await make.product(owner);
  await editor.api.products.update({ id: show.id, kind: 'podcast', name: 'Edited' });
  await owner.api.team.invite({ email: 'pending@mail.example', role: 'editor' });
  const ctx = systemCtx(runtime, 'test');

  await leaveTeams(ctx, { userId: editor.id });
  await deleteInvitationsOf(ctx, { userId: editor.id });
  expect((await owner.api.team.get()).people).toHaveLength(1);
  const { items } = await owner.api.team.activity({});
  expect(items.find(({ action }) => action === 'product.updated')?.person).toBeNull();
  expect(items.filter(({ action }) => action === 'member.joined')).toEqual([]);

  const second = await member(owner);
  await leaveTeams(ctx, { userId: owner.id });
  await deleteInvitationsOf(ctx, { userId: owner.id });
  expect(await db.$count(members, eq(members.userId, second.id))).toBe(0);
  expect(await db.$count(activity, eq(activity.creatorId, owner.creatorId))).toBe(0);
  expect(await db.$count(invitations, eq(invitations.creatorId, owner.creatorId))).toBe(0);
});

test('old entries and invitations are deleted', async () => {
  const owner = await make.creator();
  await owner.api.creators.update({ aboutTitle: 'About' });
  await owner.api.team.invite({ email: 'late@mail.example', role: 'editor' });
  const at = (days: number) => ({ ...systemCtx(runtime, 'team.sweep'), now: () => later(runtime.now(), DAYS(days)) });

  await sweepActivity(at(364));
  await sweepInvitations(at(13));
  expect((await owner.api.team.activity({})).total).toBe(2);
  expect((await owner.api.team.get()).invitations).toHaveLength(1);
  await sweepActivity(at(366));
  await sweepInvitations(at(15));
  expect((await owner.api.team.activity({})).total).toBe(0);
  expect((await owner.api.team.get()).invitations).toEqual([]);
});

test('the calendar has the month of the creator’s time zone, of all shows, without drafts and deleted episodes', async () => {
  const owner = await make.creator({ timeZone: 'America/Los_Angeles' });
  const [first, second] = [await make.product(owner), await make.product(owner, { kind: 'audio_series' })];
  const at = (text: string) => new Date(text);
  await make.episodes(first, 3, (i) => ({
    name: ['last of May', 'first of June', 'draft'][i]!,
    releaseAt: at(['2026-06-01T06:59:00Z', '2026-06-01T07:00:00Z', '2026-06-10T00:00:00Z'][i]!),
    status: i === 2 ? 'on_hold' : 'published',
  }));
  await make.episodes(second, 2, (i) => ({
    name: i ? 'deleted' : 'last of June',
    releaseAt: at('2026-07-01T06:59:00Z'),
    deletedAt: i ? runtime.now() : null,
  }));
  const finance = await member(owner, 'finance');

  const { releases, timeZone } = await owner.api.episodes.month({ month: '2026-06' });

  expect(releases.map(({ name, day }) => [name, day])).toEqual([
    ['first of June', '2026-06-01'],
    ['last of June', '2026-06-30'],
  ]);
  expect(timeZone).toBe('America/Los_Angeles');
  expect((await ada.api.episodes.month({ month: '2026-06' })).releases).toEqual([]);
  expect((await owner.api.episodes.month({ month: 'nonsense' })).month).toMatch(/^\d{4}-\d\d$/);
  await expect(finance.api.episodes.month({})).toFailWith('common.role_not_allowed');
});

test('the search finds the page’s shows and episodes by name, if the member’s role may read them', async () => {
  const owner = await make.creator();
  const show = await make.product(owner, { name: 'Sobre olas', archivedAt: runtime.now() });
  const gone = await make.product(owner, { name: 'Olas sin fin', retiredAt: runtime.now() });
  await make.episodes(show, 4, (i) => ({
    name: ['De olas y viento', 'Olas 100%', 'Olas borradas', 'Viento'][i]!,
    status: i === 0 ? 'on_hold' : 'published',
    deletedAt: i === 2 ? runtime.now() : null,
  }));
  await make.episodes(gone, 1, () => ({ name: 'Olas idas' }));
  const [analyst, finance] = [await member(owner, 'analyst'), await member(owner, 'finance')];
  const names = (found: { name: string }[]) => found.map(({ name }) => name);

  const found = await analyst.api.episodes.search({ search: '  OLAS ' });

  expect(names(found.episodes)).toEqual(['Olas 100%', 'De olas y viento']);
  expect(found.products).toMatchObject([{ name: 'Sobre olas', isArchived: true }]);
  expect(names((await owner.api.episodes.search({ search: '0%' })).episodes)).toEqual(['Olas 100%']);
  expect(names((await owner.api.episodes.search({ search: '_' })).episodes)).toEqual([]);
  const forFinance = await finance.api.episodes.search({ search: 'olas' });
  expect([names(forFinance.products), forFinance.episodes]).toEqual([['Sobre olas'], []]);
  expect(await ada.api.episodes.search({ search: 'olas' })).toEqual({ products: [], episodes: [] });
  await expect(tom.api.episodes.search({ search: 'olas' })).toFailWith('common.not_authorized');
  await expect(owner.api.episodes.search({ search: ' ' })).toFailWith('field.required');
});
