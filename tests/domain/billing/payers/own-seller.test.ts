import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { findMyReceipt, listMyReceipts } from '~/server/domain/billing/payers/receipts';
import { movingShop } from '../../../support/moving-shop';
import { showItem } from '../../../support/shop';

const { runtime, make, connect, newCreator, buy, settle, ctxOf } = await movingShop();
const { db } = runtime;

const ADDRESS = { billingName: 'Julia Ferrer', street: 'Calle Luna 3', postalCode: '08001', city: 'Barcelona' };

test('receipts of a creator who sells with their own account have the address that we know', async () => {
  const mover = await newCreator();
  await connect(mover);
  const buyer = await make.person();
  const own = ctxOf({ id: buyer.id, creatorId: null });
  await buy(showItem(mover.show, { userId: buyer.id }));
  await settle();
  const [{ id } = { id: 0 }] = (await listMyReceipts(own, { page: 1 })).items;

  const before = await findMyReceipt(own, { id });
  await mover.creator.api.accounts.updateBillingDetails({ ...ADDRESS, taxNumber: '' });
  const after = await findMyReceipt(own, { id });

  const address = 'Julia Ferrer\nCalle Luna 3\n08001 Barcelona\nSpain';
  expect(before.seller).toMatchObject({ name: 'Julia', address: null });
  expect(after.seller).toMatchObject({ name: 'Julia', address });
  await db
    .update(sales)
    .set({ sellerDetails: { address: null, vatNumber: 'ESB12345674' } })
    .where(eq(sales.id, id));
  expect((await findMyReceipt(own, { id })).seller).toMatchObject({ address, vatNumber: 'ESB12345674' });
  // later sales keep the address of their time
  await buy(showItem(await make.product(mover.creator, { name: 'Otras', priceMinor: 499 }), { userId: buyer.id }));
  await settle();
  await mover.creator.api.accounts.updateBillingDetails({ ...ADDRESS, street: 'Calle Sol 1', taxNumber: '' });
  const { items } = await listMyReceipts(own, { page: 1 });
  const later = items.find((item) => item.name === 'Otras')!;
  expect((await findMyReceipt(own, { id: later.id })).seller).toMatchObject({ address });
});
