import { SECONDS } from '../base/time';
import { KILOBYTES, MEGABYTES } from './sizes';

/** The site's own texts, in files. */
export const CONTENT_LIMITS = {
  /** Of our folder and the operator's together. Further files are left out. */
  files: 2000,
  fileBytes: 200 * KILOBYTES,
  pictures: 500,
  pictureBytes: 2 * MEGABYTES,
  titleLength: 120,
  descriptionLength: 300,
  tags: 6,
  tagLength: 40,
  slugLength: 80,
  /** Days after which the words of a text are deleted if no process has the text any more. */
  wordsKeptDays: 30,
  /** How often the folders are compared with what was read. */
  checkedEvery: SECONDS(5),
} as const;

export const BLOG_LIMITS = {
  /** On the page of the blog, of a tag or of a search. */
  shown: 100,
  related: 3,
  inFeed: 20,
} as const;

/** The pages of the site whose text is a file of the same name in `pages`. */
export const NAMED_PAGES = ['features', 'hosting', 'manifesto', 'team', 'go-paid'] as const;
export type NamedPage = (typeof NAMED_PAGES)[number];

/** The legal pages, whose texts are files of the same names in `legal`, in the order of the footer. */
export const LEGAL_PAGES = ['terms', 'privacy', 'cookies', 'imprint', 'data-processing'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];
export const isLegalPage = (name: string): name is LegalPage => LEGAL_PAGES.some((page) => page === name);

/** `found`: in the studio's search. */
export const HELP_LIMITS = { related: 4, found: 5 } as const;
/** The readers of help, in the order of its page. */
export const HELP_AUDIENCES = ['creators', 'listeners', 'operators'] as const;
