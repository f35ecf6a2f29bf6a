// The server that the browser journeys visit: the built app on freshly seeded data of its own.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/journey-data.ts'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
await import('./start.mjs');
