import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { copiedCustomers } from '~/db/schema/moving';
import { operatorActions } from '~/db/schema/operators';
import { subscriberCommands } from '~/server/admin/subscriber-commands';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';

const { runtime, lucia, make } = await cast();
const admin = { ctx: systemCtx(runtime, 'operator'), env: {} as never, operator: { name: 'olga' } };
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-copies-'));
async function copied(domain: string, content: string) {
  const file = path.join(folder, 'copies.csv');
  await fs.writeFile(file, content);
  return subscriberCommands.copied!.run(admin, [domain, file], {});
}

test('copied customers are noted for one creator, once, and the trail says by whom', async () => {
  const other = await make.creator({ name: 'Julia' });
  await runtime.db
    .insert(copiedCustomers)
    .values({ providerId: 'cus_Other1', creatorId: other.creatorId, createdAt: runtime.now() });

  const list = 'old,new\r\ncus_Old1,cus_New1\r\ncus_New1,cus_Other1\r\n';
  expect(await copied('lucia', list)).toEqual([{ creator: 'lucia', customers: 3, noted: 2, ofOthers: 1 }]);
  expect(await copied('lucia', list)).toEqual([{ creator: 'lucia', customers: 3, noted: 2, ofOthers: 1 }]);

  expect(await runtime.db.$count(copiedCustomers, eq(copiedCustomers.creatorId, lucia.creatorId))).toBe(2);
  const actions = await runtime.db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, 'creator/lucia'))
    .orderBy(operatorActions.id);
  expect(actions).toMatchObject([{ operator: 'olga', action: 'subscribers.copied' }, {}]);
});

test.each([
  ['nobody', 'cus_New1', { code: 'payout.creator_unknown' }],
  ['lucia', 'email\na@b.example', { message: expect.stringContaining('no customer IDs') }],
  ['lucia', 'a\0b', { message: expect.stringContaining('no CSV') }],
])('for %s, %j is refused', async (domain, content, error) => {
  await expect(copied(domain, content)).rejects.toMatchObject(error);
});
