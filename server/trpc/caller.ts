import { createCallerFactory } from './init';
import { appRouter } from './router';

/** Calls procedures in this process, as the doors for pages and REST do. */
export const createCaller = createCallerFactory(appRouter);
export type Caller = ReturnType<typeof createCaller>;
