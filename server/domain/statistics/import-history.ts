import { eq, sql } from 'drizzle-orm';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import type { HistoryHost } from '~/db/values/imported-plays';
import { DAYS, later, utcDay } from '../../base/time';
import { HISTORY_LIMITS } from '../../limits/statistics';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { incomingKey } from '../media/rules';
import { consumeUpload, findUsableUpload, type UsableUpload } from '../media/uploads';
import { productNotFound } from '../products/errors';
import { lockProduct } from '../products/price-product';
import { findProductRecord } from '../products/queries';
import { recordAbout } from '../team/activity';
import {
  historyMissing,
  historyNameRequired,
  historyNothing,
  historyUnclear,
  tooManyHistoryFigures,
  tooManyHistorySources,
} from './errors';
import { type History, type HistoryFigure, type HistoryProblem, readHistory } from './read-history';
import type { PreviewHistory, SaveHistory } from './schema';

/** What a file contains, before anything is stored. `first`: some figures; `problems`: the first rows left out. */
export type HistoryPreview = Omit<History, 'figures'> & {
  fileName: string;
  figures: number;
  plays: number;
  episodes: number;
  from: string | null;
  to: string | null;
  first: HistoryFigure[];
};

const FIRST_FIGURES = 5;

/**
 * Reads an uploaded file with the statistics of another host. It stays unused, so that the creator can correct what was
 * found out. @throws product.not_found, upload.*, and as readHistory
 */
export async function previewHistory(ctx: Ctx, input: PreviewHistory): Promise<HistoryPreview> {
  const { upload } = await findFile(ctx, input);
  const { figures, problems, ...history } = await readUpload(ctx, upload, input);
  // which are fewer than figures
  const days = [...new Set(figures.map(({ day }) => day))].sort();
  return {
    ...history,
    fileName: upload.fileName,
    figures: figures.length,
    plays: figures.reduce((sum, { plays }) => sum + plays, 0),
    episodes: new Set(figures.map(({ episode }) => episode)).size,
    ...{ from: days[0] ?? null, to: days.at(-1) ?? null },
    first: figures.slice(0, FIRST_FIGURES),
    problems: problems.slice(0, HISTORY_LIMITS.shownProblems),
  };
}

/** All rows that are left out. @throws as previewHistory */
export async function exportHistoryProblems(ctx: Ctx, input: PreviewHistory): Promise<HistoryProblem[]> {
  const { upload } = await findFile(ctx, input);
  return (await readUpload(ctx, upload, input)).problems;
}

/** `added` and `changed`: figures; those that were there already are neither. */
export type SavedHistory = { sourceId: number; added: number; changed: number; leftOut: number };

/**
 * Stores the figures of a file beside ours. Importing a file again changes nothing, and a newer file replaces the
 * figures of its days.
 * @throws as previewHistory, history.unclear, history.nothing, history.name_required, history.too_many_sources,
 * history.too_many_figures
 */
export async function saveHistory(ctx: Ctx, input: SaveHistory): Promise<SavedHistory> {
  const { show, upload } = await findFile(ctx, input);
  const history = await readUpload(ctx, upload, input);
  const { figures, host, question } = history;
  if (question !== null) throw historyUnclear();
  if (figures.length === 0) throw historyNothing();
  const name = host === 'other' ? input.name : HOST_NAMES[host];
  if (!name) throw historyNameRequired();
  return transact(ctx, async (tx) => {
    // imports into one show wait for each other, so that each counts what the others have stored
    if (!(await lockProduct(tx, show.id))) throw productNotFound();
    await consumeUpload(tx, upload);
    const sourceId = await ensureSource(tx, show, { host, name, fileName: upload.fileName });
    const { added, changed } = await writeFigures(tx, { ...show, sourceId }, figures);
    await assertFiguresLeft(tx, show.id);
    await recordAbout(tx, 'statistics.history_imported', show);
    return { sourceId, added, changed, leftOut: history.rows - figures.length };
  });
}

