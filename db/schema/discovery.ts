import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, instant, ref, tsvector } from '../columns';

/**
 * The text that Discover searches and sorts by, one row per product that it may show. Triggers write everything except
 * the popularity, at the commit (docs/decisions/0167). It has no foreign key: checking one would lock products and
 * episodes once more.
 */
export const productSearch = pgTable(
  'product_search',
  {
    productId: ref('product_id').primaryKey(),
    kind: text('kind').$type<'podcast' | 'audio_series'>().notNull(),
    category: integer('category').notNull(),
    /** Without a region, in lower case. */
    language: text('language').notNull(),
    isFree: boolean('is_free').notNull(),
    /** The name without accents and in lower case. */
    sortName: text('sort_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Listens and downloads of the last 30 days, which a job counts. */
    popularity: integer('popularity').notNull().default(0),
    /** The words of the names of the product and of its creator. */
    names: tsvector('names').notNull(),
    /** The words of the description. */
    about: tsvector('about').notNull(),
  },
  (t) => [
    index('product_search_names').using('gin', t.names).with({ fastupdate: false }),
    index('product_search_about').using('gin', t.about).with({ fastupdate: false }),
    index('product_search_popular').on(t.popularity, t.productId),
    index('product_search_newest').on(t.createdAt, t.productId),
    index('product_search_by_name').on(t.sortName, t.productId),
    index('product_search_category').on(t.category, t.popularity),
    index('product_search_language').on(t.language, t.popularity, t.productId),
  ],
);

/** The words of each listed episode's name and description. Triggers write it. */
export const episodeSearch = pgTable(
  'episode_search',
  {
    episodeId: ref('episode_id').primaryKey(),
    productId: ref('product_id').notNull(),
    words: tsvector('words').notNull(),
  },
  (t) => [
    index('episode_search_words').using('gin', t.words).with({ fastupdate: false }),
    index('episode_search_of_product').on(t.productId),
  ],
);

/** Names that have appeared for the first time; a job moves their words into `search_words`. */
export const newSearchNames = pgTable('new_search_names', { id: id(), name: text('name').notNull() });

/** Words of names, which correct mistyped words. */
export const searchWords = pgTable(
  'search_words',
  { word: text('word').primaryKey(), uses: integer('uses').notNull() },
  (t) => [index('search_words_alike').using('gin', t.word.op('gin_trgm_ops'))],
);
