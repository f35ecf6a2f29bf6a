import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinned, workerOf } from './machine';

export type Server = { url: string; host: string; pid: number; readyAfterMs: number; stop(): Promise<void> };

const SERVER = 1;
const PATIENCE_MS = 30_000;

/** The built app, as production runs it: one process, its log in a file. */
export async function startApp(
  prepared: { databaseUrl: string; dataDir: string },
  more: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: `http://altavoz.localhost:${port}`,
    DATABASE_URL: prepared.databaseUrl,
    DATA_DIR: prepared.dataDir,
    WORKER: 'off',
    SEED_DEMO: '0',
    ...more,
  };
  return started(['build/main/main.js'], port, {
    env,
    probe: '/healthz',
    log: openSync(`${prepared.dataDir}.log`, 'w'),
  });
}

/** A bare node:http server that answers `body` to everything. */
export async function startBare(body: string | Buffer): Promise<Server> {
  const dir = await mkdtemp(path.join(tmpdir(), 'altavoz-bench-'));
  const file = path.join(dir, 'body');
  await writeFile(file, body);
  const port = await freePort();
  const server = await started(['benchmarks/bare-server.mjs', String(port), file], port);
  await rm(dir, { recursive: true });
  return server;
}

/** A script of this folder on the server's core; it listens on the port that it is given first. */
export async function startScript(file: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Server> {
  const port = await freePort();
  return started(['--import', 'tsx', file, String(port), ...args], port, { env });
}

/** nginx with one worker, which is the process named, answering `file` to `/audio.mp3`. */
export async function startNginx(file: string): Promise<Omit<Server, 'host' | 'readyAfterMs'>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'altavoz-nginx-'));
  const config = path.join(dir, 'nginx.conf');
  const port = await freePort();
  await writeFile(config, nginxConfig(dir, port, file));
  const args = ['-c', config, '-p', dir, '-e', 'stderr'];
  const child = spawn(...pinned(SERVER, 'nginx', args), { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}/audio.mp3`;
  for (let i = 0; i < 200 && !(await answers(url)); i++) await sleep(20);
  return {
    url,
    pid: workerOf(child.pid ?? 0),
    async stop() {
      await stopped(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function nginxConfig(dir: string, port: number, file: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const server = `server { listen 127.0.0.1:${port}; location = /audio.mp3 { alias ${file}; types {} default_type audio/mpeg; } }`;
  return `daemon off; worker_processes 1; ${user} pid ${dir}/pid; error_log stderr crit; events {}
    http { access_log off; sendfile on; keepalive_requests 1000000; ${places} ${server} }`;
}

type Start = { env?: NodeJS.ProcessEnv; probe?: string; log?: number | 'ignore' };

/** Node with these arguments, once it answers the probe. */
async function started(args: string[], port: number, start: Start = {}): Promise<Server> {
  const { env = process.env, probe = '/', log = 'ignore' } = start;
  const began = performance.now();
  const child = spawn(...pinned(SERVER, process.execPath, args), { env, stdio: ['ignore', log, 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}${probe}`))) {
    const late = performance.now() - began > PATIENCE_MS;
    if (late) child.kill('SIGKILL');
    if (late || child.exitCode !== null) throw new Error(`${args.join(' ')} does not answer`);
    await sleep(5);
  }
  const readyAfterMs = performance.now() - began;
  return { url, host: `altavoz.localhost:${port}`, pid: child.pid ?? 0, readyAfterMs, stop: () => stopped(child) };
}

export function answers(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(url, { headers, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode === 200 || res.statusCode === 204);
    });
    request.on('error', () => resolve(false));
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(impatience);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
