/** The service worker's URL path, in its own file, so that players load it without the rest. */
export const WORKER_PATH = '/sw.js';
