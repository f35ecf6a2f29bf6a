import { idOf, type Ref, subscriptionOf } from '../wire/objects';
import { dueAt } from './due-dates';
import { deleteRows, type NewRow, queueDeliveries, saveRows } from './store';
import { type AccountScope, emitUpdate, type Tracked, trackingKey, type UnitOfWork } from './unit-of-work';

/** Writes changed objects together with their events. */
export async function flushUnit(unit: UnitOfWork): Promise<void> {
  if (unit.isPreview) return;
  const rows: NewRow[] = [];
  for (const tracked of unit.tracked.values()) {
    const text = JSON.stringify(tracked.object);
    const hidden = JSON.stringify(tracked.hidden);
    if (tracked.stored === text + hidden) continue;
    emitUpdate(unit, tracked, text);
    rows.push(toRow(tracked, text, hidden));
    tracked.stored = text + hidden;
  }
  const events = unit.events.splice(0);
  await saveRows(unit.sql, [...rows, ...events.map(({ row }) => row)]);
  await queueDeliveries(
    unit.sql,
    events.map(({ row, type }) => ({ id: row.id, type, account: row.account })),
  );
}

export async function remove({ unit, account }: AccountScope, { id }: { id: string }): Promise<void> {
  await flushUnit(unit);
  unit.tracked.delete(trackingKey(account, id));
  await deleteRows(unit.sql, account, [id]);
}

function toRow({ account, object, hidden }: Tracked, text: string, hiddenText: string): NewRow {
  const fields = object as unknown as Record<string, unknown>;
  const ref = (name: string) => idOf((fields[name] ?? null) as Ref | null);
  const clock = typeof fields.test_clock === 'string' ? fields.test_clock : null;
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
    created: typeof fields.created === 'number' ? fields.created : 0,
    due: dueAt(object, hidden),
    clock: hidden.clock ?? clock,
    customer: ref('customer'),
    parent: parents.find((parent) => parent !== null) ?? null,
    data: text,
    hidden: hiddenText,
  };
}
