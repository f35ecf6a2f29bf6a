type LogLine = (facts: object, message: string) => void;

/** The logger of the sandbox: pino's loggers and `console` fit. */
export type Log = { debug: LogLine; warn: LogLine; error: LogLine };
