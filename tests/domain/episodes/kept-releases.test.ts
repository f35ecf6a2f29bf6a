import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { activity } from '~/db/schema/team';
import { DAYS, HOURS, later } from '~/server/base/time';
import { markEmailVerified } from '~/server/domain/accounts/logins/mark-verified';
import { queuePasswordReset } from '~/server/domain/accounts/logins/passwords';
import { queueEmailChange } from '~/server/domain/accounts/settings/email-change';
import { carryOutReleases } from '~/server/domain/episodes/carry-out-releases';
import { sendEmailChange, sendPasswordReset } from '~/server/queue/jobs/accounts';
import { releaseKept } from '~/server/queue/jobs/episodes';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, make, visitor, checkNewAudio } = await cast();
const { db } = runtime;

async function newcomer() {
  const creator = await make.creator();
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, creator.id));
  return { creator, show: await make.product(creator) };
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>;

const release = () => runJobs(runtime, releaseKept.name, (payload, ctx) => carryOutReleases(ctx, payload));
async function verify({ creator }: Newcomer) {
  await transact(systemCtx(runtime, 'test'), (tx) => markEmailVerified(tx, creator.id));
  await release();
}

async function tokenTo(address: string, topic: string): Promise<string> {
  const [email] = await db
    .select({ text: outbox.text })
    .from(outbox)
    .where(and(eq(outbox.to, address), eq(outbox.topic, topic)));
  return /token=(\S+)/.exec(email!.text)![1]!;
}

/** Ways to verify an address other than the link and the code that ask for it. */
const OTHER_WAYS = {
  'a new password by email': async ({ email }: Newcomer['creator']) => {
    await visitor.accounts.requestPasswordReset({ email });
    await runJobs(runtime, sendPasswordReset.name, (payload, ctx) => queuePasswordReset(ctx, payload));
    await visitor.accounts.resetPassword({
      token: await tokenTo(email, 'reset_password'),
      password: 'battery horse correct',
    });
  },
  'another address': async ({ email, api }: Newcomer['creator']) => {
    const fresh = 'fresh@mail.example';
    await api.accounts.requestEmailChange({ email: fresh });
    await runJobs(runtime, sendEmailChange.name, (payload, ctx) => queueEmailChange(ctx, payload));
    await visitor.accounts.confirmEmailChange({ token: await tokenTo(email, 'confirm_old_email'), side: 'old' });
    await api.accounts.confirmEmailChange({ token: await tokenTo(fresh, 'confirm_new_email'), side: 'new' });
  },
};

const statusOf = async ({ creator }: Newcomer, { id }: { id: number }) =>
  (await creator.api.episodes.forEditing({ id })).status;
const waitingFor = async ({ creator }: Newcomer) =>
  (await creator.api.episodes.keptReleases()).map(({ episodeId }) => episodeId);
const actionsOf = async ({ creator }: Newcomer) => {
  const rows = await db
    .select({ action: activity.action, userId: activity.userId })
    .from(activity)
    .where(eq(activity.creatorId, creator.creatorId))
    .orderBy(activity.id);
  return rows.filter(({ userId }) => userId === creator.id).map(({ action }) => action);
};

test('an episode that was to be published is published once the address is verified, and only once', async () => {
  const person = await newcomer();
  const episode = await make.draft(person.creator, person.show);
  await checkNewAudio();

  const before = { status: await statusOf(person, episode), waiting: await waitingFor(person) };
  await verify(person);
  const { api } = person.creator;
  await api.episodes.hold({ id: episode.id });
  await carryOutReleases(systemCtx(runtime, releaseKept.name), { userId: person.creator.id });

  expect(before).toEqual({ status: 'on_hold', waiting: [episode.id] });
  expect(await statusOf(person, episode)).toBe('on_hold');
  expect(await waitingFor(person)).toEqual([]);
  expect((await actionsOf(person)).filter((action) => action.startsWith('episode.'))).toEqual([
    'episode.created',
    'episode.release_kept',
    'episode.published',
    'episode.unpublished',
  ]);
});

test.each(Object.entries(OTHER_WAYS))(
  '%s verifies the address as well, and publishes what waited',
  async (_, verifyBy) => {
    const person = await newcomer();
    const episode = await make.draft(person.creator, person.show);
    await checkNewAudio();

    await verifyBy(person.creator);
    await release();

    const [published] = await db.select().from(episodes).where(eq(episodes.id, episode.id));
    expect(published!.status).toBe('published');
  },
);

