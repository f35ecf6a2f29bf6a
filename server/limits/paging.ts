export const PAGE_LIMITS = { size: 20, maxSize: 100, latest: 5, shelf: 6, qrCodes: 1000 } as const;
