import { id, job, LONG } from '../job';

/** Asks the language model for suggestions (suggestions/run-suggestions.ts). While it is away, it enqueues itself again. Most of its time is waiting. */
export const runSuggestions = job('suggestions.run', { runId: id }, { ...LONG, retryDelay: 5, workers: 4 });
