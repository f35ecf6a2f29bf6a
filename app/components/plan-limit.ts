import { useEffect, useSyncExternalStore } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';

/** A feature that the plan does not include, for the studio's one pop-up about it (spec §2.4). */
let shown: string | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(message: string | null) {
  shown = message;
  for (const listener of listeners) listener();
}

/** Whether an error says that the creator's plan lacks a feature, or allows no more of something. */
export const isPlanLimit = (code: string | null): boolean =>
  code !== null && (code.startsWith('plan.') || code === 'episode.max_free_reached');

export const showPlanLimit = (message: string): void => set(message);
export const closePlanLimit = (): void => set(null);

export const usePlanLimit = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );

/** Opens the pop-up when the plan is the reason for a refused form. The message also stays beside the form. */
export function usePlanLimitOf(failure: FormFailure | undefined): void {
  useEffect(() => {
    if (failure && isPlanLimit(failure.code)) showPlanLimit(messageOf(failure));
    return closePlanLimit;
  }, [failure]);
}

const messageOf = ({ message, fields }: FormFailure): string => message ?? Object.values(fields).flat()[0] ?? '';
