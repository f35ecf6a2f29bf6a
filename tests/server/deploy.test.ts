import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
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

test.skipIf(!nginx || !openssl)('nginx accepts the file (skipped where nginx or openssl is not installed)', () => {
  const folder = temporaryFolder();
  const [cert, key] = [`${folder}/fullchain.pem`, `${folder}/privkey.pem`];
  const subject = ['-subj', '/CN=altavoz.example', '-keyout', key, '-out', cert];
  execFileSync(openssl!, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' });
  // an unprivileged user may neither bind these ports nor read these files
  const site = read('nginx.conf')
    .replaceAll('/etc/letsencrypt/live/altavoz.example', folder)
    .replace(/listen (\S*?)(80|443)\b/g, (_, host, port) => `listen ${host}${port.padStart(5, '2')}`);
  const main = `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporaryPaths(folder)} ${site} }`;
  fs.writeFileSync(`${folder}/nginx.conf`, main);

  const { status, stderr } = spawnSync(nginx!, ['-t', '-c', `${folder}/nginx.conf`], { encoding: 'utf8' });

  expect(stderr).toContain('syntax is ok');
  expect(status).toBe(0);
});

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
