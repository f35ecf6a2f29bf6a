import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundledServer } from '../support/bundled-server';
import { supervise, until } from '../support/supervised';

/** Prints the process id, and throws an unhandled error on SIGWINCH, a signal with no other use here. */
const CRASHES_ON_SIGNAL = `console.log('pid ' + process.pid); process.on('SIGWINCH', () => setImmediate(() => { throw new Error('unhandled'); }));`;
/** Prints a line once the supervisor has been told: a process that dies before that has failed to start. */
const READY = `process.send('ready', () => console.log('ready'));`;

const superviseScript = (script: string) => supervise(['--input-type=module', '-e', script]);

test('a process that crashes is restarted, after a longer pause each time', async () => {
  const supervised = superviseScript(`${CRASHES_ON_SIGNAL} ${READY} setInterval(() => {}, 1000);`);
  const ready = (times: number) => until(() => supervised.output.match(/^ready$/gm)?.length === times);
  await ready(1);

  process.kill(supervised.pids()[0]!, 'SIGKILL');
  await ready(2);
  process.kill(supervised.pids()[1]!, 'SIGWINCH');
  await ready(3);
  supervised.kill('SIGTERM');
  await supervised.exit;

  expect(supervised.output).toContain('Altavoz crashed (SIGKILL). Restarting in 0.5 s.');
  expect(supervised.output).toContain('Altavoz crashed (exit code 1). Restarting in 1 s.');
  expect(supervised.pids()).toHaveLength(3);
});

test('a process that fails to start is not restarted', async () => {
  const supervised = superviseScript(`console.log('pid ' + process.pid); process.exit(3);`);

  const [code] = await supervised.exit;

  expect([code, supervised.pids().length]).toEqual([3, 1]);
});

test('after a start that succeeded, failed starts are repeated until one succeeds', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-starts-'));
  onTestFinished(() => fs.rm(folder, { recursive: true }));
  const away = path.join(folder, 'away');
  const failing = `import fs from 'node:fs'; if (fs.existsSync(${JSON.stringify(away)})) process.exit(1);`;
  const supervised = superviseScript(`${failing} ${CRASHES_ON_SIGNAL} ${READY} setInterval(() => {}, 1000);`);
  const count = (text: string) => supervised.output.split(text).length - 1;
  await until(() => count('\nready') === 1);

  await fs.writeFile(away, '');
  process.kill(supervised.pids()[0]!, 'SIGKILL');
  await until(() => count('failed to start') === 6);
  await fs.rm(away);
  await until(() => count('\nready') === 2);
  supervised.kill('SIGTERM');
  const [code] = await supervised.exit;

  expect(supervised.output).toContain('Altavoz failed to start (exit code 1). Restarting in 1 s.');
  expect(supervised.output).not.toContain('Restarting in 10 s.');
  expect([code, supervised.pids().length]).toEqual([0, 2]);
});

test('a signal that arrives before the process listens for it is no failure', async () => {
  const supervised = superviseScript(`console.log('pid ' + process.pid); setInterval(() => {}, 1000);`);
  await until(() => supervised.pids().length === 1);

  supervised.kill('SIGTERM');
  const [code] = await supervised.exit;

  expect([code, supervised.pids().length]).toEqual([0, 1]);
});

test('after an unhandled error a worker logs it and restarts, and the embedded database keeps running', async () => {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-supervise-'));
  // below a private directory, root keeps the cluster elsewhere
  await fs.chmod(dataDir, 0o755);
  onTestFinished(() => fs.rm(dataDir, { recursive: true, force: true }));
  const preload = `data:text/javascript,${encodeURIComponent(CRASHES_ON_SIGNAL)}`;
  const { main, remove } = await bundledServer();
  onTestFinished(remove);
  const args = ['--import', preload, main, '--worker'];
  const supervised = supervise(args, { DATABASE_URL: '', DATA_DIR: dataDir, LOG_LEVEL: 'info', WORKER: 'inline' });
  const starts = () => supervised.output.split('worker ready').length - 1;
  const databasePid = async () =>
    (await fs.readFile(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0];
  await until(() => starts() === 1);
  const pidBefore = await databasePid();

  process.kill(supervised.pids()[0]!, 'SIGWINCH');
  await until(() => starts() === 2);
  const pidAfter = await databasePid();
  supervised.kill('SIGTERM');
  const [code] = await supervised.exit;

  expect(supervised.output).toContain('stopping after an unhandled error');
  expect(pidAfter).toBe(pidBefore);
  expect(code).toBe(0);
  await expect(databasePid()).rejects.toThrow('ENOENT');
});
