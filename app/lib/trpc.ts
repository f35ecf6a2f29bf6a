import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppRouter } from '~/server/trpc/router';
import { useTranslation } from './translation';
import { serverMessage } from './trpc-errors';

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
type Input<Called extends Name> = Of<Inputs, Called>;
type Answer<Called extends Name> = Of<Outputs, Called>;
type Asked<Called extends Name> = { data: Answer<Called> | undefined; isError: boolean; isFetching: boolean };

type Asks = Record<string, { fetch(input: unknown, options: object): Promise<unknown> }>;
type Changes = Record<string, { mutate(input: unknown): Promise<unknown> }>;

/**
 * The client is loaded when it is first needed: a page that only shows what its loader sent needs none. No caller can
 * abort the query, because others that ask the same share it.
 */
async function ask<Called extends Name>(name: Called, input: Input<Called>) {
  const { queries } = await import('./trpc-client');
  const [room, verb] = name.split('.') as [keyof typeof queries, string];
  return (queries[room] as unknown as Asks)[verb]!.fetch(input, { staleTime: 0 }) as Promise<Answer<Called>>;
}

async function send<Called extends Name>(name: Called, input: Input<Called>) {
  const { client } = await import('./trpc-client');
  const [room, verb] = name.split('.') as [keyof typeof client, string];
  return (client[room] as unknown as Changes)[verb]!.mutate(input) as Promise<Answer<Called>>;
}

type QueryOptions = {
  enabled?: boolean;
  /** Asks again after this time, while the tab is visible. */
  everyMs?: number;
  /** Keeps the former answer until the next one arrives. */
  keepsFormer?: boolean;
};

/**
 * Asks a procedure for an interactive part of the studio, such as availability. Pages load their data through loaders,
 * and forms submit to actions (docs/decisions/0084).
 */
export function useProcedure<Called extends Name>(
  name: Called,
  input: Input<Called>,
  { enabled = true, everyMs, keepsFormer = false }: QueryOptions = {},
): Asked<Called> {
  const asked = JSON.stringify(input ?? null);
  const [found, setFound] = useState<{ asked: string; data?: Answer<Called>; error?: unknown } | null>(null);
  useEffect(() => {
    if (!enabled) {
      // it may be out of date when the question is asked again
      setFound(null);
      return;
    }
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askOnce = async (): Promise<void> => {
      if (isOver) return;
      try {
        if (!everyMs || !document.hidden) {
          const data = await ask(name, JSON.parse(asked) ?? undefined);
          if (!isOver) setFound({ asked, data });
        }
      } catch (error) {
        if (!isOver) setFound({ asked, error });
      }
      if (everyMs && !isOver) timer = setTimeout(() => void askOnce(), everyMs);
    };
    void askOnce();
    return () => {
      isOver = true;
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
        const answer = await send(name, input);
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

/** A function that returns the message to show for a failed call, also when the user is offline. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  return (error) => serverMessage(error) ?? t(navigator.onLine ? 'common.something_went_wrong' : 'common.offline');
}
