/** Whether a user waits for a call. */
export type Urgency = 'waited_for' | 'background';

/** The turns of calls to a service that limits their number. */
export type Turns = {
  /** Waits for a turn. @returns false after `patienceMs` without one, or at once if too many are waiting */
  take(urgency: Urgency, patienceMs: number): Promise<boolean>;
};
