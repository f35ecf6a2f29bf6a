import { hash } from 'node:crypto';
import { and, asc, inArray, type SQL, sql } from 'drizzle-orm';
import { episodeMonths, listeningDays } from '~/db/schema/listening';
import { listeningMonths } from '~/db/schema/listening-months';
import type {
  EpisodeHourSum,
  EpisodeValueSum,
  FormerSums,
  Measure,
  PlayStore,
  SlotSum,
  ValueSum,
} from '../../adapters/statistics/port';
import { STATISTICS_STORE_LIMITS } from '../../limits/statistics-store';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { noStatisticsStore } from './errors';
import { monthOf } from './rollups';

type Day = typeof listeningDays.$inferSelect;
type Month = typeof episodeMonths.$inferSelect;

/** Rows whose sums are in the store now. */
export type Moved = { days: number; months: number };

/**
 * Moves the times and values of former plays to the store beside Postgres, which keeps the plain sums. Rows that are not
 * moved yet are known by their contents, so it may be stopped and started at any time. A row is emptied in the
 * transaction in which its sums are sent, and sums that are sent again have the same key, so the store adds them once.
 * Run it when all processes know the store: none of them adds to these rows then. @throws listening.no_store
 */
export async function moveHistory(ctx: Ctx, { operator }: { operator: Operator }): Promise<Moved> {
  const { store } = ctx.ports.statistics;
  if (store === null) throw noStatisticsStore();
  const days = await moveAll(ctx, (tx) => moveDays(tx, store));
  const months = await moveAll(ctx, (tx) => moveMonths(tx, store));
  const details = { days, months };
  await transact(ctx, (tx) =>
    recordOperation(tx, operator, { action: 'statistics.moved', target: 'statistics', details }),
  );
  return details;
}

/** @param movePart moves some rows and returns their number; none is left if it moves none */
async function moveAll(ctx: Ctx, movePart: (tx: TxCtx) => Promise<number>): Promise<number> {
  let moved = 0;
  for (let part = 1; part > 0; moved += part)
    part = await transact(ctx, async (tx) => {
      const rows = await movePart(tx);
      await ctx.reach('statistics.moved');
      return rows;
    });
  return moved;
}

const LETTERS = { l: 'listens', d: 'downloads', p: 'playerDownloads' } as const satisfies Record<Measure, keyof Day>;
const MEASURES = Object.keys(LETTERS) as Measure[];

/** Times, values, or plays without a time that are still here. */
const isHere = sql`
  (${listeningDays.slots} <> '{}' or ${listeningDays.dimensions} <> '{}' or ${listeningDays.pairs} <> '{}'
    or ${sql.join(
      MEASURES.map((letter) => sql`${listeningDays[LETTERS[letter]]} > ${elsewhereOf(letter)}`),
      sql` or `,
    )})`;

function elsewhereOf(letter: Measure): SQL {
  return sql`coalesce((${listeningDays.elsewhere} ->> ${sql.raw(`'${letter}'`)})::int, 0)`;
}

async function moveDays(tx: TxCtx, store: PlayStore): Promise<number> {
  const { creatorId, productId, day } = listeningDays;
  const rows = await tx.db
    .select()
    .from(listeningDays)
    .where(isHere)
    .orderBy(asc(creatorId), asc(productId), asc(day))
    .limit(STATISTICS_STORE_LIMITS.movedDays)
    .for('update');
  if (rows.length === 0) return 0;
  await send(store, {
    slots: rows.flatMap(slotsOf),
    values: rows.flatMap(valuesOf),
    episodeHours: [],
    episodeValues: [],
  });
  const all = sql`jsonb_strip_nulls(jsonb_build_object(
    ${sql.join(
      MEASURES.map((letter) => sql`${sql.raw(`'${letter}'`)}, nullif(${listeningDays[LETTERS[letter]]}, 0)`),
      sql`, `,
    )}))`;
  await tx.db
    .update(listeningDays)
    .set({ slots: {}, dimensions: {}, pairs: {}, elsewhere: all })
    .where(
      and(
        inArray(creatorId, [...new Set(rows.map((row) => row.creatorId))]),
        sql`(${creatorId}, ${productId}, ${day}) in (${sql.join(
          rows.map((row) => sql`(${row.creatorId}, ${row.productId}, ${row.day}::date)`),
          sql`, `,
        )})`,
      ),
    );
  await deleteMonths(tx, rows);
  return rows.length;
}

