const FLAG = '--max-semi-space-size';

/**
 * Flags of Node.js for the web server and the worker; NODE_OPTIONS takes precedence. A page's data becomes garbage
 * right after it is sent; with V8's own 16 MB, much of it moves to the old generation first (docs/decisions/0141).
 */
export const nodeFlags = ({ NODE_OPTIONS = '' } = process.env) => (NODE_OPTIONS.includes(FLAG) ? [] : [`${FLAG}=32`]);

/**
 * Threads that resize pictures and read files fragment memory; fewer arenas of glibc reduce that (docs/decisions/0141).
 */
export const memoryEnv = ({ MALLOC_ARENA_MAX = '2' } = process.env) => ({ MALLOC_ARENA_MAX });
