/** Sizes of embedded players, in pixels. A player shows as much as fits into its frame. */
export const EMBED_SIZES = { width: 600, height: { episode: 180, product: 450 } } as const;

/** Size of the pictures of link previews, in pixels: the size that social networks show large. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;
