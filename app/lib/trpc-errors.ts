import type { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '~/server/trpc/router';
import { ProcedureError } from './procedures';

type Answered = { status: number; code: string; message: string; fields: Record<string, string[]> };

/** What the server has answered to a failed call; null if it was not reached. */
function answerOf(error: unknown): Answered | null {
  if (error instanceof ProcedureError) return error;
  // by its name, because its class comes with the client, which no page loads at first
  if (!(error instanceof Error) || error.name !== 'TRPCClientError') return null;
  const { data, message } = error as TRPCClientError<AppRouter>;
  if (!data) return null;
  return { status: data.httpStatus, code: data.app?.code ?? '', message, fields: data.fields ?? {} };
}

export const isUnauthorized = (error: unknown): boolean => answerOf(error)?.status === 401;

/** The code of an error that the server expected; null for others. */
export const errorCode = (error: unknown): string | null => answerOf(error)?.code || null;

/** The first error of each field that the server has refused; empty for other errors. */
export const fieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(answerOf(error)?.fields ?? {}).map(([name, [first = '']]) => [name, first]));

/** Whether the server says that the user is not, or no longer, logged in (spec §7). */
export const isLoggedOut = (error: unknown): boolean => [401, 403].includes(answerOf(error)?.status ?? 0);

/** Whether another attempt may succeed: the server was unreachable, is overloaded, or has failed. */
export function isTemporary(error: unknown): boolean {
  const status = answerOf(error)?.status ?? 503;
  return status === 429 || status >= 500;
}

/** The server's message of a failed call: the first field's, or the general one. Null if the server was not reached. */
export function serverMessage(error: unknown): string | null {
  const answer = answerOf(error);
  if (!answer) return null;
  return Object.values(answer.fields)[0]?.[0] ?? answer.message;
}