/** The sums of months are not moved: the store has those of their days. */
async function deleteMonths(tx: TxCtx, rows: Day[]): Promise<void> {
  const { creatorId, productId, month } = listeningMonths;
  const keys = rows.map((row) => sql`(${row.creatorId}, ${row.productId}, ${monthOf(sql`${row.day}::date`)})`);
  await tx.db
    .delete(listeningMonths)
    .where(sql`(${creatorId}, ${productId}, ${month}) in (${sql.join(keys, sql`, `)})`);
}

const ofDay = ({ creatorId: creator_id, productId: product_id, day }: Day) => ({ creator_id, product_id, day });

function slotsOf(row: Day): SlotSum[] {
  return MEASURES.flatMap((measure) => {
    const timed = Object.entries(row.slots[measure] ?? {});
    const rest =
      row[LETTERS[measure]] - (row.elsewhere[measure] ?? 0) - timed.reduce((sum, [, plays]) => sum + plays, 0);
    const sums = timed.map(([slot, plays]) => ({ ...ofDay(row), slot: Number(slot), measure, plays }));
    return rest > 0 ? [...sums, { ...ofDay(row), slot: null, measure, plays: rest }] : sums;
  });
}

const valuesOf = (row: Day): ValueSum[] =>
  Object.entries({ ...row.dimensions, pair: row.pairs }).flatMap(([dimension, counts]) =>
    Object.entries(counts).map(([key, plays]) => ({ ...ofDay(row), dimension, key, plays })),
  );

async function moveMonths(tx: TxCtx, store: PlayStore): Promise<number> {
  const { creatorId, productId, episodeId, month } = episodeMonths;
  const rows = await tx.db
    .select()
    .from(episodeMonths)
    .where(sql`(${episodeMonths.hours} <> '{}' or ${episodeMonths.dimensions} <> '{}')`)
    .orderBy(asc(creatorId), asc(productId), asc(episodeId), asc(month))
    .limit(STATISTICS_STORE_LIMITS.movedMonths)
    .for('update');
  if (rows.length === 0) return 0;
  const [episodeHours, episodeValues] = [rows.flatMap(hoursOf), rows.flatMap(valuesOfMonth)];
  await send(store, { slots: [], values: [], episodeHours, episodeValues });
  const months = sql.join(
    rows.map((row) => sql`(${row.creatorId}, ${row.productId}, ${row.episodeId}, ${row.month}::date)`),
    sql`, `,
  );
  await tx.db
    .update(episodeMonths)
    .set({ hours: {}, dimensions: {} })
    .where(sql`(${creatorId}, ${productId}, ${episodeId}, ${month}) in (${months})`);
  return rows.length;
}

const hoursOf = ({ episodeId: episode_id, month, hours }: Month): EpisodeHourSum[] =>
  MEASURES.flatMap((measure) =>
    Object.entries(hours[measure] ?? {}).map(([moment, plays]) => ({
      ...{ episode_id, measure, plays },
      hour: `${month.slice(0, 8)}${moment.slice(0, 2)} ${moment.slice(2)}:00:00`,
    })),
  );

const valuesOfMonth = ({ episodeId: episode_id, month, dimensions }: Month): EpisodeValueSum[] =>
  Object.entries(dimensions).flatMap(([dimension, counts]) =>
    Object.entries(counts).map(([key, plays]) => ({ episode_id, month, dimension, key, plays })),
  );

/** The key is that of the contents, so the same rows are added once, also by a run that starts again. */
const send = (store: PlayStore, sums: FormerSums) =>
  store.addSums(`sums ${hash('sha256', JSON.stringify(sums))}`, sums);
