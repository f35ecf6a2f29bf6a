/** `node --import tsx benchmarks/audio/delivery.ts`: ranges of an hour, plain and stitched, against nginx where there is one. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { diskStore } from '~/server/adapters/storage/disk';
import { indexMp3 } from '~/server/audio/indexing';
import { splice } from '~/server/audio/splice';
import { createAudioDoor } from '~/server/http/audio';
import { createLog } from '~/server/log';
import { toolPath } from '~/tests/support/tools';
import { clip, FOLDER, fileSource, hour } from './hour';

const PORT = Number(process.env.BENCH_PORT ?? 4183);
const NGINX_PORT = PORT + 1;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROOT = join(FOLDER, 'store');
const KEYS = { episode: 'audio/episode.mp3', clip: 'audio/clip.mp3', plain: 'audio/plain.mp3' };

async function recording(path: string, key: string) {
  const source = await fileSource(path);
  const found = await indexMp3(source);
  if (!found.ok) throw new Error(found.reason);
  return { key, sha256: key, index: found.index, source };
}

/** The same bytes twice: as a rendition of three insertions, and written out as a file. */
async function serve(): Promise<void> {
  const store = await diskStore({ root: ROOT, formUrl: (key) => key });
  const [episodePath, clipPath] = [await hour('cbr'), await clip(30)];
  const sources = { [KEYS.episode]: await fileSource(episodePath), [KEYS.clip]: await fileSource(clipPath) };
  for (const [key, source] of Object.entries(sources)) {
    const bytes = Buffer.alloc(source.size);
    await source.read(bytes, 0);
    await store.put(key, bytes, { contentType: 'audio/mpeg' });
  }
  const inserted = await recording(clipPath, KEYS.clip);
  const marks = ['pre', 1_200_000, 2_400_000] as const;
  const episode = await recording(episodePath, KEYS.episode);
  const spliced = await splice(
    episode,
    marks.map((at) => ({ at, clip: inserted })),
  );
  if (!spliced.ok) throw new Error(spliced.reason);
  const { segments, bytes, sha256 } = spliced.rendition;
  const whole: Buffer[] = [];
  for (const { from, bytes: count } of segments) {
    const part = Buffer.alloc(count);
    if ('memory' in from) part.set(from.memory);
    else await sources[from.key]!.read(part, from.start);
    whole.push(part);
  }
  const opened = [...Object.values(sources), episode.source, inserted.source];
  await Promise.all(opened.map((source) => source.close()));
  await store.put(KEYS.plain, Buffer.concat(whole), { contentType: 'audio/mpeg' });
  const door = createAudioDoor({
    store,
    log: createLog('silent'),
    lookup: async (id) => (id === 1 ? { objectKey: KEYS.plain, bytes, sha256 } : { segments, bytes, sha256 }),
    onDelivered: () => {},
  });
  const server = createServer((req, res) => {
    if (!door(req, res)) res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(PORT, '127.0.0.1', resolve));
  process.send?.('ready');
}

async function startNginx(path: string) {
  const prefix = join(FOLDER, 'nginx');
  await mkdir(prefix, { recursive: true });
  const config = join(prefix, 'nginx.conf');
  const server = `server { listen 127.0.0.1:${NGINX_PORT}; root ${ROOT}; }`;
  await writeFile(
    config,
    `daemon off; worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log; events {}
     http { access_log off; sendfile on; keepalive_requests 1000000; client_body_temp_path ${prefix}/a;
     proxy_temp_path ${prefix}/b; fastcgi_temp_path ${prefix}/c; uwsgi_temp_path ${prefix}/d; scgi_temp_path ${prefix}/e; ${server} }`,
  );
  const child = spawn(path, ['-p', prefix, '-c', config, '-e', `${prefix}/error.log`], { stdio: 'ignore' });
  await wait(800);
  const children = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim().split(' ');
  const stop = async () => {
    child.kill('SIGTERM');
    await wait(300);
  };
  return { pid: Number(children[0]), stop };
}

const SCRIPT = (bytes: number, size: number) => `
math.randomseed(7)
request = function()
  local start = math.random(0, ${bytes - size - 1})
  return wrk.format("GET", nil, { ["Range"] = "bytes=" .. start .. "-" .. (start + ${size - 1}) })
end`;

type Load = { perSecond: number; cpuPerGb: number };

/** Seconds of processor that a process has used; on a busy machine they say more than a clock does. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function load(wrk: string, { url, pid }: Server, bytes: number, size: number): Promise<Load> {
  const script = join(FOLDER, 'ranges.lua');
  await writeFile(script, SCRIPT(bytes, size));
  const before = await cpuSeconds(pid);
  const connections = size > 500_000 ? 16 : 32;
  const out = execFileSync(wrk, ['-t1', `-c${connections}`, `-d${SECONDS}s`, '-s', script, url]).toString();
  if (/Non-2xx/.test(out)) throw new Error(out);
  const requests = Number(/(\d+) requests in/.exec(out)?.[1]);
  const cpuPerGb = ((await cpuSeconds(pid)) - before) / ((requests * size) / 1e9);
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1]), cpuPerGb };
}

type Server = { url: string; pid: number };

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function main(): Promise<void> {
  const wrk = toolPath('wrk');
  if (!wrk) throw new Error('wrk is not installed');
  const server = spawn(process.execPath, ['--import', 'tsx', import.meta.filename, 'serve'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve) => server.once('message', resolve));
  const nginxPath = toolPath('nginx') ?? toolPath('/usr/sbin/nginx');
  const nginx = nginxPath ? await startNginx(nginxPath) : null;
  const at = (id: number) => `http://127.0.0.1:${PORT}/audio/${id}/x.mp3`;
  const head = await fetch(at(1), { method: 'HEAD' });
  const bytes = Number(head.headers.get('content-length'));
  const servers: Record<string, Server> = {
    plain: { url: at(1), pid: server.pid! },
    stitched: { url: at(2), pid: server.pid! },
    ...(nginx && { nginx: { url: `http://127.0.0.1:${NGINX_PORT}/${KEYS.plain}`, pid: nginx.pid } }),
  };
  console.log('| ranges | server | requests | MB | processor per GB |\n| --- | --- | --- | --- | --- |');
  for (const size of [1_048_576, 65_536]) {
    // by turns, so that a noisy moment of the machine meets all
    const seen: Record<string, Load[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const [which, place] of Object.entries(servers)) {
        seen[which] = [...(seen[which] ?? []), await load(wrk, place, bytes, size)];
      }
    }
    for (const [which, loads] of Object.entries(seen)) {
      const rate = median(loads.map(({ perSecond }) => perSecond));
      const cpu = median(loads.map(({ cpuPerGb }) => cpuPerGb));
      const mb = ((rate * size) / 1e6).toFixed(0);
      console.log(`| ${size / 1024} KiB | ${which} | ${rate.toFixed(0)}/s | ${mb}/s | ${cpu.toFixed(2)} s |`);
    }
  }
  server.kill();
  await nginx?.stop();
  await rm(ROOT, { recursive: true, force: true });
}

if (process.argv[2] === 'serve') await serve();
else await main();
