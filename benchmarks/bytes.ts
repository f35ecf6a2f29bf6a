import { brotliCompressSync, gzipSync } from 'node:zlib';
import { prepareBenchmark } from './prepare-benchmark';
import { onAppHost, publicPages } from './public-pages';
import { startApp } from './servers';
import { studioRows } from './studio-bytes';
import { type BenchmarkRow, judge, kilobytes } from './table';

/** Compressed bytes that a visitor's first page may load, and the same once an episode plays (decision 0170). */
const GOAL = { first: 20_000, inUse: 95_000, style: 20_000 };

/** JavaScript and CSS that public pages load. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const rows: BenchmarkRow[] = [];
  for (const { name, path } of await publicPages(prepared)) {
    const html = await (await fetch(app.url + onAppHost(path))).text();
    rows.push(...(await pageRows(app.url, name, html)));
  }
  await app.stop();
  await prepared.close();
  return [...rows, ...studioRows()];
}

async function pageRows(base: string, name: string, html: string): Promise<BenchmarkRow[]> {
  const page = Buffer.from(html);
  const inline = [...html.matchAll(/<script(?: nonce="[^"]*")?>([^<]*)<\/script>/g)].map(([, text = '']) => text);
  const first = inline.reduce((sum, text) => sum + gzipSync(text).length, 0);
  const inUse = await measureSizes(base, new Set(/ data-later="([^"]+)"/.exec(html)?.[1]?.split(' ')));
  const style = await measureSizes(base, matchUrls(html, /<link\b[^>]*?href="([^"]+\.css)"/g));
  const row = (label: string, bytes: number, { goal, details }: { goal: number; details: string }): BenchmarkRow => ({
    label: `${name}: ${label}`,
    figure: kilobytes(bytes),
    details,
    goal: `≤ ${kilobytes(goal)}`,
    ...judge(goal / bytes, { holds: true }),
  });
  const files = ({ files: count, gzip, plain }: typeof style) =>
    `Brotli, ${count} files, gzip ${kilobytes(gzip)}, plain ${kilobytes(plain)}`;
  return [
    row('JavaScript of a first visit', first, { goal: GOAL.first, details: 'gzip, inline, with the data of the page' }),
    row('JavaScript once it plays', inUse.br, { goal: GOAL.inUse, details: files(inUse) }),
    row('CSS', style.br, { goal: GOAL.style, details: files(style) }),
    {
      label: `${name}: the page itself, gzip`,
      figure: kilobytes(gzipSync(page).length),
      details: `br ${kilobytes(brotliCompressSync(page).length)}, plain ${kilobytes(page.length)}`,
    },
  ];
}

function matchUrls(html: string, pattern: RegExp): Set<string> {
  return new Set([...html.matchAll(pattern)].map((match) => match[1] ?? ''));
}

async function measureSizes(base: string, paths: Set<string>) {
  const sum = { files: paths.size, plain: 0, gzip: 0, br: 0 };
  for (const path of paths) {
    const body = Buffer.from(await (await fetch(new URL(path, base))).arrayBuffer());
    sum.plain += body.length;
    sum.gzip += gzipSync(body).length;
    sum.br += brotliCompressSync(body).length;
  }
  return sum;
}
