import { createHash } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { logImports, logKeys } from '~/db/schema/log-imports';
import type { MachineRequest, ReceivedParts, RenditionParts } from '~/db/values/listening';
import type { LogCounts, LogFault, LogFormat } from '~/db/values/log-imports';
import { audioOfUrl } from '../../base/public-paths';
import { readLines, unzipped } from '../../base/read-lines';
import { earlier, later } from '../../base/time';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { LOG_LIMITS } from '../../limits/listening';
import { type Ctx, transact } from '../../runtime/ctx';
import { countImpressions } from '../insertions/count-impressions';
import { lookupRendition } from '../insertions/renditions';
import { type Operator, recordOperation } from '../operators/record-operation';
import { type Delivery, insertDownloads, judgeDelivery, renditionParts } from './downloads';
import { logBusy, logCutOff } from './errors';
import { hasOwnKey, openLogKeys } from './log-keys';
import { type LineReader, type LogLine, lineReader } from './log-lines';
import { insertMachineRequests } from './machines';
import { sumsFor } from './recorders';
import { sourceOfAudio } from './sources';

/** `open` is called twice: for the fingerprint, and for the lines. */
export type LogFile = { name: string; open(): AsyncIterable<Uint8Array> };
type Import = { operator: Operator; format: LogFormat; files: LogFile[] };

/** `isNew`: false for a file that was counted before. `bad`: the numbers of the first lines that can't be read. */
export type ImportedLog = { name: string; isNew: boolean; lines: number; counts: LogCounts; bad: number[] };

/**
 * Counts the requests of a CDN's logs like those that reach this server (docs/log-import.md). Each line is counted once,
 * in the transaction that notes how far the file is done, so a stopped import continues where it was. All files of a
 * period belong into one import: the keys of its listeners are deleted at the end.
 * @throws log_import.busy, log_import.cut_off
 */
export async function importLogs(ctx: Ctx, { operator, format, files }: Import): Promise<ImportedLog[]> {
  const keysOf = openLogKeys(ctx);
  const imported: ImportedLog[] = [];
  for (const file of files) imported.push(await importFile(ctx, file, { format, keysOf }));
  await transact(ctx, async (tx) => {
    const isOpen = (await tx.db.$count(logImports, isNull(logImports.finishedAt))) > 0;
    if (!isOpen) await tx.db.delete(logKeys);
    const sum = { files: files.length, lines: imported.reduce((all, { lines }) => all + lines, 0) };
    await recordOperation(tx, operator, { action: 'statistics.log_imported', target: format, details: sum });
  });
  return imported;
}

type Reading = { format: LogFormat; keysOf: ReturnType<typeof openLogKeys> };

async function importFile(ctx: Ctx, file: LogFile, { format, keysOf }: Reading): Promise<ImportedLog> {
  const fingerprint = await fingerprintOf(file);
  const start = { fingerprint, name: file.name, format, startedAt: ctx.now() };
  await ctx.db.insert(logImports).values(start).onConflictDoNothing();
  const [row] = await ctx.db.select().from(logImports).where(eq(logImports.fingerprint, fingerprint));
  const { lines: done, counts, finishedAt } = row!;
  if (finishedAt) return { name: file.name, isNew: false, lines: done, counts, bad: [] };
  const state: State = { fingerprint, done, counts, bad: [] };
  const read = lineReader(format);
  let batch: Numbered[] = [];
  let number = 0;
  for await (const line of readLines(file.open(), LOG_LIMITS.line)) {
    number += 1;
    const entry = { number, line: line === null ? ('too_long' as const) : readBounded(ctx, read, line) };
    // comments of the lines that are done name the fields, so they are read, too
    if (number <= done) continue;
    batch.push(entry);
    if (batch.length < LOG_LIMITS.batch) continue;
    await countBatch(ctx, state, { batch, keysOf });
    batch = [];
  }
  await countBatch(ctx, state, { batch, keysOf, isLast: true });
  return { name: file.name, isNew: true, lines: number, counts: state.counts, bad: state.bad };
}

