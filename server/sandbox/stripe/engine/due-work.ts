import { idOf, type Kind, type Kinds } from '../wire/objects';
import { type Work, workOn } from './account-work';
import { dueOf } from './due-dates';
import { columns, type Row, type Sql } from './store';
import { hold, newCore, type Setting } from './unit-of-work';

/** So much simulated time is done in one go, in the order in which things fall due. */
const STRETCH = 86_400;
/** Seconds until what failed is tried again, per failure; then it is given up. */
const PUT_OFF = [60, 600, 3600, 86_400];
const REFERENCES = /"(?:cus|pm|di|in|inpay|pi|prod)_[A-Za-z0-9]+"/g;

/** Does something whole or not at all: in a transaction of its own, or in a savepoint of the caller's. */
export type Whole = <T>(run: (sql: Sql) => Promise<T>) => Promise<T>;
/** What an object does when it falls due. */
type DueHandler<K extends Kind> = (work: Work, object: Kinds[K]) => void | Promise<void>;
export type DueHandlers = { [K in Kind]?: DueHandler<K> };
/** `clock`: the test clock to advance, or null for the sandbox's own time. */
export type Advance = { clock: string | null; until: number; setting: Setting; handlers: DueHandlers };
type DueRow = Row & { due: number; failures: number };
type Due = { work: Work; object: Kinds[Kind] };

/**
 * Lets happen what falls due until a moment. Each thing happens at its own moment, and what it causes within the time is
 * done too: a jump of months gives what months would have given. What fails is put off and keeps nothing else waiting.
 * @returns how many things happened
 */
export async function advance(whole: Whole, how: Advance): Promise<number> {
  let done = 0;
  for (;;) {
    const happened = await whole((sql) => doStretch(sql, how)).catch(() => doSingly(whole, how));
    if (happened === null) return done;
    done += happened;
  }
}

async function doStretch(sql: Sql, how: Advance): Promise<number | null> {
  const rows = await dueRows(sql, how, null);
  return rows.length === 0 ? null : letHappen(sql, rows, how, Number.POSITIVE_INFINITY);
}

/** One thing at a time, until the one is found that made a stretch fail. */
async function doSingly(whole: Whole, how: Advance): Promise<number | null> {
  for (let done = 0; ; done += 1) {
    const tried: DueRow[] = [];
    try {
      const happened = await whole(async (sql) => {
        tried.push(...(await dueRows(sql, how, 1)));
        return tried.length === 0 ? 0 : letHappen(sql, tried, how, 1);
      });
      if (happened === 0) return done;
    } catch (error) {
      const [broken] = tried;
      if (!broken) throw error;
      await whole((sql) => putOff(sql, broken, how, error));
      return done;
    }
  }
}

function dueRows(sql: Sql, { clock, until }: Advance, most: number | null): Promise<DueRow[]> {
  const waits = sql`
    ${clock === null ? sql`clock is null` : sql`clock = ${clock}`} and due <= ${until} and failures <= ${PUT_OFF.length}`;
  return sql<DueRow[]>`
    select ${columns(sql)}, due::float8 as due, failures from sandbox_stripe.objects
    where ${waits} and due <= ${STRETCH} + (select min(due) from sandbox_stripe.objects where ${waits})
    order by due, number limit ${most}`;
}

/** Later again, counted from the moment that time went to; after the last failure it waits to be changed or taken up. */
async function putOff(sql: Sql, { id, account, failures }: DueRow, how: Advance, err: unknown): Promise<void> {
  const { log } = how.setting;
  const wait = PUT_OFF[failures];
  await sql`
    update sandbox_stripe.objects set failures = failures + 1, due = ${how.until + (wait ?? 0)}
    where id = ${id} and account = ${account} and failures = ${failures}`;
  if (wait === undefined) log.error({ err, object: id }, 'the Stripe sandbox gave up on something that fell due');
  else log.warn({ err, object: id, wait }, 'something that fell due in the Stripe sandbox failed');
}

/** What was given up is due again. */
export async function takeUp(sql: Sql): Promise<void> {
  await sql`update sandbox_stripe.objects set failures = 0 where failures > ${PUT_OFF.length}`;
}

async function letHappen(
  sql: Sql,
  rows: DueRow[],
  { until, setting, handlers }: Advance,
  most: number,
): Promise<number> {
  const end = Math.min(until, rows[0]!.due + STRETCH);
  const core = newCore(sql, { ...setting, now: end, request: undefined });
  const waiting: Due[] = rows.map((row) => ({ work: workOn(core, row.account), object: hold(core, row).object }));
  const [{ work }] = waiting as [Due];
  await preload(work, rows);
  let done = 0;
  for (; done < most; done += 1) {
    const next = earliest(waiting, end);
    if (!next) break;
    core.now = Math.max(next.due, 0);
    await handle(handlers, next);
    await takeUpNew(next, waiting);
  }
  if (done === 0) throw new Error('something is due that knows nothing of it');
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

async function handle(handlers: DueHandlers, { work, object }: Due): Promise<void> {
  const handler = handlers[object.object] as DueHandler<Kind> | undefined;
  if (!handler) throw new Error(`no handler for a due ${object.object}`);
  await handler(work, object);
}
