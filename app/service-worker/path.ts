/** The service worker's address, in a file of its own: players load it without the rest. */
export const WORKER_PATH = '/sw.js';
