const FLAG = '--max-semi-space-size';

/**
 * Flags of Node.js for the web server and the worker; NODE_OPTIONS takes precedence. A page's data is garbage a moment
 * after it is sent; with V8's own 16 MB, much of it moves to the old generation first (docs/decisions/0141).
 */
export const nodeFlags = ({ NODE_OPTIONS = '' } = process.env) => (NODE_OPTIONS.includes(FLAG) ? [] : [`${FLAG}=32`]);
