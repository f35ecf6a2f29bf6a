import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '~/db/cluster/port';
import { startEmbedded } from '~/db/embedded';
import { pgbouncer } from '../../tests/support/pgbouncer';
import { startS3Stub } from '../../tests/support/s3-stub';
import { childOf } from '../machine';
import { isAnswering } from '../servers';

export type Member = {
  name: string;
  /** The connections of each of its pools that are in use. */
  usedConnections(): Promise<Record<string, number>>;
  /**
   * Kills it as a lost machine would, and waits until its supervisor has restarted it and it answers. @returns seconds
   */
  kill(): Promise<number>;
  stop(): Promise<void>;
};
export type Cluster = {
  /** The port of nginx, in front of the web processes. */
  port: number;
  env: Record<string, string>;
  databaseUrl: string;
  members: Member[];
  stop(): Promise<void>;
};

const METRICS_TOKEN = 'a token for the metrics of the proof';
const METRICS = { authorization: `Bearer ${METRICS_TOKEN}` };
const START_TIMEOUT_MS = 120_000;
/** Two web and two worker processes have pools of up to 30 connections each. */
const POOLED_CONNECTIONS = 80;

/** Two web and two worker processes behind nginx, on one Postgres behind PgBouncer and one S3 server. */
export async function startCluster(dir: string, port: number): Promise<Cluster> {
  await mkdir(path.join(dir, 'logs'), { recursive: true });
  const database = await startEmbedded({ dir: path.join(dir, 'postgres') });
  const pooler = await pgbouncer('pgbouncer', database.url, { poolSize: POOLED_CONNECTIONS });
  const s3 = await startS3Stub();
  const env: Record<string, string> = {
    APP_URL: `http://altavoz.localhost:${port}`,
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: database.url,
    DATABASE_PREPARE: '0',
    DATA_DIR: path.resolve('.data/journeys'),
    STORAGE_DRIVER: 's3',
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    S3_FORCE_PATH_STYLE: '1',
    LOG_LEVEL: 'warn',
    // nginx adds the address that it sees; journeys send their own addresses before it
    TRUST_PROXY: '2',
    FETCH_ALLOW_LOOPBACK: '1',
    METRICS_TOKEN,
    SEED_DEMO: '0',
  };
  await finish(spawn(process.execPath, ['--import', 'tsx', 'scripts/journey-data.ts'], launch(env)));
  const ports = await Promise.all(Array.from({ length: 4 }, () => freePort()));
  const members = await Promise.all([
    ...ports
      .slice(0, 2)
      .map((own, at) => startMember(`web ${at + 1}`, dir, { ...env, PORT: `${own}`, WORKER: 'off' }, own)),
    ...ports.slice(2).map((own, at) => startMember(`worker ${at + 1}`, dir, { ...env, WORKER_PORT: `${own}` }, own)),
  ]);
  const nginx = await startProxy(dir, port, ports.slice(0, 2));
  const stop = async () => {
    await nginx.stop();
    await Promise.all(members.map((member) => member.stop()));
    await pooler.close();
    await s3.close();
    await database.stop({ force: true });
  };
  return { port, env, databaseUrl: database.url, members, stop };
}

const launch = (env: Record<string, string>) => ({ env: { ...process.env, ...env }, stdio: 'inherit' as const });

async function finish(child: ReturnType<typeof spawn>): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} exited with ${code}`);
}

/** `port` answers `/readyz`. */
async function startMember(name: string, dir: string, env: Record<string, string>, port: number): Promise<Member> {
  const log = openSync(path.join(dir, 'logs', `${name.replace(' ', '-')}.log`), 'w');
  const args = ['scripts/start.mjs', ...(env.WORKER_PORT ? ['--worker'] : [])];
  const supervisor = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  const isReady = () => isAnswering(`http://127.0.0.1:${port}/readyz`);
  await waitFor(isReady, name);
  return {
    name,
    async usedConnections() {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: METRICS });
      const used = [
        ...(await answer.text()).matchAll(/^database_pool_connections\{pool="(\w+)",state="used"\} (\d+)/gm),
      ];
      if (used.length === 0) throw new Error(`${name} has no metrics: ${answer.status}`);
      return Object.fromEntries(used.map(([, pool, count]) => [`${name}, ${pool}`, Number(count)]));
    },
    async kill() {
      const began = performance.now();
      const victim = childOf(supervisor.pid!);
      process.kill(victim, 'SIGKILL');
      await waitFor(async () => {
        const next = childOf(supervisor.pid!);
        return next > 0 && next !== victim && isReady();
      }, name);
      return (performance.now() - began) / 1000;
    },
    async stop() {
      supervisor.kill('SIGTERM');
      if (supervisor.exitCode === null) await once(supervisor, 'exit');
    },
  };
}

async function startProxy(dir: string, port: number, upstreams: number[]) {
  const config = path.join(dir, 'nginx.conf');
  await writeFile(config, proxyConfig(dir, port, upstreams));
  const child = spawn('nginx', ['-c', config, '-p', dir, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await waitFor(() => isAnswering(`http://127.0.0.1:${port}/readyz`), 'nginx');
  return {
    async stop() {
      child.kill('SIGQUIT');
      await once(child, 'exit');
    },
  };
}

/** The directives of deploy/nginx.conf without TLS. */
function proxyConfig(dir: string, port: number, upstreams: number[]): string {
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const servers = upstreams.map((own) => `server 127.0.0.1:${own} max_fails=1 fail_timeout=2s;`).join(' ');
  return `daemon off; worker_processes 1; ${user} pid ${dir}/nginx.pid; error_log stderr crit;
    events { worker_connections 2048; }
    http {
      access_log off; ${tempPaths}
      upstream altavoz { ${servers} keepalive 64; }
      server {
        listen 127.0.0.1:${port}; client_max_body_size 0;
        location / {
          proxy_pass http://altavoz; proxy_http_version 1.1; proxy_set_header Connection '';
          proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;
          proxy_buffering off; proxy_buffer_size 32k; proxy_buffers 8 32k; proxy_request_buffering off; proxy_read_timeout 1h; proxy_send_timeout 1h;
          proxy_next_upstream error timeout http_503;
        }
      }
    }`;
}

async function waitFor(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS;
  while (!(await isDone().catch(() => false))) {
    if (performance.now() > until) throw new Error(`${what} is not ready after ${START_TIMEOUT_MS / 1000} s`);
    await sleep(50);
  }
}
