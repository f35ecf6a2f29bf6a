// The server that the browser journeys visit: the built app on an empty data directory of its own.
import fs from 'node:fs';

fs.rmSync(process.env.DATA_DIR, { recursive: true, force: true, maxRetries: 5 });
await import('./start.mjs');
