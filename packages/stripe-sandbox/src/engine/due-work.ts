import { idOf, type Kind, type Kinds } from '../wire/objects';
import { type Work, workFor } from './account-work';
import { dueAt } from './due-dates';
import { isFreeFor } from './past';
import { type ObjectRow, objectColumns, type Sql } from './store';
import { newUnitOfWork, track, type WorkContext } from './unit-of-work';

/** How much simulated time one transaction covers. Objects are processed in the order in which they fall due. */
const SLICE = 86_400;
/** Seconds until the next retry, one per failure; after the last one the object is skipped. */
const RETRY_DELAYS = [60, 600, 3600, 86_400];
const REFERENCES = /"(?:cus|pm|di|in|inpay|pi|prod)_[A-Za-z0-9]+"/g;

/** Runs a function in a transaction, or in a savepoint of the caller's transaction. */
export type RunAtomically = <T>(run: (sql: Sql) => Promise<T>) => Promise<T>;
/** Processes an object that falls due. */
type DueHandler<K extends Kind> = (work: Work, object: Kinds[K]) => void | Promise<void>;
export type DueHandlers = { [K in Kind]?: DueHandler<K> };
/** `clock`: the test clock to advance, or null for the sandbox's own time. */
export type DueOptions = {
  clock: string | null;
  until: number;
  context: WorkContext;
  handlers: DueHandlers;
  /** This process; without it, no other process is waited for. */
  holder?: string;
};
type DueRow = ObjectRow & { due: number; failures: number };
type DueObject = { work: Work; object: Kinds[Kind] };

/**
 * Processes all objects that fall due until a moment, each at its own time, including objects that become due as a
 * result: a jump of months has the same result as waiting for months. Failed objects are postponed and do not block the
 * others.
 * @returns how many objects were processed
 */
export async function processDue(atomically: RunAtomically, options: DueOptions): Promise<number> {
  let total = 0;
  for (;;) {
    const processed = await atomically((sql) => processSlice(sql, options)).catch(() =>
      processOneByOne(atomically, options),
    );
    if (processed === null) return total;
    total += processed;
  }
}

async function processSlice(sql: Sql, options: DueOptions): Promise<number | null> {
  const rows = await dueRows(sql, options, null);
  return rows.length === 0 ? null : processRows(sql, rows, options, Number.POSITIVE_INFINITY);
}

/** Processes one object per transaction until it finds the one that failed the slice. */
async function processOneByOne(atomically: RunAtomically, options: DueOptions): Promise<number | null> {
  for (let done = 0; ; done += 1) {
    const attempted: DueRow[] = [];
    try {
      const processed = await atomically(async (sql) => {
        attempted.push(...(await dueRows(sql, options, 1)));
        return attempted.length === 0 ? 0 : processRows(sql, attempted, options, 1);
      });
      if (processed === 0) return done;
    } catch (error) {
      const [failed] = attempted;
      if (!failed) throw error;
      await atomically((sql) => postponeObject(sql, failed, options, error));
      return done;
    }
  }
}

function dueRows(sql: Sql, { clock, until, holder }: DueOptions, limit: number | null): Promise<DueRow[]> {
  const isDue = sql`
    ${clock === null ? sql`clock is null` : sql`clock = ${clock}`} and due <= ${until} and failures <= ${RETRY_DELAYS.length}`;
  return sql<DueRow[]>`
    select ${objectColumns(sql)}, due::float8 as due, failures from sandbox_stripe.objects
    where ${isDue} and ${holder === undefined ? sql`true` : isFreeFor(sql, holder)} and due <= ${SLICE} + (select min(due) from sandbox_stripe.objects where ${isDue})
    order by due, number limit ${limit}`;
}

/** Postpones a failed object. After the last retry it is skipped until it changes or its failures are reset. */
async function postponeObject(
  sql: Sql,
  { id, account, failures }: DueRow,
  options: DueOptions,
  err: unknown,
): Promise<void> {
  const { log } = options.context;
  const delay = RETRY_DELAYS[failures];
  await sql`
    update sandbox_stripe.objects set failures = failures + 1, due = ${options.until + (delay ?? 0)}
    where id = ${id} and account = ${account} and failures = ${failures}`;
  if (delay === undefined) log.error({ err, object: id }, 'Stripe sandbox gave up on a due object');
  else log.warn({ err, object: id, wait: delay }, 'Stripe sandbox failed to process a due object');
}

/** Makes objects due again that have used up their retries. */
export async function resetFailures(sql: Sql): Promise<void> {
  await sql`update sandbox_stripe.objects set failures = 0 where failures > ${RETRY_DELAYS.length}`;
}

async function processRows(
  sql: Sql,
  rows: DueRow[],
  { until, context, handlers }: DueOptions,
  limit: number,
): Promise<number> {
  const end = Math.min(until, rows[0]!.due + SLICE);
  const unit = newUnitOfWork(sql, { ...context, now: end, request: undefined });
  const queue: DueObject[] = rows.map((row) => ({
    work: workFor(unit, row.account),
    object: track(unit, row).object,
  }));
  const [{ work }] = queue as [DueObject];
  await preloadReferences(work, rows);
  let done = 0;
  for (; done < limit; done += 1) {
    const next = earliest(queue, end);
    if (!next) break;
    unit.now = Math.max(next.due, 0);
    await handle(handlers, next);
    await addRenewalInvoice(next, queue);
  }
  if (done === 0) throw new Error('an object was selected as due but has no due time');
  await work.flush();
  return done;
}

/** Loads referenced objects in two steps: a subscription's customer, then the customer's card. */
async function preloadReferences(work: Work, rows: ObjectRow[]): Promise<void> {
  const references = rows.flatMap(({ text, hidden }) => `${text}${hidden}`.match(REFERENCES) ?? []);
  await work.preload(references.map((quoted) => quoted.slice(1, -1)));
  const customers = await Promise.all(
    references.filter((ref) => ref.startsWith('"cus_')).map((ref) => work.get('customer', ref.slice(1, -1))),
  );
  const payments = await Promise.all(
    references.filter((ref) => ref.startsWith('"inpay_')).map((ref) => work.get('invoice_payment', ref.slice(1, -1))),
  );
  const cards = customers.map((customer) => idOf(customer?.invoice_settings.default_payment_method));
  const intents = payments.map((payment) => idOf(payment?.payment.payment_intent));
  await work.preload([...cards, ...intents].filter((id) => id !== null));
}

function earliest(queue: DueObject[], end: number): (DueObject & { due: number }) | null {
  let found: (DueObject & { due: number }) | null = null;
  for (const { work, object } of queue) {
    const due = dueAt(object, work.hidden(object));
    if (due !== null && due <= end && (found === null || due < found.due)) found = { work, object, due };
  }
  return found;
}

/** A renewal's invoice falls due an hour later, maybe in the same slice. */
async function addRenewalInvoice({ work, object }: DueObject, queue: DueObject[]): Promise<void> {
  if (object.object !== 'subscription' || !object.latest_invoice) return;
  const invoice = await work.get('invoice', idOf(object.latest_invoice));
  if (invoice && !queue.some((due) => due.object === invoice)) queue.push({ work, object: invoice });
}

async function handle(handlers: DueHandlers, { work, object }: DueObject): Promise<void> {
  const handler = handlers[object.object] as DueHandler<Kind> | undefined;
  if (!handler) throw new Error(`no handler for a due ${object.object}`);
  await handler(work, object);
}
