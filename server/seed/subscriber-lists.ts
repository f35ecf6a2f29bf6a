import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { DAYS, later } from '../base/time';
import { claimCopiedCustomers } from '../domain/moving/subscriber-imports/copied-customers';
import { latestSubscriberImport } from '../domain/moving/subscriber-imports/queries';
import { requestSubscriberImport } from '../domain/moving/subscriber-imports/request-import';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { upload } from './actions';
import type { DemoPerson } from './demo-types';
import type { DemoPayments } from './paying';

const CREATOR = 'lucia@altavoz.example';
const SHOW = 'noches-de-taller';
const MEMBERS = ['Aitana Sanz', 'Bea Molina', 'Carlos Ibáñez', 'Diego Prat'];
const PROBLEMS = [
  'old@listener.example,Una que se fue,,sub_Left1,4.00,eur,month,2026-01-01,cancelled,',
  'usd@listener.example,Someone Abroad,cus_Abroad1,,5.00,usd,month,2030-01-01,active,',
  'not an address,Sin correo,cus_Nobody1,,4.00,eur,month,2030-01-01,active,',
];
const COLUMNS = 'email,name,customer_id,subscription_id,price,currency,interval,current_period_end,status,feed_url';

/**
 * A list of another host's subscribers, whose report waits for its creator. Without simulated payments there is no
 * list.
 */
export async function seedSubscriberList(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  payments: DemoPayments | null,
): Promise<void> {
  const person = cast.find(({ email }) => email === CREATOR);
  if (!payments || !person) return;
  const ctx = await actAs(runtime, person);
  const [show] = await runtime.db.select().from(products).where(eq(products.slug, SHOW));
  if (!show || (await latestSubscriberImport(ctx, show))) return;
  const customers = await Promise.all(MEMBERS.map((name) => copyCustomer(ctx, name, payments)));
  await claimCopiedCustomers(ctx, { creatorId: requireCreator(ctx).creatorId, customers });
  const lines = MEMBERS.map((name, at) => {
    const renewsAt = later(runtime.now(), DAYS(5 + 4 * at)).toISOString();
    const feed = `https://feeds.oldhost.example/${emailOf(name)}.rss`;
    const interval = at === 3 ? '40.00,eur,year' : '4.00,eur,month';
    return [emailOf(name), name, customers[at], '', interval, renewsAt, 'active', feed].join(',');
  });
  const bytes = Buffer.from(`${[COLUMNS, ...lines, ...PROBLEMS].join('\n')}\n`);
  const file = { purpose: 'subscribers' as const, name: 'oldhost-members.csv', type: 'text/csv' };
  const subscribersKey = await upload(ctx, { ...file, bytes });
  await requestSubscriberImport(ctx, { id: show.id, kind: show.kind, subscribersKey });
}

const emailOf = (name: string) =>
  `${name.split(' ')[0]!.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')}@listener.example`;

/**
 * Creates a customer as the payment provider copies it from another account: with a card, and without an account here.
 */
async function copyCustomer(ctx: Ctx, name: string, { pay }: DemoPayments): Promise<string> {
  const { payments } = ctx.ports;
  const email = emailOf(name);
  const { id } = await payments.createCustomer({ email, name, language: 'es', reference: {} }, `demo/${email}`);
  const page = ctx.urls.app('/');
  const pages = { successUrl: page, cancelUrl: page, language: 'es' as const, reference: {} };
  const { url } = await payments.startCardSetup({ ...pages, customer: id }, `demo/${email}/card`);
  if (url) await pay(url);
  return id;
}
