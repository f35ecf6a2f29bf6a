import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import type { Component, Severity } from '../values/status';

/** What the installation found out about its components, once per slot of some minutes. A slot without rows is a gap. */
export const statusChecks = pgTable(
  'status_checks',
  {
    component: text('component').$type<Component>().notNull(),
    /** The beginning of the slot. */
    slot: instant('slot').notNull(),
    isOk: boolean('is_ok').notNull(),
    /** How long the answer took, or how late the oldest job is; null if nothing was measured. */
    ms: integer('ms'),
  },
  (t) => [primaryKey({ columns: [t.component, t.slot] }), index('status_checks_by_slot').on(t.slot)],
);

/** What operators write about failures, for the status page. */
export const incidents = pgTable(
  'incidents',
  {
    id: id(),
    titleEn: text('title_en').notNull(),
    titleEs: text('title_es').notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    components: text('components').array().$type<Component[]>().notNull(),
    startedAt: instant('started_at').notNull(),
    resolvedAt: instant('resolved_at'),
    createdBy: text('created_by').notNull(),
    ...timestamps(),
  },
  (t) => [
    index('incidents_by_start').on(t.startedAt),
    index('incidents_open').on(t.id).where(sql`${t.resolvedAt} is null`),
    check('incidents_severity', sql`${t.severity} in ('minor', 'major')`),
    check('incidents_time', sql`${t.resolvedAt} >= ${t.startedAt}`),
  ],
);

/** The texts of an incident in their order, the first one with its beginning. */
export const incidentUpdates = pgTable(
  'incident_updates',
  {
    id: id(),
    incidentId: ref('incident_id')
      .notNull()
      .references(() => incidents.id, { onDelete: 'cascade' }),
    textEn: text('text_en').notNull(),
    textEs: text('text_es').notNull(),
    at: instant('at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (t) => [index('incident_updates_of_incident').on(t.incidentId, t.id)],
);
