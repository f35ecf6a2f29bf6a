// `npm start` and `npm run worker`: builds if there is no build, or outside of production if a source is newer, then
// runs the build in a child process, which is restarted after a crash. `npm run dev` (--dev) runs the sources instead.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { memoryEnv, nodeFlags } from './node-flags.mjs';
import { hasBuild, isBuildStale } from './stale-build.mjs';
import { STOP_SIGNALS, supervise } from './supervise.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILD_TOOL = 'node_modules/vite';

process.chdir(ROOT);
if (process.env.npm_lifecycle_event) followNpm();
if (process.argv.includes('--dev')) await runSources();
else await runBuild();

async function runSources() {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('../server/main.ts', import.meta.url).href);
}

async function runBuild() {
  if (isStale()) await buildAll();
  Object.assign(process.env, memoryEnv(), { NODE_ENV: 'production' });
  process.exit(await supervise([...nodeFlags(), 'build/main/main.js', ...process.argv.slice(2)]));
}

/** npm's shell does not forward SIGTERM, so losing that parent process counts as SIGTERM. */
function followNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

/** Production runs the existing build: its files may be read-only, and a checkout or a copy changes their times. */
function isStale() {
  if (!hasBuild()) return true;
  return !isProduction() && fs.existsSync(BUILD_TOOL) && isBuildStale();
}

/** The environment takes precedence over a `.env` file, as in server/env/read.ts. */
function isProduction() {
  const file = fs.existsSync('.env') ? parseEnv(fs.readFileSync('.env', 'utf8')) : {};
  return (process.env.APP_ENV?.trim() || file.APP_ENV?.trim()) === 'production';
}

async function buildAll() {
  if (!fs.existsSync(BUILD_TOOL)) {
    console.error('There is no finished build, and the build tools are not installed. Run `npm ci && npm run build`.');
    process.exit(1);
  }
  const began = Date.now();
  // a command may print JSON
  console.error('Building …');
  const child = spawn('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
    // a process group of its own, with all processes that npm starts
    detached: true,
  });
  const stop = () => process.exit(stopGroup(child));
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  const [code] = await once(child, 'exit');
  for (const signal of STOP_SIGNALS) process.off(signal, stop);
  if (code !== 0) {
    console.error('The build failed. Run `npm run build` to see its full output.');
    process.exit(1);
  }
  console.error(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/** No process of the build may outlive this one. @returns the exit code: a stopped start is not a failure */
function stopGroup({ pid }) {
  if (pid) process.kill(-pid, 'SIGKILL');
  return 0;
}
