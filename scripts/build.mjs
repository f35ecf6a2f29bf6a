// `npm run build`: a check of the site's texts, Remix's build, then the server's, then the stamp by which `npm start` finds out whether a source is
// newer. With --if-stale, it builds only then.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { isBuildStale, STAMP } from './stale-build.mjs';

if (process.argv.includes('--if-stale') && !isBuildStale()) {
  console.log('The build is up to date.');
  process.exit();
}
const startedAt = Date.now() / 1000;
// a killed build is incomplete
fs.rmSync(STAMP, { force: true });
const checked = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-content.mjs'], { stdio: 'inherit' });
if (checked.status !== 0) process.exit(checked.status ?? 1);
const { status } = spawnSync('node_modules/.bin/remix', ['vite:build'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await import('./build-server.mjs');
fs.writeFileSync(STAMP, '');
fs.utimesSync(STAMP, startedAt, startedAt);
