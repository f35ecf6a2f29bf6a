const FLAG = '--max-semi-space-size';

/**
 * Flags of Node.js for the web server and the worker; NODE_OPTIONS takes precedence. A page's data is garbage a moment
 * after it is sent; with V8's own 16 MB, much of it moves to the old generation first (docs/decisions/0141).
 */
export const nodeFlags = ({ NODE_OPTIONS = '' } = process.env) => (NODE_OPTIONS.includes(FLAG) ? [] : [`${FLAG}=32`]);

/**
 * Threads that resize pictures and read files leave holes in memory; with fewer arenas of glibc there are fewer of them
 * (docs/decisions/0141).
 */
export const memoryEnv = ({ MALLOC_ARENA_MAX = '2' } = process.env) => ({ MALLOC_ARENA_MAX });
