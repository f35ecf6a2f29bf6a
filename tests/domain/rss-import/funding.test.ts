import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { products } from '~/db/schema/products';
import { members } from '~/db/schema/team';
import { cast } from '../../support/cast';
import { feedOrigin, importTokenFor, settleImport } from '../../support/feed-origin';

const { runtime, make, as, visitor } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const { db } = runtime;
const origin = await feedOrigin();
afterAll(() => origin.close());

test('only an import that the owner requests sets the link for donations of a feed', async () => {
  const owner = await make.creator();
  const editor = await make.person();
  await db.update(users).set({ emailVerifiedAt: runtime.now() }).where(eq(users.id, editor.id));
  await db.insert(members).values({ creatorId: owner.creatorId, userId: editor.id, role: 'editor' });
  await runtime.sessions.workFor(editor.token, owner.creatorId);
  const editing = await as({ token: editor.token }, 'web');

  async function fundingAfter({ imports }: typeof editing, path: string) {
    origin.channel = `<podcast:funding url="https://give.example/${path}">Give</podcast:funding>`;
    const { id } = await imports.request({ url: origin.feedUrl() });
    await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner!), action: 'confirm' });
    await settleImport(runtime, id);
    const { productId } = await imports.get({ id });
    await imports.acknowledge({ id });
    const [show] = await db.select().from(products).where(eq(products.id, productId!));
    return show!.fundingUrl;
  }

  Object.assign(origin, { items: [{}], owner: 'first@origin.example' });
  expect(await fundingAfter(editing, 'editor')).toBeNull();
  origin.owner = 'second@origin.example';
  expect(await fundingAfter(owner.api, 'owner')).toBe('https://give.example/owner');
  origin.owner = 'third@origin.example';
  expect(await fundingAfter(editing, 'again')).toBe('https://give.example/owner');
});
