export const PLAYER_LIMITS = {
  /** By the arrow keys (spec §4). */
  jumpSeconds: 5,
  /** By the buttons: back to what was missed, forward over what does not interest. */
  backSeconds: 15,
  forwardSeconds: 30,
  volumeSteps: 10,
} as const;

export const TOAST_LIMITS = { closesAfterMs: 5000 } as const;
