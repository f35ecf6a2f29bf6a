import type { Language } from '~/locales/languages';
import type { Collection, FrontMatter } from './collections';

/** One text in one language. */
export type Entry = {
  [K in Collection]: {
    collection: K;
    /** The name of its file; translations have the same. */
    id: string;
    language: Language;
    slug: string;
    data: FrontMatter<K>;
    /** Safe HTML; links to the site begin with the language. */
    html: string;
    /** Without markup, for searching. */
    text: string;
    headings: { id: string; text: string }[];
    /** Of the language, title and text: the same text has the same hash in every process. */
    hash: string;
  };
}[Collection];

/** `file`: where the operator finds it. */
export type ContentProblem = { file: string; problem: string };
/** A picture that texts show, at `/content-pictures/{name}`. */
export type Picture = { name: string; file: string; bytes: number; width: number; height: number };

/** All texts that could be read; immutable, so a page sees one state of them. */
export type Library = { entries: readonly Entry[]; pictures: ReadonlyMap<string, Picture>; problems: ContentProblem[] };

/** Where the texts come from (server/runtime/content-folders.ts). */
export type ContentSource = {
  /** The texts as they were last read; reads them at the first call. */
  library(): Promise<Library>;
  /** Reads the texts again when their files change, and calls `onChange` afterwards. @returns stops watching */
  watch(onChange: () => void): () => void;
};

export type EntryOf<C extends Collection> = Extract<Entry, { collection: C }>;

export function entriesOf<C extends Collection>({ entries }: Library, collection: C, language: Language): EntryOf<C>[] {
  return entries.filter((entry): entry is EntryOf<C> => entry.collection === collection && entry.language === language);
}
