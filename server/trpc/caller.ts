import { createCallerFactory } from './init';
import { appRouter } from './router';

/** Calls procedures in-process, for pages and REST. */
export const createCaller = createCallerFactory(appRouter);
export type Caller = ReturnType<typeof createCaller>;
