// Loaded before a server (`--import`): appends each collection of garbage to the file GC_PAUSES, as its start and its length in milliseconds.
import { appendFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    appendFileSync(process.env.GC_PAUSES, `${startTime} ${duration}\n`);
}).observe({ entryTypes: ['gc'] });
