import { compareLoads, medianRatio } from './load';
import { HAS_NGINX } from './machine';
import { prepareBenchmark } from './prepare-benchmark';
import { creatorHeaders, onAppHost, publicPages } from './public-pages';
import { type Server, startApp, startBare, startNginxCache } from './servers';
import { type BenchmarkRow, formatRate, judge, kilobytes } from './table';

/** Relative to a bare server that sends the same bytes, and to nginx's proxy cache with its access log. */
const GOALS = { bare: 0.85, nginx: 1 };
const CONNECTIONS = 50;

/** Public pages for an anonymous visitor, served from the cache, with a line in the log for each. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const rows: BenchmarkRow[] = [];
  for (const page of await publicPages(prepared)) rows.push(...(await measure(page, app)));
  await app.stop();
  await prepared.close();
  return rows;
}

async function measure({ name, path }: { name: string; path: string }, app: Server): Promise<BenchmarkRow[]> {
  const page = await fetch(app.url + onAppHost(path), { headers: { 'accept-encoding': 'br' } });
  const size = Number(page.headers.get('content-length'));
  const headers = creatorHeaders(app);
  const same = await startBare(Buffer.alloc(size, 'x'));
  const nginx = HAS_NGINX ? await startNginxCache(app, path, headers) : null;
  const [cached, bare, proxied] = await compareLoads([
    { url: app.url + path, headers, connections: CONNECTIONS, pid: app.pid },
    { url: same.url, connections: CONNECTIONS, pid: same.pid },
    ...(nginx ? [{ url: nginx.url, connections: CONNECTIONS, pid: nginx.pid }] : []),
  ]);
  await Promise.all([same.stop(), nginx?.stop()]);
  const ratios = { bare: medianRatio(cached, bare), nginx: proxied ? medianRatio(cached, proxied) : null };
  const score = Math.min(ratios.bare / GOALS.bare, ratios.nginx === null ? Infinity : ratios.nginx / GOALS.nginx);
  const ofNginx = ratios.nginx === null ? '' : `, ${ratios.nginx.toFixed(2)} of nginx`;
  return [
    {
      label: `bare node:http, ${kilobytes(size)}`,
      figure: formatRate(bare),
      details: `p99 ${bare.p99Ms.toFixed(1)} ms`,
    },
    ...(proxied
      ? [
          {
            label: `nginx's proxy cache, with its log`,
            figure: formatRate(proxied),
            details: `p99 ${proxied.p99Ms.toFixed(1)} ms, ${proxied.failed} failed`,
          },
        ]
      : []),
    {
      label: `${name}, cached, br`,
      figure: formatRate(cached),
      details: `${ratios.bare.toFixed(2)} of bare${ofNginx}, p99 ${cached.p99Ms.toFixed(1)} ms, ${cached.failed} failed`,
      goal: `≥ ${GOALS.bare} of bare, ≥ ${GOALS.nginx} of nginx`,
      ...judge(score, { failed: cached.failed, holds: true }),
    },
  ];
}
