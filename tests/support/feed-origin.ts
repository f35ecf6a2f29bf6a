import type http from 'node:http';
import { eq } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { runImport } from '~/server/domain/rss-import/import-feed';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';
import { hostileServer } from './hostile';
import { mp3 } from './mp3';
import { checkNewAudio } from './run-jobs';

export type OriginItem = {
  guid?: string;
  title?: string;
  file?: string;
  extra?: string;
  date?: string;
  bytes?: number;
};
type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Another podcast host on loopback, with a feed and its audio. A test can replace the answers of single URLs. */
export async function feedOrigin() {
  const origin = {
    url: '',
    items: [] as OriginItem[],
    owner: 'julia@origin.example' as string | null,
    title: 'Olas de fuera',
    channel: '',
    requests: [] as string[],
    answers: new Map<string, Answer>(),
    files: new Map<string, Buffer>(),
    feedUrl: () => `${origin.url}/feed.xml`,
    close: async () => {},
  };
  const server = await hostileServer((request, response) => {
    const path = request.url ?? '/';
    origin.requests.push(path);
    const answer = origin.answers.get(path);
    if (answer) return answer(request, response);
    if (path === '/feed.xml') return void response.setHeader('content-type', 'application/rss+xml').end(feedOf(origin));
    const file = origin.files.get(path) ?? (path.endsWith('.mp3') ? mp3(2) : undefined);
    if (file) return void response.end(file);
    response.writeHead(404).end();
  });
  origin.url = server.url('').replace(/\/$/, '');
  origin.close = server.close;
  return origin;
}
export type Origin = Awaited<ReturnType<typeof feedOrigin>>;

const NAMESPACES =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"';

function feedOf({ url, items, owner, title, channel }: Origin): string {
  const ownerTag = owner
    ? `<itunes:owner><itunes:name>Julia</itunes:name><itunes:email>${owner}</itunes:email></itunes:owner>`
    : '';
  const head = `<title>${title}</title><link>${url}</link><description>Un programa.</description><language>es-ES</language>
    <itunes:author>Julia</itunes:author><itunes:category text="History"/><itunes:explicit>false</itunes:explicit>${ownerTag}${channel}`;
  return `<?xml version="1.0"?><rss version="2.0" ${NAMESPACES}><channel>${head}${items.map((item, i) => itemOf(url, item, i)).join('')}</channel></rss>`;
}

function itemOf(url: string, item: OriginItem, i: number): string {
  const { guid = `guid-${i + 1}`, title = `Episodio ${i + 1}`, file = `/audio-${i + 1}.mp3`, extra = '' } = item;
  const { bytes = 16_000 } = item;
  const { date = new Date(Date.UTC(2024, 0, 1) - i * 86_400_000).toUTCString() } = item;
  return `<item><title>${title}</title><guid isPermaLink="false">${guid}</guid><pubDate>${date}</pubDate>
    <description>Notas de ${title}.</description><enclosure url="${url}${file}" type="audio/mpeg" length="${bytes}"/>${extra}</item>`;
}

/** Runs an import until it ends, or for a number of steps. `pass` moves the clock when episodes wait for their host. */
export async function settleImport(runtime: Runtime, id: number, { steps = 50, pass = () => {} } = {}): Promise<void> {
  for (let done = 0; done < steps; done += 1) {
    const [row] = await runtime.db.select().from(rssImports).where(eq(rssImports.id, id));
    if (row?.status !== 'in_progress') return;
    await runImport(systemCtx(runtime, 'rss-import.run'), { importId: id, step: row.step });
    await checkNewAudio(runtime);
    pass();
  }
}

/** The token of the last link sent to the feed's owner. */
export async function importTokenFor(runtime: Runtime, to: string): Promise<string> {
  const { outbox } = await import('~/db/schema/notifications');
  const rows = await runtime.db.select().from(outbox).where(eq(outbox.to, to)).orderBy(outbox.createdAt);
  const text = rows.map((row) => row.text).at(-1) ?? '';
  return /token=([\w-]+)/.exec(text)?.[1] ?? '';
}
