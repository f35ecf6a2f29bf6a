import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

const SCRIPTS = ['scripts/start.mjs', 'scripts/supervise.mjs', 'scripts/node-flags.mjs', 'scripts/stale-build.mjs'];

type Checkout = {
  build?: boolean;
  tools?: boolean;
  envFile?: string;
  env?: Record<string, string>;
  /** The outputs of `npm run build`. */
  script?: string;
};

const STAMP = "import fs from 'node:fs'; fs.mkdirSync('build/main', { recursive: true });";
const MAIN = "fs.writeFileSync('build/main/main.js', 'console.log(`rebuilt`)'); fs.writeFileSync('build/built', '');";

/** A small checkout whose source is newer than its build. @returns its folder */
async function checkOut({ build = true, tools = true, envFile, script = STAMP + MAIN }: Checkout): Promise<string> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-start-'));
  onTestFinished(() => fs.rm(root, { recursive: true, force: true }));
  const write = async (name: string, text: string) => {
    const file = path.join(root, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, text);
  };
  for (const name of SCRIPTS) await write(name, await fs.readFile(name, 'utf8'));
  await write('package.json', JSON.stringify({ type: 'module', scripts: { build: 'node build.mjs' } }));
  await write('build.mjs', script);
  if (tools) await write('node_modules/vite/package.json', '{}');
  if (envFile) await write('.env', envFile);
  if (build) {
    await write('build/main/main.js', 'console.log(`first build`)');
    await write('build/built', '');
    await fs.utimes(path.join(root, 'build/built'), 1000, 1000);
  }
  await write('server/main.ts', '');
  return root;
}

function run(root: string, env: Record<string, string> = {}) {
  const settings = { PATH: process.env.PATH, NODE_ENV: 'test' as const, ...env };
  return spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env: settings });
}

/** Runs scripts/start.mjs in a small checkout. @returns its output */
async function startIn(checkout: Checkout): Promise<string> {
  const child = run(await checkOut(checkout), checkout.env);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  await once(child, 'close');
  return output;
}

test('a source that is newer than the build is built again', async () => {
  expect(await startIn({})).toMatch(/^Building …\nBuilt in .*\nrebuilt\n$/);
});

test.each<[string, Checkout]>([
  ['in production', { env: { APP_ENV: 'production' } }],
  ['in production by a .env file', { envFile: 'APP_ENV=production\n' }],
  ['without the build tools', { tools: false }],
])('a finished build is never built again %s', async (_, checkout) => {
  expect(await startIn(checkout)).toBe('first build\n');
});

test('production builds if there is no build', async () => {
  expect(await startIn({ build: false, env: { APP_ENV: 'production' } })).toContain('rebuilt');
});

test('without a build and without the build tools, the start says what to do', async () => {
  expect(await startIn({ build: false, tools: false })).toBe(
    'There is no finished build, and the build tools are not installed. Run `npm ci && npm run build`.\n',
  );
});

/** A build that never ends, and that starts a program that never ends. */
const ENDLESS = `
  import { spawn } from 'node:child_process'; import fs from 'node:fs';
  const endless = 'setInterval(() => {}, 1000)';
  const { pid } = spawn(process.execPath, ['-e', endless], { stdio: 'ignore' });
  fs.writeFileSync('pids.partial', process.pid + ' ' + pid); fs.renameSync('pids.partial', 'pids');
  setInterval(() => {}, 1000);`;

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s during the build ends everything that it started',
  async (signal) => {
    const root = await checkOut({ script: ENDLESS });
    const child = run(root);
    const pids = await vi.waitFor(() => fs.readFile(path.join(root, 'pids'), 'utf8'), { timeout: 30_000 });

    child.kill(signal);
    const [code] = await once(child, 'exit');

    expect(code).toBe(0);
    await expect.poll(() => pids.split(' ').map(Number).filter(isAlive), { timeout: 10_000 }).toEqual([]);
  },
);