/** Names are the same in all languages. */
export const HOST_NAMES: Record<Exclude<HistoryHost, 'other'>, string> = {
  transistor: 'Transistor',
  buzzsprout: 'Buzzsprout',
  libsyn: 'Libsyn',
  podbean: 'Podbean',
  spotify: 'Spotify',
  ivoox: 'iVoox',
  apple: 'Apple Podcasts',
};

type Show = { id: number; creatorId: number; name: string };

async function findFile(ctx: Ctx, { id, kind, statisticsKey }: PreviewHistory) {
  const { product } = await findProductRecord(ctx, id, kind);
  const show: Show = authorize(ctx, 'product.manage', product);
  authorize(ctx, 'creator.readStatistics', { id: show.creatorId });
  return { show, upload: await findUsableUpload(ctx, { key: statisticsKey, purpose: 'statistics' }) };
}

/** No host is a whole day ahead of UTC. */
async function readUpload(ctx: Ctx, { key }: UsableUpload, input: PreviewHistory): Promise<History> {
  const { storage } = ctx.ports;
  if (!(await storage.head(incomingKey(key)))) throw historyMissing();
  const { date, plays, episode, host, order, period } = input;
  const reading = { date, plays, host, order, period, episode: episode === 'none' ? null : episode };
  return readHistory(() => storage.read(incomingKey(key)), reading, utcDay(later(ctx.now(), DAYS(1))));
}

type NewSource = { host: HistoryHost; name: string; fileName: string };

async function ensureSource({ db, now }: TxCtx, { id, creatorId }: Show, source: NewSource): Promise<number> {
  const { fileName } = source;
  const [row] = await db
    .insert(importedSources)
    .values({ creatorId, productId: id, ...source, importedAt: now() })
    .onConflictDoUpdate({
      target: [importedSources.productId, importedSources.name],
      set: { fileName, importedAt: now() },
    })
    .returning({ id: importedSources.id });
  const sources = await db.$count(importedSources, eq(importedSources.productId, id));
  if (sources > HISTORY_LIMITS.sources) throw tooManyHistorySources({ max: HISTORY_LIMITS.sources });
  return row!.id;
}

type Target = Pick<Show, 'id' | 'creatorId'> & { sourceId: number };
type Written = { added: number; changed: number };

async function writeFigures(tx: TxCtx, target: Target, figures: HistoryFigure[]): Promise<Written> {
  const sum: Written = { added: 0, changed: 0 };
  for (let from = 0; from < figures.length; from += HISTORY_LIMITS.batch) {
    const { added, changed } = await writeBatch(tx, target, figures.slice(from, from + HISTORY_LIMITS.batch));
    sum.added += added;
    sum.changed += changed;
  }
  return sum;
}

async function writeBatch({ db }: TxCtx, target: Target, figures: HistoryFigure[]): Promise<Written> {
  const { sourceId, creatorId, id } = target;
  const [row] = await db.execute<Written>(sql`
    with written as (
      insert into imported_plays as p (source_id, creator_id, product_id, period, day, episode, plays)
      select ${sourceId}::bigint, ${creatorId}::bigint, ${id}::bigint, period, day, episode, plays
      from jsonb_to_recordset(${JSON.stringify(figures)}::text::jsonb)
        as f(period text, day date, episode text, plays bigint)
      order by period, day, episode
      on conflict (source_id, period, day, episode) do update set plays = excluded.plays
      where p.plays <> excluded.plays
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as changed
    from written`);
  return row!;
}

async function assertFiguresLeft({ db }: TxCtx, productId: number): Promise<void> {
  const figures = await db.$count(importedPlays, eq(importedPlays.productId, productId));
  if (figures > HISTORY_LIMITS.figures) throw tooManyHistoryFigures({ max: HISTORY_LIMITS.figures });
}
