import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { invitations, members } from '~/db/schema/team';
import { DAYS, later } from '~/server/base/time';
import { TEAM_LIMITS } from '~/server/limits/team';
import { cast } from '../support/cast';
import '../support/matchers';

const { runtime, make, clock, pauseAt } = await cast();
const { db } = runtime;

test('an account sends as many invitations a day as the limit, also when the last ones are sent at once', async () => {
  const owner = await make.creator();
  const invite = (name: string) => owner.api.team.invite({ email: `${name}@mail.example`, role: 'editor' });

  for (let sent = 0; sent < TEAM_LIMITS.emailsPerDay - 2; sent += 1) await invite(`a${sent}`);
  const last = await Promise.allSettled(['x', 'y', 'z'].map(invite));

  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(invite('late')).toFailWith('team.too_many_invitations');
  clock.now = later(clock.now, DAYS(1));
  await invite('late');
});

test('an invitation that is revoked while it is accepted gives nothing', async () => {
  const owner = await make.creator();
  const person = await make.person();
  await owner.api.team.invite({ email: person.email, role: 'editor' });
  const [{ text } = { text: '' }] = await db.select().from(outbox).where(eq(outbox.to, person.email));
  const token = /invitation\?token=([\w-]+)/.exec(text)![1]!;
  const [invitation] = await db.select().from(invitations).where(eq(invitations.email, person.email));
  const pause = pauseAt('invitation.found');
  const accepted = person.api.team.acceptInvitation({ token });
  await pause.reachedBy(accepted);
  await owner.api.team.revokeInvitation({ id: invitation!.id });

  pause.goOn();

  await expect(accepted).toFailWith('team.invitation_expired');
  expect(await db.$count(members, eq(members.userId, person.id))).toBe(0);
});

test('a person who is invited again joins with the role of the last invitation', async () => {
  const owner = await make.creator();
  const { email } = await make.person();
  await owner.api.team.invite({ email, role: 'editor' });

  await owner.api.team.invite({ email, role: 'analyst' });

  expect((await owner.api.team.get()).invitations).toMatchObject([{ email, role: 'analyst' }]);
});

test('an address gets three invitations a day, from all teams together', async () => {
  const email = `often${Math.random()}@mail.example`;
  const owners = await Promise.all([make.creator(), make.creator()]);
  for (const owner of [owners[0], owners[0], owners[1]]) await owner!.api.team.invite({ email, role: 'editor' });

  await expect(owners[1]!.api.team.invite({ email, role: 'editor' })).toFailWith('common.too_many_requests');
});

test('an account with an unverified address sends no invitations', async () => {
  const owner = await make.creator();
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, owner.id));

  await expect(owner.api.team.invite({ email: 'x@mail.example', role: 'editor' })).toFailWith(
    'account.email_not_verified',
  );
});
