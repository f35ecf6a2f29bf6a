export const PLAYER_LIMITS = {
  /** Jump of the arrow keys (spec §9). */
  jumpSeconds: 5,
  /** Jumps of the buttons: back to a missed passage, forward over a boring one. */
  backSeconds: 15,
  forwardSeconds: 30,
  volumeSteps: 10,
  /** Refresh interval of the seek bar. */
  refreshMs: 20,
  /**
   * Distance before a remembered position, and before the place that the pop-up jumps to when the cover is tapped (spec
   * §9).
   */
  jumpsPastSeconds: 2,
  slowest: 0.5,
  fastest: 3,
  /** How often a position is saved during playback. */
  savedEveryMs: 10_000,
  /** Episodes whose positions a browser remembers. */
  positions: 200,
  queue: 100,
  sleepMinutes: [5, 10, 15, 30, 45, 60],
} as const;

export const TOAST_LIMITS = { closesAfterMs: 5000 } as const;
