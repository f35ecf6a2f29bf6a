// The server that the browser journeys visit: the built app on freshly seeded data of its own.
import { spawnSync } from 'node:child_process';
import { bundle, ENTRIES } from './bundle.mjs';

const BUILT = 'node_modules/.cache/journey-data';

// from the sources, each of a hundred threads that measure an episode would load the TypeScript loader
const { main, ...threads } = ENTRIES;
await bundle({ ...threads, 'journey-data': 'scripts/journey-data.ts' }, BUILT);
const { status } = spawnSync(process.execPath, [`${BUILT}/journey-data.js`], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
await import('./start.mjs');
