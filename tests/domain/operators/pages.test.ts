import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { operatorActions } from '~/db/schema/operators';
import { operatorCommands } from '~/server/admin/operator-commands';
import { totpCode, totpStepAt } from '~/server/auth/totp';
import { DAYS, earlier, later } from '~/server/base/time';
import { listOperations, recentOperations } from '~/server/domain/operators/queries';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { protect } from '../../support/second-factors';
import '../../support/matchers';

const { runtime, make, tom, clock } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'operator');
const admin = { ctx, env: {} as never, operator: { name: 'olga' } };
const run = (name: string, args: string[] = []) => operatorCommands[name]!.run(admin, args, {});
const emailOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0]!.email;

test('the operators’ pages are there for operators only, and open with a second factor of this session', async () => {
  const olga = await protect({ runtime, make });
  const { operators, accounts } = olga.api;
  await expect(operators.proof()).toFailWith('common.not_found');
  await expect(operators.books({})).toFailWith('common.not_found');

  await run('add', [await emailOf(olga.id)]);
  await run('add', [await emailOf(olga.id)]);

  expect(await operators.proof()).toBeNull();
  expect(await operators.books({})).toMatchObject({ last: null, differences: [], shows: [] });
  clock.now = later(clock.now, DAYS(1));
  expect(await operators.proof()).toBe('second_factor');
  await expect(operators.books({})).toFailWith('operator.second_factor_needed');
  await accounts.confirmIdentity({ code: totpCode(olga.secret, totpStepAt(clock.now)) });
  expect((await operators.books({ month: '2026-01' })).month).toBe('2026-01');
  await expect(operators.books({ month: '2026-1' })).rejects.toThrow();

  await run('remove', [await emailOf(olga.id)]);
  await expect(operators.books({})).toFailWith('common.not_found');
  const trail = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, `user/${olga.id}`))
    .orderBy(operatorActions.id);
  expect(trail.map(({ action, operator }) => `${operator} ${action}`)).toEqual([
    'olga operators.added',
    'olga operators.removed',
  ]);
});

test('an operator with a password only has to set a second factor up first', async () => {
  await run('add', [await emailOf(tom.id)]);

  expect(await tom.api.operators.proof()).toBe('set_up');
  await expect(tom.api.operators.books({})).toFailWith('operator.second_factor_needed');
  expect(await run('list')).toMatchObject([{ email: await emailOf(tom.id), addedBy: 'olga' }]);
  await expect(run('add', ['nobody@mail.example'])).rejects.toMatchObject({ code: 'operator.account_unknown' });
  await expect(run('add', ['nobody'])).rejects.toThrow('expected the email address');
});

test('the log is in order of time, whatever the order in which its rows were written', async () => {
  const days = [5, 1, 3];
  const rows = days.map((ago) => ({ operator: 'olga', action: `day.${ago}`, target: 'thing/1' }));
  await db.insert(operatorActions).values(rows.map((row, i) => ({ ...row, at: earlier(clock.now, DAYS(days[i]!)) })));

  const recent = (await recentOperations(ctx, 10)).filter(({ target }) => target === 'thing/1');
  const ofThing = await listOperations(ctx, 'thing/1');

  expect(recent.map(({ action }) => action)).toEqual(['day.1', 'day.3', 'day.5']);
  expect(ofThing.map(({ action }) => action)).toEqual(['day.5', 'day.3', 'day.1']);
});
