import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { createDb } from '~/db/client';
import { startEmbedded } from '~/db/embedded';
import { runMigrations } from '~/db/migrate';
import { episodes } from '~/db/schema/episodes';
import { createQueues } from '~/server/queue/queue';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { parentOf } from './machine';
import { prose } from './prose';

export type PreparedBenchmark = Awaited<ReturnType<typeof prepareBenchmark>>;

const DIR = path.resolve('.data/bench');
export const AUDIO_BYTES = 24 * 1024 * 1024;

/** A new database on an embedded Postgres with durable commits, with a creator and published shows. */
export async function prepareBenchmark(further: Partial<Further> = {}) {
  const server = await startEmbedded({ dir: path.join(DIR, 'postgres'), database: 'postgres' });
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const admin = createDb(server.url, { max: 1 });
  await admin.db.execute(sql`create database ${sql.identifier(name)}`);
  const databaseUrl = server.urlFor(name);
  await runMigrations(databaseUrl, path.resolve('db/migrations'));
  const { db, close } = createDb(databaseUrl);
  const dataDir = path.join(DIR, name);
  await mkdir(dataDir, { recursive: true });
  return {
    db,
    databaseUrl,
    dataDir,
    ...(await publishContent(databaseUrl, dataDir, { shows: [], authors: 0, ...further })),
    async close() {
      await close();
      await admin.db.execute(sql`drop database ${sql.identifier(name)} with (force)`);
      await admin.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
      await rm(`${dataDir}.log`, { force: true });
    },
  };
}

/**
 * Further shows by their numbers of episodes, and authors: creators with an empty paid show, which has no limit of
 * episodes.
 */
type Further = { shows: readonly number[]; authors: number };

async function publishContent(databaseUrl: string, dataDir: string, further: Further) {
  const { runtime, close } = await openTestRuntime(databaseUrl, dataDir);
  await createQueues(runtime.queue.boss);
  const make = makers(runtime, { passwordHash: 'unknown', cover: null });
  const creator = await make.creator({ domain: 'lucia' });
  const texts = (i: number) => ({ name: prose(5, i), description: `<p>${prose(40, i)}</p>` });
  const short = await make.product(creator, { slug: 'corto', name: 'Ruido de fondo' });
  await make.episodes(short, 20, texts);
  const long = await make.product(creator, { slug: 'largo', name: 'Mil y una' });
  await make.episodes(long, 1000, texts);
  const shows: (typeof short)[] = [];
  for (const size of further.shows) {
    const show = await make.product(creator, { slug: `de-${size}`, name: `De ${size}` });
    await make.episodes(show, size, texts);
    shows.push(show);
  }
  const authors: { token: string; productId: number }[] = [];
  for (let i = 0; i < further.authors; i++) {
    const author = await make.creator();
    const { id } = await make.product(author, { priceMinor: 500 });
    authors.push({ token: author.token, productId: id });
  }
  await close();
  return { short, long, shows, authors, token: creator.token };
}

type Prepared = Pick<PreparedBenchmark, 'db' | 'dataDir' | 'short'>;

/** The process whose children serve the connections. */
export async function postgresPid({ db }: Pick<PreparedBenchmark, 'db'>): Promise<number> {
  const [row] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return parentOf(row!.pid);
}

/** Stores the audio of an episode, the first one by default. Most benchmarks only deliver the file, so it need not be MP3. */
export async function addAudio({ db, dataDir, short }: Prepared, body: Buffer = randomBytes(AUDIO_BYTES), at = 0) {
  const isOfShow = eq(episodes.productId, short.id);
  const [episode] = await db.select().from(episodes).where(isOfShow).orderBy(episodes.id).offset(at).limit(1);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const key = `audio/${short.creatorId}/${episode!.id}/${sha256}.mp3`;
  const file = path.join(dataDir, 'media', key);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, body);
  const audio = { audioKey: key, audioSha256: sha256, audioBytes: body.length, durationMs: 1_500_000 };
  await db.update(episodes).set(audio).where(eq(episodes.id, episode!.id));
  return { episodeId: episode!.id, path: `/audio/${episode!.id}/${episode!.slug}.mp3`, file, body };
}
