import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { affiliateLinks } from '~/db/schema/affiliates';
import { operatorActions } from '~/db/schema/operators';
import { members } from '~/db/schema/team';
import { affiliateCommands } from '~/server/admin/affiliate-commands';
import { affiliatePage } from '~/server/domain/affiliates/affiliate-page';
import { joinProgramme } from '~/server/domain/affiliates/join-programme';
import { noteReferral } from '~/server/domain/affiliates/note-referral';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, env, ctxOf, make } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'operator');
const run = (name: string, ...args: string[]) =>
  affiliateCommands[name]!.run({ ctx, env, operator: { name: 'olga' } }, args, {});

async function brought() {
  const [own, account] = [await make.creator(), await make.creator()];
  await joinProgramme(ctxOf(own));
  const [link] = await db.select().from(affiliateLinks).where(eq(affiliateLinks.creatorId, own.creatorId));
  const note = () => noteReferral(ctx, { userId: account.id, code: link!.code! });
  return { own, account, note };
}

test('an operator refuses an account that a link has brought, and takes it back', async () => {
  const { own, account, note } = await brought();
  await note();
  const line = (await run('list')).find(({ email }) => email === account.email);
  const id = String(line!.id);
  expect(line).toMatchObject({ refused: null, shares: 0 });

  await run('refuse', id);

  expect((await affiliatePage(ctxOf(own))).refused).toBe(1);
  expect(await run('list', 'refused')).toContainEqual({ ...line, refused: 'operator' });
  await expect(run('refuse', id)).rejects.toMatchObject({ code: 'affiliate.referral_refused' });

  await run('accept', id);

  expect((await affiliatePage(ctxOf(own))).refused).toBe(0);
  expect(await run('list', 'refused')).not.toContainEqual(expect.objectContaining({ id: line!.id }));
  await expect(run('accept', id)).rejects.toMatchObject({ code: 'affiliate.referral_not_refused' });
  const trail = await db
    .select({ action: operatorActions.action, operator: operatorActions.operator })
    .from(operatorActions)
    .where(eq(operatorActions.target, `referral/${id}`))
    .orderBy(operatorActions.id);
  expect(trail).toEqual(['refused', 'accepted'].map((step) => ({ action: `referrals.${step}`, operator: 'olga' })));
});

test('a refusal whose reason has ended can be taken back', async () => {
  const { own, account, note } = await brought();
  await db.insert(members).values({ creatorId: own.creatorId, userId: account.id, role: 'analyst' });
  await note();
  const line = (await run('list', 'refused')).find(({ email }) => email === account.email);
  expect(line).toMatchObject({ refused: 'same_team' });
  await db.delete(members).where(eq(members.userId, account.id));

  await run('accept', String(line!.id));

  expect((await affiliatePage(ctxOf(own))).total.signUps).toBe(1);
});

test.each([
  ['refuse', '999999'],
  ['accept', '999999'],
])('%s of an unknown account is an error', async (name, id) => {
  await expect(run(name, id)).rejects.toMatchObject({ code: 'affiliate.referral_not_found' });
});

test.each([
  ['list', 'all'],
  ['refuse', 'abc'],
  ['accept', ''],
])('%s %s is explained', async (name, arg) => {
  await expect(run(name, arg)).rejects.toThrow(/expected/);
});
