import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions } from '~/db/schema/accounts';
import '../support/matchers';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';

const { runtime, as, visitor, make } = await cast();
const logIn = ({ email }: { email: string }) => visitor.accounts.logIn({ email, password: PASSWORD });

test('the list names each device and country, marks this one, and shows the REST token as an app', async () => {
  const person = await make.person();
  await logIn(person);
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
  const { token } = await runtime.sessions.start(person.id, { channel: 'web', userAgent: agent, country: 'ES' });

  const list = await (await as({ token })).accounts.sessions();

  expect(list).toHaveLength(3);
  expect(list.find(({ isCurrent }) => isCurrent)).toMatchObject({
    channel: 'web',
    device: { browser: 'Firefox', system: 'Windows' },
    country: 'Spain',
  });
  expect(list.filter(({ channel }) => channel === 'rest')).toHaveLength(1);
});

test('one session can be ended, or all others; the current one stays', async () => {
  const person = await make.person();
  const [second, third] = [await logIn(person), await logIn(person)];
  const secondId = (await (await as(second)).accounts.sessions()).find(({ isCurrent }) => isCurrent)!.id;

  await person.api.accounts.endSession({ id: secondId });
  await expect((await as(second)).accounts.me()).toFailWith('common.unauthenticated');
  expect((await (await as(third)).accounts.me()).id).toBe(person.id);

  await person.api.accounts.endOtherSessions();
  await expect((await as(third)).accounts.me()).toFailWith('common.unauthenticated');
  expect(await person.api.accounts.sessions()).toHaveLength(1);
});

test('no user ends another user’s session', async () => {
  const [victim, attacker] = [await make.person(), await make.person()];
  const [session] = await victim.api.accounts.sessions();

  await attacker.api.accounts.endSession({ id: session!.id });
  await attacker.api.accounts.endOtherSessions();

  expect(await runtime.db.$count(sessions, eq(sessions.userId, victim.id))).toBe(1);
});
