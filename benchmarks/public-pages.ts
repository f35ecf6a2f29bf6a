import { eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { PreparedBenchmark } from './prepare-benchmark';
import type { Server } from './servers';

/** The pages that visitors see most, below the host of the benchmark's creator: a name for rows, and the path. */
export async function publicPages(prepared: Pick<PreparedBenchmark, 'db' | 'short'>) {
  const { db, short } = prepared;
  const [episode] = await db.select().from(episodes).where(eq(episodes.productId, short.id)).limit(1);
  return [
    { name: 'product page with 20 episodes', path: '/p/corto' },
    { name: 'episode page', path: `/p/corto/${episode?.slug}` },
    { name: 'creator page', path: '/' },
  ];
}

/** Headers of a browser's request to the creator's host. */
export const creatorHeaders = (app: Server, encodings = 'gzip, deflate, br') => ({
  host: `staging-lucia.${app.host}`,
  'accept-encoding': encodings,
});

/** The same page below the app's host, for clients that can't set a host. */
export const onAppHost = (path: string) => `/@lucia${path === '/' ? '' : path}`;
