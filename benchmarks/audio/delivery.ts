/** `node --import tsx benchmarks/audio/delivery.ts`: ranges of an hour, plain and stitched, against nginx where there is one. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
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
  const spliced = await splice(
    await recording(episodePath, KEYS.episode),
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

async function startNginx(path: string): Promise<() => Promise<void>> {
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
  return async () => {
    child.kill('SIGTERM');
    await wait(300);
  };
}

const SCRIPT = (bytes: number, size: number) => `
math.randomseed(7)
request = function()
  local start = math.random(0, ${bytes - size - 1})
  return wrk.format("GET", nil, { ["Range"] = "bytes=" .. start .. "-" .. (start + ${size - 1}) })
end`;

async function load(wrk: string, url: string, bytes: number, size: number, connections: number): Promise<number> {
  const script = join(FOLDER, 'ranges.lua');
  await writeFile(script, SCRIPT(bytes, size));
  const out = execFileSync(wrk, ['-t1', `-c${connections}`, `-d${SECONDS}s`, '-s', script, url]).toString();
  if (/Non-2xx/.test(out)) throw new Error(out);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1]);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function main(): Promise<void> {
  const wrk = toolPath('wrk');
  if (!wrk) throw new Error('wrk is not installed');
  const server = spawn(process.execPath, ['--import', 'tsx', import.meta.filename, 'serve'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve) => server.once('message', resolve));
  const nginxPath = toolPath('nginx') ?? toolPath('/usr/sbin/nginx');
  const stopNginx = nginxPath ? await startNginx(nginxPath) : null;
  const at = (id: number) => `http://127.0.0.1:${PORT}/audio/${id}/x.mp3`;
  const head = await fetch(at(1), { method: 'HEAD' });
  const bytes = Number(head.headers.get('content-length'));
  const urls = {
    plain: at(1),
    stitched: at(2),
    ...(stopNginx ? { nginx: `http://127.0.0.1:${NGINX_PORT}/${KEYS.plain}` } : {}),
  };
  console.log('| ranges | plain | stitched | stitched : plain | nginx |\n| --- | --- | --- | --- | --- |');
  for (const [name, size, connections] of [
    ['1 MiB', 1_048_576, 16],
    ['64 KiB', 65_536, 32],
  ] as const) {
    // by turns, so that a noisy moment of the machine meets all
    const seen: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const [which, url] of Object.entries(urls)) {
        seen[which] = [...(seen[which] ?? []), await load(wrk, url, bytes, size, connections)];
      }
    }
    const [plain, stitched, nginx] = ['plain', 'stitched', 'nginx'].map((which) => median(seen[which] ?? [0]));
    const perSecond = (rate: number) => `${rate.toFixed(0)}/s, ${((rate * size) / 1e6).toFixed(0)} MB/s`;
    const share = (stitched! / plain!).toFixed(2);
    console.log(
      `| ${name} | ${perSecond(plain!)} | ${perSecond(stitched!)} | ${share} | ${nginx ? perSecond(nginx) : '–'} |`,
    );
  }
  server.kill();
  await stopNginx?.();
  await rm(ROOT, { recursive: true, force: true });
}

if (process.argv[2] === 'serve') await serve();
else await main();
