import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryEnv, nodeFlags } from '../scripts/node-flags.mjs';
import { childOf, pinToCore } from './machine';

export type Server = { url: string; host: string; pid: number; readyAfterMs: number; stop(): Promise<void> };

const SERVER = 1;
const TIMEOUT_MS = 30_000;

/** Starts the built app as in production: one process, with its log in a file. */
export async function startApp(
  prepared: { databaseUrl: string; dataDir: string },
  extraEnv: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort();
  const env = {
    ...process.env,
    ...memoryEnv(),
    NODE_ENV: 'production' as const,
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: `http://altavoz.localhost:${port}`,
    DATABASE_URL: prepared.databaseUrl,
    DATA_DIR: prepared.dataDir,
    WORKER: 'off',
    // without these, the process would also run the local inbox and the Stripe sandbox
    APP_ENV: 'production',
    APP_SECRET: 'benchmarks have nothing to keep private',
    SMTP_URL: 'smtp://127.0.0.1:9',
    OPERATOR_NAME: 'Altavoz',
    OPERATOR_EMAIL: 'hello@altavoz.example',
    CREATOR_HOST_PREFIX: 'staging-',
    ...extraEnv,
  };
  return startNode([...nodeFlags(), 'build/main/main.js'], port, {
    env,
    probe: '/healthz',
    log: openSync(`${prepared.dataDir}.log`, 'w'),
  });
}

/** Starts a bare node:http server that sends `body` for every request; `works`: after a fixed amount of JavaScript. */
export async function startBare(body: string | Buffer, { works = false } = {}): Promise<Server> {
  const dir = await mkdtemp(path.join(tmpdir(), 'altavoz-bench-'));
  const file = path.join(dir, 'body');
  await writeFile(file, body);
  const port = await freePort();
  const server = await startNode(['benchmarks/bare-server.mjs', String(port), file, ...(works ? ['work'] : [])], port);
  await rm(dir, { recursive: true });
  return server;
}

/** Starts a script on the server's core; its first argument is the port to listen on. */
export async function startScript(file: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Server> {
  const port = await freePort();
  return startNode(['--import', 'tsx', file, String(port), ...args], port, { env });
}

type Nginx = Omit<Server, 'host' | 'readyAfterMs'>;

/** Starts nginx with one worker, which serves `file` at `/audio.mp3`. `pid` is the worker's. */
export const startNginx = (file: string): Promise<Nginx> =>
  runNginx('/audio.mp3', () => ({
    http: 'access_log off; sendfile on;',
    location: `alias ${file}; types {} default_type audio/mpeg;`,
  }));

/** Starts nginx with one worker, which keeps the app's answer for `path` in its proxy cache and logs each request. */
export const startNginxCache = (app: Server, path: string, headers: Record<string, string>): Promise<Nginx> =>
  runNginx(path, (dir) => ({
    http: `access_log ${dir}/access.log; sendfile on; proxy_cache_path ${dir}/cache keys_zone=pages:10m;`,
    location: `proxy_pass ${app.url}; proxy_cache pages; proxy_cache_valid 200 1h; proxy_cache_key $uri;
      proxy_ignore_headers Cache-Control Vary Expires;
      ${Object.entries(headers)
        .map(([name, value]) => `proxy_set_header ${name} "${value}";`)
        .join(' ')}`,
  }));

async function runNginx(at: string, configure: (dir: string) => { http: string; location: string }): Promise<Nginx> {
  const dir = await mkdtemp(path.join(tmpdir(), 'altavoz-nginx-'));
  const config = path.join(dir, 'nginx.conf');
  const port = await freePort();
  await writeFile(config, nginxConfig(dir, port, { at, ...configure(dir) }));
  const args = ['-c', config, '-p', dir, '-e', 'stderr'];
  const child = spawn(...pinToCore(SERVER, 'nginx', args), { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}${at}`;
  for (let i = 0; i < 200 && !(await isAnswering(url)); i++) await sleep(20);
  return {
    url,
    pid: childOf(child.pid ?? 0),
    async stop() {
      await stopProcess(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function nginxConfig(dir: string, port: number, site: { at: string; http: string; location: string }): string {
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const server = `server { listen 127.0.0.1:${port}; location = ${site.at} { ${site.location} } }`;
  return `daemon off; worker_processes 1; ${user} pid ${dir}/pid; error_log stderr crit; events {}
    http { keepalive_requests 1000000; ${tempPaths} ${site.http} ${server} }`;
}

type Start = { env?: NodeJS.ProcessEnv; probe?: string; log?: number | 'ignore' };

/** Starts Node and waits until it answers the probe. */
async function startNode(args: string[], port: number, start: Start = {}): Promise<Server> {
  const { env = process.env, probe = '/', log = 'ignore' } = start;
  const startedAt = performance.now();
  const child = spawn(...pinToCore(SERVER, process.execPath, args), { env, stdio: ['ignore', log, 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isAnswering(`${url}${probe}`))) {
    const isLate = performance.now() - startedAt > TIMEOUT_MS;
    if (isLate) child.kill('SIGKILL');
    if (isLate || child.exitCode !== null) throw new Error(`${args.join(' ')} does not respond`);
    await sleep(5);
  }
  const readyAfterMs = performance.now() - startedAt;
  return { url, host: `altavoz.localhost:${port}`, pid: child.pid ?? 0, readyAfterMs, stop: () => stopProcess(child) };
}

export function isAnswering(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(url, { headers, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode === 200 || res.statusCode === 204);
    });
    request.on('error', () => resolve(false));
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await exited;
  clearTimeout(killTimer);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
