import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { members } from '~/db/schema/team';
import '../support/matchers';
import { cast } from '../support/cast';
import { lockWaits } from '../support/lock-waits';
import type { Creator } from '../support/make';

const { runtime, make, as } = await cast();
const { db } = runtime;

async function editorOf({ creatorId }: Creator) {
  const editor = await make.person();
  await db.insert(members).values({ creatorId, userId: editor.id, role: 'editor' });
  await runtime.sessions.workFor(editor.token, creatorId);
  return as({ token: editor.token }, 'web');
}

test('an editor stops no income and sends no donor elsewhere', async () => {
  const owner = await make.creator();
  await owner.api.creators.update({ acceptsDonations: true });
  const paid = await make.product(owner, { priceMinor: 500 });
  const free = await make.product(owner);
  const api = await editorOf(owner);
  const elsewhere = 'https://elsewhere.example/give';

  const attempts = [
    () => api.products.archive({ id: paid.id, kind: 'podcast' }),
    () => api.products.update({ id: free.id, kind: 'podcast', fundingUrl: elsewhere }),
    () => api.creators.update({ acceptsDonations: false }),
  ];
  for (const attempt of attempts) await expect(attempt()).toFailWith('common.role_not_allowed');

  await api.creators.update({ acceptsDonations: true, name: 'Lucía' });
  await owner.api.products.update({ id: free.id, kind: 'podcast', fundingUrl: elsewhere });
  await api.products.update({ id: free.id, kind: 'podcast', fundingUrl: elsewhere, name: 'Edited' });
  await api.products.archive({ id: free.id, kind: 'podcast' });
  await owner.api.products.archive({ id: paid.id, kind: 'podcast' });
  await api.products.unarchive({ id: paid.id, kind: 'podcast' });
});

test('an editor archives no show that gets a price meanwhile', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const api = await editorOf(owner);

  let archived: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.update(products).set({ priceMinor: 500 }).where(eq(products.id, show.id));
    archived = api.products.archive({ id: show.id, kind: 'podcast' });
    void archived.catch(() => {});
    await lockWaits(db);
  });

  await expect(archived).toFailWith('common.role_not_allowed');
});

test('an older form of an editor does not undo what the owner has switched meanwhile', async () => {
  const owner = await make.creator();
  const api = await editorOf(owner);

  let saved: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.update(creators).set({ acceptsDonations: true }).where(eq(creators.id, owner.creatorId));
    saved = api.creators.update({ acceptsDonations: false, name: 'Lucía' });
    void saved.catch(() => {});
    await lockWaits(db);
  });

  await expect(saved).toFailWith('common.role_not_allowed');
});
