/** Newsletters. `contentLength`: characters of the content as HTML; more are refused before anything is parsed. */
export const EDITION_LIMITS = {
  contentLength: 100_000,
  /** Start and end tags that are read; later ones are removed. */
  tags: 10_000,
  /** Lists and quotations inside each other. */
  depth: 6,
  altLength: 300,
  labelLength: 100,
  /** In pixels, as wide as the column of an email at double density. */
  pictureWidth: 1200,
  pictureHeight: 4000,
  titleLength: 150,
  /** Of the HTML of an email, in bytes. Gmail cuts off what follows 102 KB; the warning comes before. */
  warnedBytes: 90 * 1024,
  maxBytes: 102 * 1024,
} as const;
