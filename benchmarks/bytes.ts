import { brotliCompressSync, gzipSync } from 'node:zlib';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp } from './servers';
import { studioRows } from './studio-bytes';
import { judge, kilobytes, type Row } from './table';

/** Bytes that a visitor's first page may load. */
const GOAL = { script: 105_000, style: 20_000 };

/** JavaScript and CSS that a visitor's first page loads, compressed. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const html = await (await fetch(`${app.url}/@lucia/p/corto`)).text();
  const scripts = matchUrls(html, /<(?:script|link)\b[^>]*?(?:src|href)="([^"]+\.js)"/g);
  for (const [, name = ''] of html.matchAll(/import\(?\s*(?:[\w*{}\s,]+ from )?"([^"]+\.js)"/g)) scripts.add(name);
  const styles = matchUrls(html, /<link\b[^>]*?href="([^"]+\.css)"/g);
  const script = await measureSizes(app.url, scripts);
  const style = await measureSizes(app.url, styles);
  await app.stop();
  await prepared.close();
  const row = (label: string, sum: typeof script, goal: number): Row => ({
    label: `${label}, gzip`,
    figure: kilobytes(sum.gzip),
    details: `${sum.files} files, br ${kilobytes(sum.br)}, plain ${kilobytes(sum.plain)}`,
    goal: `≤ ${kilobytes(goal)}`,
    ...judge(goal / sum.gzip, { holds: true }),
  });
  const page = Buffer.from(html);
  return [
    row('JavaScript of the product page', script, GOAL.script),
    row('CSS of the product page', style, GOAL.style),
    {
      label: 'the page itself, gzip',
      figure: kilobytes(gzipSync(page).length),
      details: `br ${kilobytes(brotliCompressSync(page).length)}, plain ${kilobytes(page.length)}`,
    },
    ...studioRows(),
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
