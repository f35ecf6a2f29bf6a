export const PLAYER_LIMITS = { jumpSeconds: 5, volumeSteps: 10 } as const;

export const TOAST_LIMITS = { closesAfterMs: 5000 } as const;