/** Of the text, so that a compressed copy is the same file. @throws log_import.cut_off */
async function fingerprintOf({ name, open }: LogFile): Promise<string> {
  const digest = createHash('sha256');
  try {
    for await (const chunk of unzipped(open())) digest.update(chunk);
  } catch (error) {
    throw isZlib(error) ? logCutOff({ name }) : error;
  }
  return digest.digest('hex');
}

const isZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(?:Z_|ERR_ZLIB)/.test(String(error.code));

type Read = LogLine | LogFault | null;
type Numbered = { number: number; line: Read };
type State = { fingerprint: string; done: number; counts: LogCounts; bad: number[] };

function readBounded({ now }: Pick<Ctx, 'now'>, read: LineReader, text: string): Read {
  const line = read(text);
  if (line === null || typeof line === 'string') return line;
  if (line.at > later(now(), LOG_LIMITS.late)) return 'future';
  return line.at < earlier(now(), LOG_LIMITS.oldest) ? 'too_old' : line;
}

type Batch = { batch: Numbered[]; keysOf: Reading['keysOf']; isLast?: boolean };

async function countBatch(ctx: Ctx, state: State, { batch, keysOf, isLast = false }: Batch): Promise<void> {
  const { parts, renditions, machines, counts, bad } = await judgeLines(ctx, batch, keysOf);
  const lines = state.done + batch.length;
  const sum = addCounts(state.counts, counts);
  const addToSums = sumsFor(ctx.ports.statistics.store !== null);
  await transact(ctx, async (tx) => {
    // two processes with one file: the second one finds that these lines are done
    const own = and(eq(logImports.fingerprint, state.fingerprint), eq(logImports.lines, state.done));
    const progress = { lines, counts: sum, ...(isLast && { finishedAt: tx.now() }) };
    const noted = await tx.db
      .update(logImports)
      .set(progress)
      .where(and(own, isNull(logImports.finishedAt)))
      .returning({ lines: logImports.lines });
    if (noted.length === 0) throw logBusy();
    await makePartitions(tx, parts);
    if (parts.length > 0) await insertDownloads(tx.db, parts, addToSums);
    if (renditions.length > 0) await countImpressions(tx.db, renditions);
    if (machines.length > 0) await insertMachineRequests(tx.db, machines);
  });
  Object.assign(state, { done: lines, counts: sum });
  state.bad.push(...bad.slice(0, LOG_LIMITS.shown - state.bad.length));
}

type Judged = {
  parts: ReceivedParts[];
  renditions: RenditionParts[];
  machines: MachineRequest[];
  counts: LogCounts;
  bad: number[];
};

async function judgeLines(ctx: Ctx, batch: Numbered[], keysOf: Reading['keysOf']): Promise<Judged> {
  const found = await findEpisodes(ctx, batch);
  const judged: Judged = { parts: [], renditions: [], machines: [], counts: {}, bad: [] };
  const note = (what: keyof LogCounts) => {
    judged.counts[what] = (judged.counts[what] ?? 0) + 1;
  };
  for (const { number, line } of batch) {
    if (typeof line === 'string') {
      note(line);
      judged.bad.push(number);
      continue;
    }
    const wanted = line && audioOfUrl(line.url);
    const sent = wanted === null ? undefined : await sentFile(ctx, wanted, found);
    const result = line && sent ? await judgeLine(ctx, line, { episode: sent.episode, keysOf }) : null;
    if (result?.parts) judged.parts.push(result.parts);
    if (line && result?.parts && sent?.rendition && tellsClips(ctx, line))
      judged.renditions.push(renditionParts(result.parts, sent.rendition));
    if (result?.machine) judged.machines.push(result.machine);
    note(result ? (result.machine ? 'machines' : 'delivered') : wanted !== null && !sent ? 'unknown' : 'ignored');
  }
  return judged;
}

