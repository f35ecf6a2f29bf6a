import { asc, desc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm';
import { incidents, incidentUpdates } from '~/db/schema/status';
import { earlier } from '../../base/time';
import { INCIDENT_LIMITS as LIMITS } from '../../limits/status';
import { announceChange, type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { incidentIsResolved, incidentNotFound, incidentTime, tooManyIncidents, tooManyUpdates } from './errors';
import { firstShown } from './rules';
import type { IncidentText, OpenIncident, ResolveIncident } from './schema';

export type IncidentRow = typeof incidents.$inferSelect;
type UpdateRow = typeof incidentUpdates.$inferSelect;
/** An incident with its texts, the first one first. */
export type Incident = IncidentRow & { updates: UpdateRow[] };
type Step = { operator: Operator };

/** Incidents that are open, and then those that ended in the days that the status page shows; the newest first. */
export async function listIncidents({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<Incident[]> {
  const rows = await db
    .select()
    .from(incidents)
    .where(or(gte(incidents.resolvedAt, firstShown(now())), isNull(incidents.resolvedAt)))
    .orderBy(sql`${incidents.resolvedAt} is not null`, desc(incidents.startedAt), desc(incidents.id))
    .limit(LIMITS.listed);
  const ids = rows.map(({ id }) => id);
  const updates = await db
    .select()
    .from(incidentUpdates)
    .where(inArray(incidentUpdates.incidentId, ids))
    .orderBy(asc(incidentUpdates.id))
    .limit(LIMITS.listed * LIMITS.updates);
  return rows.map((row) => ({ ...row, updates: updates.filter(({ incidentId }) => incidentId === row.id) }));
}

/**
 * Shows an incident on the status page, with its first text.
 * @throws incident.time, incident.open_limit while as many others are open
 */
export function openIncident(ctx: Ctx, { operator, from, textEn, textEs, ...facts }: OpenIncident & Step) {
  const startedAt = from ?? ctx.now();
  if (startedAt > ctx.now() || startedAt < earlier(ctx.now(), LIMITS.backdated)) throw incidentTime();
  return transact(ctx, async (tx) => {
    const open = await tx.db
      .select({ id: incidents.id })
      .from(incidents)
      .where(isNull(incidents.resolvedAt))
      .limit(LIMITS.open);
    if (open.length === LIMITS.open) throw tooManyIncidents();
    const now = tx.now();
    const [row] = await tx.db
      .insert(incidents)
      .values({ ...facts, startedAt, createdBy: operator.name, createdAt: now, updatedAt: now })
      .returning({ id: incidents.id });
    const { id } = row!;
    await addText(tx, { operator, id, textEn, textEs });
    await record(tx, { operator, id, action: 'incidents.opened', details: { title: facts.titleEn } });
    return { id };
  });
}

type OfIncident = Step & { id: number };

/** Adds a text. @throws incident.not_found, incident.resolved, incident.text_limit */
export function updateIncident(ctx: Ctx, { operator, id, ...texts }: IncidentText & OfIncident): Promise<void> {
  return transact(ctx, async (tx) => {
    await lockOpen(tx, id);
    // the last one is left for the end
    if ((await countUpdates(tx, id)) >= LIMITS.updates - 1) throw tooManyUpdates();
    await addText(tx, { operator, id, ...texts });
    await tx.db.update(incidents).set({ updatedAt: tx.now() }).where(eq(incidents.id, id));
    await record(tx, { operator, id, action: 'incidents.updated', details: { text: texts.textEn } });
  });
}

/** Ends it with a last text. @throws incident.not_found, incident.resolved, incident.time */
export function resolveIncident(ctx: Ctx, { operator, id, at, ...texts }: ResolveIncident & OfIncident): Promise<void> {
  return transact(ctx, async (tx) => {
    const { startedAt } = await lockOpen(tx, id);
    const resolvedAt = at ?? tx.now();
    if (resolvedAt < startedAt || resolvedAt > tx.now()) throw incidentTime();
    await tx.db.update(incidents).set({ resolvedAt, updatedAt: tx.now() }).where(eq(incidents.id, id));
    await addText(tx, { operator, id, ...texts });
    await record(tx, { operator, id, action: 'incidents.resolved', details: { text: texts.textEn } });
  });
}

/** Deletes an incident that was written by mistake. @throws incident.not_found */
export function removeIncident(ctx: Ctx, { operator, id }: OfIncident): Promise<void> {
  return transact(ctx, async (tx) => {
    const [removed] = await tx.db.delete(incidents).where(eq(incidents.id, id)).returning({ title: incidents.titleEn });
    if (!removed) throw incidentNotFound();
    await record(tx, { operator, id, action: 'incidents.removed', details: removed });
  });
}

async function lockOpen(tx: TxCtx, id: number): Promise<IncidentRow> {
  const [row] = await tx.db.select().from(incidents).where(eq(incidents.id, id)).for('update');
  if (!row) throw incidentNotFound();
  if (row.resolvedAt) throw incidentIsResolved();
  return row;
}

const countUpdates = ({ db }: TxCtx, id: number) => db.$count(incidentUpdates, eq(incidentUpdates.incidentId, id));

/** Its time is when it was written, also if the incident began before. */
async function addText(tx: TxCtx, { operator, id, textEn, textEs }: OfIncident & IncidentText): Promise<void> {
  const text = { incidentId: id, textEn, textEs, at: tx.now(), createdBy: operator.name };
  await tx.db.insert(incidentUpdates).values(text);
}

type Recorded = OfIncident & { action: string; details: Record<string, string> };

/** In the audit trail; pages that show incidents are rendered again. */
async function record(tx: TxCtx, { operator, id, action, details }: Recorded): Promise<void> {
  await recordOperation(tx, operator, { action, target: `incident/${id}`, details });
  await announceChange(tx, 'status');
}
