// `npm run build`: Remix's build, then the server's, then the stamp by which `npm start` knows whether a source is
// newer.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const STAMP = 'build/built';

const startedAt = Date.now() / 1000;
const { status } = spawnSync('node_modules/.bin/remix', ['vite:build'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await import('./build-server.mjs');
// The time of the start: a source saved during the build is newer.
fs.writeFileSync(STAMP, '');
fs.utimesSync(STAMP, startedAt, startedAt);
