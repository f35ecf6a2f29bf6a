import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Benchmarks run the build. An existing build is not rebuilt, even if a source is newer. */
export function ensureBuilt(): void {
  if (existsSync('build/main/main.js') && existsSync('build/server/index.js')) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('the build failed: run `npm run build` to see why');
}
