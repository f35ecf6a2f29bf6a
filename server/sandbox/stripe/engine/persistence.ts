import { idOf, type Ref, subscriptionOf } from '../wire/objects';
import { dueOf } from './due-dates';
import { dropRows, queueDeliveries, type Saved, saveRows } from './store';
import { type Core, type Entry, keyOf, type Seat, tellChange } from './unit-of-work';

/** Writes what changed, with the events that tell of it. */
export async function flush(core: Core): Promise<void> {
  if (core.rehearsal) return;
  const rows: Saved[] = [];
  for (const entry of core.entries.values()) {
    const text = JSON.stringify(entry.object);
    const hidden = JSON.stringify(entry.hidden);
    if (entry.stored === text + hidden) continue;
    tellChange(core, entry, text);
    rows.push(savedRow(entry, text, hidden));
    entry.stored = text + hidden;
  }
  const events = core.events.splice(0);
  await saveRows(core.sql, [...rows, ...events.map(({ row }) => row)]);
  await queueDeliveries(
    core.sql,
    events.map(({ row, type }) => ({ id: row.id, type, account: row.account })),
  );
}

export async function remove({ core, account }: Seat, { id }: { id: string }): Promise<void> {
  await flush(core);
  core.entries.delete(keyOf(account, id));
  await dropRows(core.sql, account, [id]);
}

function savedRow({ account, object, hidden }: Entry, text: string, hiddenText: string): Saved {
  const it = object as unknown as Record<string, unknown>;
  const ref = (name: string) => idOf((it[name] ?? null) as Ref | null);
  const clock = typeof it.test_clock === 'string' ? it.test_clock : null;
  const parents = [
    hidden.invoice ?? null,
    ref('invoice'),
    object.object === 'invoice' ? subscriptionOf(object) : null,
    ref('payment_intent'),
    ref('charge'),
    ref('source'),
  ];
  return {
    account,
    id: object.id,
    kind: object.object,
    created: typeof it.created === 'number' ? it.created : 0,
    due: dueOf(object, hidden),
    clock: hidden.clock ?? clock,
    customer: ref('customer'),
    parent: parents.find((parent) => parent !== null) ?? null,
    data: text,
    hidden: hiddenText,
  };
}