test('an episode whose audio is still being checked is published after its check', async () => {
  const person = await newcomer();
  const episode = await make.draft(person.creator, person.show);

  await verify(person);
  expect(await statusOf(person, episode)).toBe('in_progress');
  await checkNewAudio();

  expect(await statusOf(person, episode)).toBe('published');
});

test('a kept time stays if it is in the future, and otherwise means now', async () => {
  const person = await newcomer();
  const at = (releaseDate: Date) => make.draft(person.creator, person.show, { releaseDate });
  const soon = await at(later(clock.now, HOURS(1)));
  const far = await make.draft(person.creator, person.show, {
    releaseDate: later(clock.now, DAYS(9)),
    name: 'Far',
  });
  await checkNewAudio();
  clock.now = later(clock.now, HOURS(2));
  await verify(person);

  expect(await statusOf(person, soon)).toBe('published');
  expect(await statusOf(person, far)).toBe('scheduled');
});

test('a press on Publish and the form of an episode wait, too; a draft chosen later does not', async () => {
  const person = await newcomer();
  const { api } = person.creator;
  const names = ['Pressed', 'Edited', 'Kept as draft', 'Deleted'];
  const [pressed, edited, draft, deleted] = await Promise.all(
    names.map((name) => make.draft(person.creator, person.show, { name, hold: true })),
  );
  await checkNewAudio();
  await api.episodes.release({ id: pressed!.id });
  await api.episodes.update({ id: edited!.id, kind: 'podcast', hold: false, name: 'Edited again' });
  for (const { id } of [draft!, deleted!]) await api.episodes.release({ id });
  await api.episodes.update({ id: draft!.id, kind: 'podcast', hold: true });
  await api.episodes.remove({ id: deleted!.id });
  await api.episodes.restore({ id: deleted!.id });

  expect((await waitingFor(person)).sort()).toEqual([pressed!.id, edited!.id].sort());
  await verify(person);

  expect(await statusOf(person, pressed!)).toBe('published');
  expect(await statusOf(person, edited!)).toBe('published');
  expect(await statusOf(person, draft!)).toBe('on_hold');
  expect(await statusOf(person, deleted!)).toBe('on_hold');
});

test('an episode that was published and unpublished by another member meanwhile stays as it is', async () => {
  const person = await newcomer();
  const { creator, show } = person;
  const episode = await make.draft(creator, show, { hold: true });
  await checkNewAudio();
  await creator.api.episodes.release({ id: episode.id });
  // as another member with a verified address would
  const verified = (emailVerifiedAt: Date | null) =>
    db.update(users).set({ emailVerifiedAt }).where(eq(users.id, creator.id));
  await verified(clock.now);
  await creator.api.episodes.release({ id: episode.id });
  clock.now = later(clock.now, HOURS(1));
  await creator.api.episodes.hold({ id: episode.id });
  await verified(null);

  expect(await waitingFor(person)).toEqual([]);
  await verify(person);

  expect(await statusOf(person, episode)).toBe('on_hold');
});

test('two jobs at once publish an episode once, and a rule that refuses it is shown', async () => {
  const person = await newcomer();
  const paid = await make.product(person.creator, { priceMinor: 500, name: 'Paid' });
  const first = await make.draft(person.creator, person.show, { hold: true });
  const refused = await make.draft(person.creator, paid, { hold: true, type: 'public' });
  await checkNewAudio();
  for (const { id } of [first, refused]) await person.creator.api.episodes.release({ id });
  await transact(systemCtx(runtime, 'test'), (tx) => markEmailVerified(tx, person.creator.id));

  const job = () => carryOutReleases(systemCtx(runtime, releaseKept.name), { userId: person.creator.id });
  await Promise.all([job(), job(), job()]);
  const shown = await person.creator.api.episodes.forEditing({ id: refused.id });

  expect((await actionsOf(person)).filter((action) => action === 'episode.published')).toHaveLength(1);
  expect(await statusOf(person, first)).toBe('published');
  expect(shown).toMatchObject({ status: 'on_hold', failureReason: 'episode.public_exceeds_private' });
});