type Sent = { episode: Delivery['episode']; rendition: Delivery['rendition'] | null };

/**
 * The file that an address names: a rendition has a length and a head of its own. One that was deleted, or whose files
 * were, is taken for the episode's file, without its clips. A rendition is read from storage once per process.
 */
async function sentFile(
  ctx: Ctx,
  { episodeId, renditionId }: { episodeId: number; renditionId: string | null },
  found: Map<number, Delivery['episode']>,
): Promise<Sent | undefined> {
  const episode = found.get(episodeId);
  const made = episode && renditionId !== null ? await lookupRendition(ctx, episodeId, renditionId) : null;
  if (!episode || !made) return episode && { episode, rendition: null };
  const { bytes, headBytes, durationMs, clips } = made;
  return { episode: { ...episode, bytes, headBytes, durationMs }, rendition: { id: made.id, clips } };
}

/**
 * Whether the line tells which clips were sent, and whether they can be told from those that were counted before: what a
 * listener has got is kept for as long as a download lasts, and while an import has keys of its own for the day.
 */
const tellsClips = ({ now }: Pick<Ctx, 'now'>, { at, status, range }: LogLine): boolean =>
  (status !== 206 || range !== null) && (at > earlier(now(), RENDITION_LIMITS.window) || hasOwnKey(now(), at));

type Known = { episode: Delivery['episode']; keysOf: Reading['keysOf'] };

function judgeLine(ctx: Ctx, line: LogLine, { episode, keysOf }: Known) {
  const { at, url, method, status, address, userAgent, referrer } = line;
  const requested = requestedPart(line);
  const from = requested?.from ?? 0;
  const most = requested ? requested.to - from : episode.bytes;
  const delivery: Delivery = {
    ...{ episode, method, status, requested, client: { address, userAgent, referrer } },
    delivered: { from, to: from + Math.min(line.bytes, most) },
    source: sourceOfAudio(ctx.urls, url, { referrer }),
  };
  return judgeDelivery(ctx, delivery, { at, keysOf: (client) => keysOf(client, at) });
}

/**
 * A log without ranges does not tell which part a 206 has sent. It is taken for the beginning of the file, so that
 * several parts never add up to a minute that may have been the same bytes.
 */
function requestedPart({ status, range, bytes }: LogLine): Delivery['requested'] {
  if (status !== 206) return null;
  return range ?? { from: 0, to: bytes };
}

/** The files as they are today: a log does not tell which edition was sent. */
async function findEpisodes({ db }: Ctx, batch: Numbered[]): Promise<Map<number, Delivery['episode']>> {
  const ids = batch.flatMap(({ line }) => {
    const wanted = line && typeof line === 'object' ? audioOfUrl(line.url) : null;
    return wanted === null ? [] : [wanted.episodeId];
  });
  if (ids.length === 0) return new Map();
  const { id, creatorId, productId, audioBytes, headBytes, durationMs } = episodes;
  const rows = await db
    .select({ id, creatorId, productId, bytes: audioBytes, headBytes, durationMs })
    .from(episodes)
    .where(and(inArray(id, [...new Set(ids)]), isNotNull(audioBytes)));
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, bytes: row.bytes!, headBytes: row.headBytes ?? 0, durationMs: row.durationMs ?? 0 },
    ]),
  );
}

/** Lines of past months may be older than our partitions. */
async function makePartitions({ db }: Pick<Ctx, 'db'>, parts: ReceivedParts[]): Promise<void> {
  const months = [...new Set(parts.map(({ day }) => `${day.slice(0, 7)}-01`))].sort();
  for (const month of months) await db.execute(sql`select make_listening_partitions(${month}::date, 1)`);
}

function addCounts(sum: LogCounts, more: LogCounts): LogCounts {
  const names = [...new Set([...Object.keys(sum), ...Object.keys(more)])] as (keyof LogCounts)[];
  return Object.fromEntries(names.map((name) => [name, (sum[name] ?? 0) + (more[name] ?? 0)]));
}
