import type Stripe from 'stripe';
import { collect } from './collecting';
import { expireSession } from './completing';
import { letDisputePass } from './disputes';
import { dueOf } from './due';
import { finalize } from './invoicing';
import { idOf, type Kind, type Kinds } from './kinds';
import { arrive } from './payouts';
import { turn } from './renewing';
import { columns, type Row, type Sql } from './store';
import { openWork, type Setting, type Work } from './work';

/** So much simulated time is done in one go, in the order in which things fall due. */
const STRETCH = 86_400;
const REFERENCES = /"(?:cus|pm|di|in|inpay|pi)_[A-Za-z0-9]+"/g;

type Due = { work: Work; object: Kinds[Kind] };

/**
 * Lets happen what falls due until a moment, on one test clock or (null) on the sandbox's own. Each thing happens at
 * its own moment, and what it causes within the time is done too: a jump of months gives what months would have given.
 */
export async function advance(sql: Sql, clock: string | null, until: number, setting: Setting): Promise<number> {
  let done = 0;
  for (;;) {
    const whose = clock === null ? sql`clock is null` : sql`clock = ${clock}`;
    const [first] = await sql<{ due: string | null }[]>`
      select min(due) as due from sandbox_stripe.objects where due <= ${until} and ${whose}`;
    if (!first?.due) return done;
    const end = Math.min(until, Number(first.due) + STRETCH);
    const rows = await sql<Row[]>`
      select ${columns(sql)} from sandbox_stripe.objects where due <= ${end} and ${whose}`;
    done += await doStretch(sql, rows, end, setting);
  }
}

async function doStretch(sql: Sql, rows: Row[], end: number, setting: Setting): Promise<number> {
  const work = openWork(sql, rows[0]!.account, { ...setting, now: end });
  const waiting: Due[] = rows.map((row) => ({ work: work.on(row.account), object: work.hold(row).object }));
  await preload(work, rows);
  let done = 0;
  for (;;) {
    const next = earliest(waiting, end);
    if (!next) break;
    work.at(Math.max(next.due, 0));
    await happen(next.work, next.object);
    done += 1;
    await takeUpNew(next, waiting);
  }
  work.at(end);
  await work.flush();
  return done;
}

/** What the objects refer to, in two strides: a subscription's customer, then the customer's card. */
async function preload(work: Work, rows: Row[]): Promise<void> {
  const referred = rows.flatMap(({ text, hidden }) => `${text}${hidden}`.match(REFERENCES) ?? []);
  await work.load(referred.map((quoted) => quoted.slice(1, -1)));
  const customers = await Promise.all(
    referred.filter((ref) => ref.startsWith('"cus_')).map((ref) => work.get('customer', ref.slice(1, -1))),
  );
  const payments = await Promise.all(
    referred.filter((ref) => ref.startsWith('"inpay_')).map((ref) => work.get('invoice_payment', ref.slice(1, -1))),
  );
  const cards = customers.map((customer) => idOf(customer?.invoice_settings.default_payment_method));
  const intents = payments.map((payment) => idOf(payment?.payment.payment_intent));
  await work.load([...cards, ...intents].filter((id) => id !== null));
}

function earliest(waiting: Due[], end: number): (Due & { due: number }) | null {
  let found: (Due & { due: number }) | null = null;
  for (const { work, object } of waiting) {
    const due = dueOf(object, work.hidden(object));
    if (due !== null && due <= end && (found === null || due < found.due)) found = { work, object, due };
  }
  return found;
}

/** A renewal's invoice falls due within the hour. */
async function takeUpNew({ work, object }: Due, waiting: Due[]): Promise<void> {
  if (object.object !== 'subscription' || !object.latest_invoice) return;
  const invoice = await work.get('invoice', idOf(object.latest_invoice));
  if (invoice && !waiting.some((due) => due.object === invoice)) waiting.push({ work, object: invoice });
}

async function happen(work: Work, object: Kinds[Kind]): Promise<void> {
  switch (object.object) {
    case 'subscription':
      return turn(work, object);
    case 'invoice':
      return object.status === 'draft'
        ? advanceDraft(work, object)
        : void (await collect(work, object, { offSession: true }));
    case 'checkout.session':
      return expireSession(work, object);
    case 'payout':
      return arrive(work, object);
    case 'dispute':
      return letDisputePass(work, object);
    default:
      throw new Error(`nothing falls due for a ${object.object}`);
  }
}

async function advanceDraft(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const customer = await work.find('customer', idOf(invoice.customer) ?? '');
  await finalize(work, invoice, customer);
  if (invoice.status === 'open') await collect(work, invoice, { offSession: true });
}
