import { finishConnecting, startConnecting } from '../domain/payouts/connect-account';
import * as schema from '../domain/payouts/schema';
import { viewSellerAccount } from '../domain/payouts/seller-account';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { DEMO_PASSWORD } from './cast';
import type { DemoPerson } from './demo-types';
import type { DemoPayments } from './paying';
import { seedSales } from './sales';

/** Connects accounts of creators, and sells there. Earlier sales stay on our account. */
export async function seedOwnAccounts(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  payments: DemoPayments | null,
): Promise<void> {
  if (!payments) return;
  for (const person of cast) if (person.sellsOnOwnAccount) await connectOwnAccount(runtime, person, payments);
  await seedSales(
    runtime,
    cast.map(({ buysOnOwnAccount: buys = [], ...person }) => ({ ...person, buys, invitedTo: [] })),
    payments,
  );
}

async function connectOwnAccount(runtime: Runtime, person: DemoPerson, payments: DemoPayments): Promise<void> {
  const owner = await actAs(runtime, person);
  if ((await viewSellerAccount(owner)).account) return;
  const { url } = await startConnecting(owner, schema.connectAccount.parse({ currentPassword: DEMO_PASSWORD }));
  const back = await payments.connect(url);
  await finishConnecting(owner, schema.finishConnecting.parse(Object.fromEntries(back.searchParams)));
}
