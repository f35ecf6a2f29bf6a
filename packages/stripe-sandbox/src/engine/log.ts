type LogLine = (facts: object, message: string) => void;

/** What the sandbox logs with: pino's loggers and `console` fit. */
export type Log = { debug: LogLine; warn: LogLine; error: LogLine };
