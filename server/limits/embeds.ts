/** Of embedded players, in pixels. A player shows what fits into its frame. */
export const EMBED_SIZES = { width: 600, height: { episode: 180, product: 450 } } as const;
