import { idOf, type Kind, type Kinds } from '../wire/objects';
import { type Work, workFor } from './account-work';
import { dueAt } from './due-dates';
import { objectColumns, type Row, type Sql } from './store';
import { newUnitOfWork, track, type WorkContext } from './unit-of-work';

/** How much simulated time one transaction covers. Objects are processed in the order in which they fall due. */
const SLICE = 86_400;
/** Seconds until the next retry, one per failure; after the last one the object is skipped. */
const RETRY_DELAYS = [60, 600, 3600, 86_400];
const REFERENCES = /"(?:cus|pm|di|in|inpay|pi|prod)_[A-Za-z0-9]+"/g;

/** Runs a function in a transaction, or in a savepoint of the caller's transaction. */
export type RunAtomically = <T>(run: (sql: Sql) => Promise<T>) => Promise<T>;
/** What an object does when it falls due. */
type DueHandler<K extends Kind> = (work: Work, object: Kinds[K]) => void | Promise<void>;
export type DueHandlers = { [K in Kind]?: DueHandler<K> };
/** `clock`: the test clock to advance, or null for the sandbox's own time. */
export type DueOptions = { clock: string | null; until: number; context: WorkContext; handlers: DueHandlers };
type DueRow = Row & { due: number; failures: number };
type DueObject = { work: Work; object: Kinds[Kind] };

/**
 * Processes everything that falls due until a moment, each object at its own time, including what that causes in turn: a
 * jump of months has the same result as waiting for months. Failed objects are postponed and do not block the others.
 * @returns how many objects were processed
 */
export async function processDue(whole: RunAtomically, how: DueOptions): Promise<number> {
  let done = 0;
  for (;;) {
    const happened = await whole((sql) => processSlice(sql, how)).catch(() => processOneByOne(whole, how));
    if (happened === null) return done;
    done += happened;
  }
}

async function processSlice(sql: Sql, how: DueOptions): Promise<number | null> {
  const rows = await dueRows(sql, how, null);
  return rows.length === 0 ? null : processRows(sql, rows, how, Number.POSITIVE_INFINITY);
}

/** Processes one object per transaction until it finds the one that failed the slice. */
async function processOneByOne(whole: RunAtomically, how: DueOptions): Promise<number | null> {
  for (let done = 0; ; done += 1) {
    const tried: DueRow[] = [];
    try {
      const happened = await whole(async (sql) => {
        tried.push(...(await dueRows(sql, how, 1)));
        return tried.length === 0 ? 0 : processRows(sql, tried, how, 1);
      });
      if (happened === 0) return done;
    } catch (error) {
      const [broken] = tried;
      if (!broken) throw error;
      await whole((sql) => postpone(sql, broken, how, error));
      return done;
    }
  }
}

function dueRows(sql: Sql, { clock, until }: DueOptions, most: number | null): Promise<DueRow[]> {
  const waits = sql`
    ${clock === null ? sql`clock is null` : sql`clock = ${clock}`} and due <= ${until} and failures <= ${RETRY_DELAYS.length}`;
  return sql<DueRow[]>`
    select ${objectColumns(sql)}, due::float8 as due, failures from sandbox_stripe.objects
    where ${waits} and due <= ${SLICE} + (select min(due) from sandbox_stripe.objects where ${waits})
    order by due, number limit ${most}`;
}

/** Postpones a failed object. After the last retry it waits until it is changed or its failures are reset. */
async function postpone(sql: Sql, { id, account, failures }: DueRow, how: DueOptions, err: unknown): Promise<void> {
  const { log } = how.context;
  const wait = RETRY_DELAYS[failures];
  await sql`
    update sandbox_stripe.objects set failures = failures + 1, due = ${how.until + (wait ?? 0)}
    where id = ${id} and account = ${account} and failures = ${failures}`;
  if (wait === undefined) log.error({ err, object: id }, 'the Stripe sandbox gave up on something that fell due');
  else log.warn({ err, object: id, wait }, 'something that fell due in the Stripe sandbox failed');
}

/** Makes objects due again that have used up their retries. */
export async function resetFailures(sql: Sql): Promise<void> {
  await sql`update sandbox_stripe.objects set failures = 0 where failures > ${RETRY_DELAYS.length}`;
}

async function processRows(
  sql: Sql,
  rows: DueRow[],
  { until, context, handlers }: DueOptions,
  most: number,
): Promise<number> {
  const end = Math.min(until, rows[0]!.due + SLICE);
  const unit = newUnitOfWork(sql, { ...context, now: end, request: undefined });
  const waiting: DueObject[] = rows.map((row) => ({
    work: workFor(unit, row.account),
    object: track(unit, row).object,
  }));
  const [{ work }] = waiting as [DueObject];
  await preloadReferences(work, rows);
  let done = 0;
  for (; done < most; done += 1) {
    const next = earliest(waiting, end);
    if (!next) break;
    unit.now = Math.max(next.due, 0);
    await handle(handlers, next);
    await addRenewalInvoice(next, waiting);
  }
  if (done === 0) throw new Error('something is due that knows nothing of it');
  await work.flush();
  return done;
}

/** Loads referenced objects in two steps: a subscription's customer, then the customer's card. */
async function preloadReferences(work: Work, rows: Row[]): Promise<void> {
  const referred = rows.flatMap(({ text, hidden }) => `${text}${hidden}`.match(REFERENCES) ?? []);
  await work.preload(referred.map((quoted) => quoted.slice(1, -1)));
  const customers = await Promise.all(
    referred.filter((ref) => ref.startsWith('"cus_')).map((ref) => work.get('customer', ref.slice(1, -1))),
  );
  const payments = await Promise.all(
    referred.filter((ref) => ref.startsWith('"inpay_')).map((ref) => work.get('invoice_payment', ref.slice(1, -1))),
  );
  const cards = customers.map((customer) => idOf(customer?.invoice_settings.default_payment_method));
  const intents = payments.map((payment) => idOf(payment?.payment.payment_intent));
  await work.preload([...cards, ...intents].filter((id) => id !== null));
}

function earliest(waiting: DueObject[], end: number): (DueObject & { due: number }) | null {
  let found: (DueObject & { due: number }) | null = null;
  for (const { work, object } of waiting) {
    const due = dueAt(object, work.hidden(object));
    if (due !== null && due <= end && (found === null || due < found.due)) found = { work, object, due };
  }
  return found;
}

/** A renewal's invoice falls due an hour later, maybe in the same slice. */
async function addRenewalInvoice({ work, object }: DueObject, waiting: DueObject[]): Promise<void> {
  if (object.object !== 'subscription' || !object.latest_invoice) return;
  const invoice = await work.get('invoice', idOf(object.latest_invoice));
  if (invoice && !waiting.some((due) => due.object === invoice)) waiting.push({ work, object: invoice });
}

async function handle(handlers: DueHandlers, { work, object }: DueObject): Promise<void> {
  const handler = handlers[object.object] as DueHandler<Kind> | undefined;
  if (!handler) throw new Error(`no handler for a due ${object.object}`);
  await handler(work, object);
}
