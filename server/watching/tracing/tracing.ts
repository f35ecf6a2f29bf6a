import type { IncomingMessage } from 'node:http';
import type { ObservedResponse } from '../observed-response';

/** Ends a span; with an error, as failed. */
export type EndSpan = (error?: unknown) => void;

/**
 * Traces of what this process does, for an OpenTelemetry collector (docs/decisions/0254). Spans have names, routes,
 * outcomes and the text of statements, never values, queries, addresses or tokens. Null if nothing is traced.
 */
export type Tracing = {
  /** Runs the handler of a request; its span ends with the response. */
  request(req: IncomingMessage, res: ObservedResponse, handle: () => void): void;
  /** One attempt of a job. */
  job<T>(job: { name: string; id: string }, work: () => Promise<T>): Promise<T>;
  /** A call to another service, such as `payments.charge`. */
  call<T>(name: string, work: () => T): T;
  /** An SQL statement; its parameters are not in the text. */
  statement(text: string): EndSpan;
  /** Sends the remaining spans. An unreachable collector delays this by a few seconds at most. */
  close(): Promise<void>;
};
