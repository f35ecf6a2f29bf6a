import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGround, withAudio } from './ground';
import { compared, share, type Target } from './load';
import { HAS_NGINX, HAS_WRK, pinned, workerOf } from './machine';
import { answers, startApp, startBare } from './servers';
import { type Row, rate } from './table';

const GOAL = 0.75;
const MEBIBYTE = 1024 * 1024;
const NGINX_PORT = 4188;
/** Counted as a listener's, so that recording the delivery is part of what is measured. */
const PLAYER = 'AntennaPod/3.1.2';

/** Ranges of 1 MiB out of a file of 24 MiB, deliveries recorded, beside nginx on the same file. */
export async function run(): Promise<Row[]> {
  const ground = await openGround();
  const audio = await withAudio(ground);
  const app = await startApp(ground);
  const bare = await startBare(audio.body.subarray(0, MEBIBYTE));
  const nginx = HAS_NGINX ? await startNginx(audio.file) : null;
  const asked = (url: string, pid: number): Target => ({
    url,
    pid,
    connections: 16,
    headers: { 'user-agent': PLAYER, ...(HAS_WRK ? {} : { range: `bytes=${MEBIBYTE}-${2 * MEBIBYTE - 1}` }) },
    ...(HAS_WRK && { script: 'benchmarks/ranges.lua' }),
  });
  const targets = [
    asked(`${app.url}${audio.path}`, app.pid),
    asked(bare.url, bare.pid),
    ...(nginx ? [asked(nginx.url, workerOf(nginx.pid))] : []),
  ];
  const [ours, plain, its] = await compared(targets);
  await Promise.all([app.stop(), bare.stop(), nginx?.stop()]);
  await ground.close();
  const gigabytes = ((ours!.perCore * MEBIBYTE) / 1e9).toFixed(2);
  return [
    { what: 'bare node:http, 1 MiB from memory', figure: rate(plain!) },
    ...(its ? [{ what: 'nginx, 1 worker, sendfile, 1 MiB ranges', figure: rate(its) }] : []),
    {
      what: 'audio door, 1 MiB ranges, deliveries counted',
      figure: rate(ours!),
      beside: `${gigabytes} GB/s a core, ${share(ours!, plain!).toFixed(2)} of bare${its ? `, ${share(ours!, its).toFixed(2)} of nginx` : ''}, ${ours!.failed} failed`,
      goal: its ? `≥ ${GOAL} of nginx` : undefined,
      met: its ? share(ours!, its) >= GOAL && ours!.failed === 0 : undefined,
    },
  ];
}

async function startNginx(file: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'altavoz-nginx-'));
  const config = path.join(dir, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const server = `server { listen 127.0.0.1:${NGINX_PORT}; location / { alias ${file}; types {} default_type audio/mpeg; } }`;
  await writeFile(
    config,
    `daemon off; worker_processes 1; ${user} pid ${dir}/pid; error_log stderr crit; events {}
     http { access_log off; sendfile on; keepalive_requests 1000000; ${places} ${server} }`,
  );
  const child = spawn(...pinned(1, 'nginx', ['-c', config, '-p', dir]), { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${NGINX_PORT}/`;
  for (let i = 0; i < 200 && !(await answers(url)); i++) await sleep(20);
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
