import { useEffect } from 'react';
import type { FormFailure } from './doors.server';
import type { ClientActionFunctionArgs } from './router';

export const OFFLINE = 'offline';
const RETRY_AFTER_MS = 10_000;

/** A request that never reached the server, or code that could not be loaded. Browsers throw a TypeError for both. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed|module/i.test(error.message);
}

/** Browsers detect only that there is no network at all. Otherwise the server, or the route to it, has failed. */
export function connectionProblem(): 'offline' | 'unreachable' {
  return typeof navigator !== 'undefined' && !navigator.onLine ? 'offline' : 'unreachable';
}

/**
 * The client action of pages with a form: without a connection, the user stays on the form, which retries (`useRetry`).
 * Otherwise the router would replace the page with the error page.
 */
export async function stayOffline({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    const failure: FormFailure = { ok: false, code: OFFLINE, fields: {}, message: null, values: {} };
    // only a Response keeps its status; without a status, the router would load the page's data again
    return Response.json(failure, { status: 503 });
  }
}

/** Calls `retry` when the connection is back, and at intervals, because browsers don't notice every lost connection. */
export function useRetry(isOffline: boolean, retry: () => void): void {
  useEffect(() => {
    if (!isOffline) return;
    const timer = setInterval(() => navigator.onLine && retry(), RETRY_AFTER_MS);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [isOffline, retry]);
}
