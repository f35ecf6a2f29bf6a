import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '~/db/cluster/port';
import { SETTING_NAMES } from '~/server/env/read';
import { toolPath } from '../support/tools';

const read = (name: string) => fs.readFileSync(`deploy/${name}`, 'utf8');
const nginx = toolPath('nginx');
const systemd = toolPath('systemd-analyze');
const openssl = toolPath('openssl');

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'altavoz-deploy-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each(fs.readdirSync('deploy').filter((name) => !name.endsWith('ignore')))('%s says when to use it', (name) => {
  expect(read(name)).toMatch(name.endsWith('.json') ? /^ {2}"description": "Use it /m : /^# Use it /);
});

/** Writes nginx.conf with ports, files and a certificate that an unprivileged user may use. @returns its path */
function nginxFile(folder: string, ports = { http: 22080, https: 22443 }): string {
  const [cert, key] = [`${folder}/fullchain.pem`, `${folder}/privkey.pem`];
  const subject = ['-subj', '/CN=altavoz.example', '-keyout', key, '-out', cert];
  execFileSync(openssl!, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' });
  const site = read('nginx.conf')
    .replaceAll('/etc/letsencrypt/live/altavoz.example', folder)
    .replaceAll('/var/log/nginx', folder)
    .replace(/listen (\S*?)80\b/g, `listen $1${ports.http}`)
    .replace(/listen (\S*?)443\b/g, `listen $1${ports.https}`);
  const rest = `access_log ${folder}/access.log; ${temporaryPaths(folder)} ${site}`;
  const main = `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { ${rest} }`;
  fs.writeFileSync(`${folder}/nginx.conf`, main);
  return `${folder}/nginx.conf`;
}

test.skipIf(!nginx || !openssl)('nginx accepts the file (skipped where nginx or openssl is not installed)', () => {
  const file = nginxFile(temporaryFolder());

  const { status, stderr } = spawnSync(nginx!, ['-t', '-c', file], { encoding: 'utf8' });

  expect(stderr).toContain('syntax is ok');
  expect(status).toBe(0);
});

test.skipIf(!nginx || !openssl)(
  'nginx writes no token into a log, not even if no process answers (skipped where nginx or openssl is not installed)',
  async () => {
    const folder = temporaryFolder();
    const ports = { http: await freePort(), https: await freePort() };
    const file = nginxFile(folder, ports);
    // no process listens on port 1
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/127\.0\.0\.1:300[01]/g, '127.0.0.1:1'));
    const child = spawn(nginx!, ['-c', file, '-g', 'daemon off; master_process off;'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const statusOf = (url: string) => fetchInsecure(url).catch(() => null);
    const path = '/login?token=s3cret';

    await expect.poll(() => statusOf(`https://127.0.0.1:${ports.https}${path}`), { timeout: 10_000 }).toBe(502);
    const redirect = await fetchInsecure(`http://127.0.0.1:${ports.http}${path}`);
    child.kill('SIGQUIT');
    await once(child, 'exit');

    expect(redirect).toBe(308);
    const logs = fs.readdirSync(folder).filter((name) => name.endsWith('.log'));
    expect(logs.sort()).toEqual(['access.log', 'error.log']);
    for (const name of logs) expect(fs.readFileSync(`${folder}/${name}`, 'utf8')).not.toContain('s3cret');
  },
);

/** Accepts any certificate. @returns the status */
async function fetchInsecure(url: string): Promise<number | undefined> {
  const request = url.startsWith('https:') ? https.get(url, { rejectUnauthorized: false }) : http.get(url);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const temporaryPaths = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');

test('nginx neither buffers nor believes a visitor’s headers', () => {
  const site = read('nginx.conf');

  for (const line of ['proxy_buffering off', 'proxy_request_buffering off', 'client_max_body_size 0'])
    expect(site).toMatch(new RegExp(`${line.replace(' ', '\\s+')};`));
  expect(site).toMatch(/X-Forwarded-Host\s+""/);
  expect(site).toMatch(/X-Forwarded-For\s+\$remote_addr/);
});

test.skipIf(!systemd)('systemd accepts the units (skipped where systemd is not installed)', () => {
  const folder = temporaryFolder();
  // the program of ExecStart must exist
  for (const name of [
    'altavoz-web@.service',
    'altavoz-worker.service',
    'altavoz-backup.service',
    'altavoz-backup.timer',
  ])
    fs.writeFileSync(`${folder}/${name}`, read(name).replace('/usr/bin/node', process.execPath));
  const names = ['altavoz-web@3000.service', 'altavoz-worker.service', 'altavoz-backup.timer'];
  const units = names.map((name) => `${folder}/${name}`);

  const { status, stderr } = spawnSync(systemd!, ['verify', '--man=no', ...units], { encoding: 'utf8' });

  expect({ status, complaints: stderr.split('\n').filter((line) => line.includes('altavoz')) }).toEqual({
    status: 0,
    complaints: [],
  });
});

test('the timer starts a backup that may write where it is told to', () => {
  const unit = read('altavoz-backup.service');
  const [, folder] = /^ExecStart=.* --backup --to (\S+)/m.exec(unit)!;

  expect(unit).toMatch(new RegExp(`^ReadWritePaths=${folder}$`, 'm'));
  expect(read('altavoz-backup.timer')).toMatch(/^OnCalendar=/m);
});

test('both units differ only in what they run', () => {
  const body = (name: string) =>
    read(name)
      .replace(/^#.*\n/gm, '')
      .replace(/^(?:Description|Environment|ExecStart)=.*\n/gm, '');

  expect(body('altavoz-worker.service')).toBe(body('altavoz-web@.service'));
});

test('the image runs as another user than root, keeps its files read-only and checks its health', () => {
  const lines = read('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  expect(last).toContain('USER node');
  expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
  // copied files belong to root
  expect(last.filter((line) => line.startsWith('COPY ') && line.includes('--chown'))).toEqual([]);
  for (const [, source] of last.join('\n').matchAll(/--from=build \/app\/(\S+)/g))
    if (!/^(?:build|node_modules)$/.test(source!)) expect(fs.existsSync(source!), source).toBe(true);
});

test('pruning for the image leaves no link to a folder of the repository', () => {
  const folder = temporaryFolder();
  const [, prune = ''] = /&& (npm prune .*)/.exec(read('Dockerfile')) ?? [];
  const write = (name: string, content: object) => fs.writeFileSync(`${folder}/${name}`, JSON.stringify(content));
  fs.mkdirSync(`${folder}/packages/linked`, { recursive: true });
  fs.mkdirSync(`${folder}/node_modules`);
  fs.symlinkSync('../packages/linked', `${folder}/node_modules/linked`);
  write('package.json', { name: 'site', workspaces: ['packages/*'], devDependencies: { linked: '0.1.0' } });
  write('packages/linked/package.json', { name: 'linked', version: '0.1.0' });

  execFileSync(prune, ['--offline'], { cwd: folder, shell: true, stdio: 'ignore' });

  expect(prune).toContain('--omit=dev');
  expect(fs.readdirSync(`${folder}/node_modules`).filter((name) => !name.startsWith('.'))).toEqual([]);
});

test('the files for containers are YAML, and name settings that exist', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  const kamal = parse(read('kamal.yml'));
  const names = [
    ...Object.keys(compose.services.web.environment),
    ...Object.keys(compose.services.worker.environment),
    ...Object.keys(kamal.env.clear),
    ...kamal.env.secret,
  ];

  expect(names.filter((name) => ![...SETTING_NAMES, 'WORKER_PORT'].includes(name))).toEqual([]);
  for (const service of [compose.services.web, compose.services.worker]) expect(service.read_only).toBe(true);
  for (const role of Object.values<{ options: object }>(kamal.servers))
    expect(role.options).toMatchObject({ 'read-only': true });
  expect(kamal.proxy.buffering).toEqual({ requests: false, responses: false });
});
