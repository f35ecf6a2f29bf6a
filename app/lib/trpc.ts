import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { useCallback, useEffect, useRef, useState } from 'react';
import { SECONDS } from '~/server/base/time';
import type { AppRouter } from '~/server/trpc/router';
import { mutateProcedure, ProcedureError, queryProcedure } from './procedures';
import { useTranslation } from './translation';

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;
/** `room.verb` */
type Name = { [Room in keyof Inputs & string]: `${Room}.${keyof Inputs[Room] & string}` }[keyof Inputs & string];
type Of<All, Called extends Name> = Called extends `${infer Room}.${infer Verb}`
  ? Room extends keyof All
    ? Verb extends keyof All[Room]
      ? All[Room][Verb]
      : never
    : never
  : never;
/** Dates arrive as strings: no library that revives them is loaded. */
type AsJson<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Key in keyof Value]: AsJson<Value[Key]> }
    : Value;
type Input<Called extends Name> = Of<Inputs, Called>;
type Answer<Called extends Name> = AsJson<Of<Outputs, Called>>;

type QueryOptions = {
  enabled?: boolean;
  /** Asks again after this time, while the tab is visible. */
  everyMs?: number;
  /** Keeps the former answer until the next one arrives. */
  keepsFormer?: boolean;
};

const ATTEMPTS = 3;

/**
 * Asks a procedure for an interactive part of the studio, such as availability. Pages load their data through loaders,
 * and forms submit to actions (docs/decisions/0084).
 */
export function useProcedure<Called extends Name>(
  name: Called,
  input: Input<Called>,
  { enabled = true, everyMs, keepsFormer = false }: QueryOptions = {},
) {
  const asked = JSON.stringify(input ?? null);
  const [found, setFound] = useState<{ asked: string; data?: Answer<Called>; error?: unknown } | null>(null);
  useEffect(() => {
    if (!enabled) return;
    const aborted = new AbortController();
    const { signal } = aborted;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (attempt = 1): Promise<void> => {
      try {
        if (!everyMs || !document.hidden) {
          const data = await queryProcedure<Answer<Called>>(name, JSON.parse(asked) ?? undefined, { signal });
          if (!signal.aborted) setFound({ asked, data });
        }
      } catch (error) {
        if (signal.aborted) return;
        if (attempt < ATTEMPTS && isTemporary(error)) {
          timer = setTimeout(() => void ask(attempt + 1), SECONDS(attempt));
          return;
        }
        setFound({ asked, error });
      }
      if (everyMs && !signal.aborted) timer = setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      aborted.abort();
      clearTimeout(timer);
    };
  }, [name, asked, enabled, everyMs]);
  const isAnswered = found?.asked === asked;
  return {
    data: isAnswered || keepsFormer ? found?.data : undefined,
    isError: isAnswered && found.error !== undefined,
    isFetching: enabled && !isAnswered,
  };
}

type Handlers<Called extends Name> = {
  /** The change is pending until this has ended. */
  onSuccess?: (answer: Answer<Called>) => Promise<void> | void;
  onError?: (error: unknown) => void;
};

/** A change by a procedure, such as a toggle or the ticket of an upload. */
export function useChange<Called extends Name>(name: Called, handlers: Handlers<Called> = {}) {
  const [pending, setPending] = useState(0);
  const latest = useRef(handlers);
  latest.current = handlers;
  const changeAsync = useCallback(
    async (input: Input<Called>): Promise<Answer<Called>> => {
      setPending((count) => count + 1);
      try {
        const answer = await mutateProcedure<Answer<Called>>(name, input, { keepalive: false });
        await latest.current.onSuccess?.(answer);
        return answer;
      } catch (error) {
        latest.current.onError?.(error);
        throw error;
      } finally {
        setPending((count) => count - 1);
      }
    },
    [name],
  );
  /** For callers that handle errors in `onError`. */
  const change = (input: Input<Called>) => void changeAsync(input).catch(() => {});
  return { changeAsync, change, isPending: pending > 0 };
}

const asProcedureError = (error: unknown) => (error instanceof ProcedureError ? error : null);

export const isUnauthorized = (error: unknown): boolean => asProcedureError(error)?.status === 401;

/** The code of an error that the server expected; null for others. */
export const errorCode = (error: unknown): string | null => asProcedureError(error)?.code || null;

/** Whether the server says that the user is not, or no longer, logged in (spec §7). */
export const isLoggedOut = (error: unknown): boolean => [401, 403].includes(asProcedureError(error)?.status ?? 0);

/** Whether another attempt may succeed: the server was unreachable, is overloaded, or has failed. */
export function isTemporary(error: unknown): boolean {
  const status = asProcedureError(error)?.status ?? 503;
  return status === 429 || status >= 500;
}

/** The server's message of a failed call: the first field's, or the general one. Null if the server was not reached. */
export function serverMessage(error: unknown): string | null {
  const answered = asProcedureError(error);
  if (!answered) return null;
  return Object.values(answered.fields)[0]?.[0] ?? answered.message;
}

/** A function that returns the message to show for a failed call, also when the user is offline. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  return (error) => serverMessage(error) ?? t(navigator.onLine ? 'common.something_went_wrong' : 'common.offline');
}
