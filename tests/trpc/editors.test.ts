import { expect, test } from 'vitest';
import { members } from '~/db/schema/team';
import '../support/matchers';
import { cast } from '../support/cast';

const { runtime, make, as } = await cast();

test('an editor stops no income and sends no donor elsewhere', async () => {
  const owner = await make.creator();
  await owner.api.creators.update({ acceptsDonations: true });
  const paid = await make.product(owner, { priceMinor: 500 });
  const free = await make.product(owner);
  const editor = await make.person();
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: editor.id, role: 'editor' });
  await runtime.sessions.workFor(editor.token, owner.creatorId);
  const api = await as({ token: editor.token }, 'web');
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
