import * as catalog from './catalog';
import type { Job } from './job';

/** Every job of the catalog. */
export const ALL_JOBS = Object.values(catalog) as Job<unknown>[];
