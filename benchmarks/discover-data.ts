import path from 'node:path';
import type postgres from 'postgres';
import { openKeptDatabase } from './kept-database';

export const SIZES = { products: 100_000, creators: 5000, episodes: 2_000_000, words: 50_000, sentences: 20_000 };

const DIR = path.resolve('.data/bench-discover');

/**
 * A database with this many products and episodes, which is kept under `.data/bench-discover`. The tables of the search
 * are in memory, as after some hours of work.
 */
export async function prepareDiscover(sizes = SIZES) {
  const name = `discover_${sizes.products}_${sizes.episodes}`;
  const kept = await openKeptDatabase({ dir: DIR, name, fill: (sql) => fillDatabase(sql, sizes) });
  await kept.sql`create extension if not exists pg_prewarm`;
  await kept.sql`select pg_prewarm(oid) from pg_class where relname ~ '^(product|episode)_search|^products' and relkind in ('r', 'i')`;
  const words = await kept.sql<{ word: string }[]>`select word from bench_words order by i`;
  return { ...kept, words: words.map(({ word }) => word) };
}

/** Creates the large indexes at the end, from all rows at once. */
async function fillDatabase(sql: postgres.Sql, sizes: typeof SIZES): Promise<void> {
  await sql.unsafe('select setseed(0.5)');
  const steps = [...texts(sizes), ...rows(sizes), ...documents()];
  for (const step of steps) await sql.unsafe(step);
}

/** Words of three syllables, the first ones far more frequent than the last ones, and sentences of them. */
function texts({ words, sentences }: typeof SIZES): string[] {
  const syllable = (n: string) => `substr('bcdfglmnprst', 1 + ${n} % 12, 1) || substr('aeiou', 1 + (${n} / 12) % 5, 1)`;
  const sentence = (length: number) => `
    select n as i, string_agg(word, ' ') as txt
    from (select n, 1 + floor(${words} * power(random(), 3))::int as i from generate_series(0, ${sentences - 1}) n, generate_series(1, ${length})) drawn
    join bench_words using (i) group by n`;
  return [
    `create table bench_words as select i, ${syllable('i')} || ${syllable('(i / 60)')} || ${syllable('(i / 7)')} || case when i >= 3600 then ${syllable('(i / 3600)')} else '' end as word
      from generate_series(1, ${words}) i`,
    `create table bench_names as ${sentence(4)}`,
    `create table bench_texts as ${sentence(12)}`,
    'analyze bench_words, bench_names, bench_texts',
  ];
}

function rows({ products, creators, episodes, sentences }: typeof SIZES): string[] {
  return [
    `insert into users (email, name, password_hash, country, language, currency, terms_accepted_at)
      select 'c' || n || '@mail.example', 'Creator ' || n, 'none', 'ES', 'es', 'eur', now() from generate_series(1, ${creators}) n`,
    `insert into creators (user_id, name, domain, claimed_at)
      select u.id, initcap(w.word) || ' ' || initcap(v.word), 'creator-' || u.id, now()
      from users u join bench_words w on w.i = 1 + u.id % 40000 join bench_words v on v.i = 1 + (u.id * 7919) % 40000`,
    `insert into domains (domain, creator_id, claimed_at) select domain, id, claimed_at from creators`,
    `insert into products (creator_id, kind, name, slug, description, category, language, cover_key, price_minor, currency, feed_guid, created_at, changed_at)
      select 1 + n % ${creators}, case when n % 5 = 0 then 'audio_series' else 'podcast' end, initcap(s.txt), 'show-' || n,
        t1.txt || '. ' || t2.txt || '. Edición número ' || n, (array[100,101,102,200,201,300,400,500,501,600,700,800,801,900,1000,1001,1100,1200,1300,1400,1500,1501])[1 + n % 22],
        (array['es','es','es','en','en','pt','fr','es-419','de','ja'])[1 + (n / 22) % 10], 'images/0/none', case when n % 4 = 0 then 500 end, 'eur', gen_random_uuid(),
        now() - n * interval '1 minute', now()
      from generate_series(1, ${products}) n join bench_names s on s.i = n * 7919::bigint % ${sentences}
      join bench_texts t1 on t1.i = n * 104729::bigint % ${sentences} join bench_texts t2 on t2.i = n * 1299709::bigint % ${sentences}`,
    `insert into episodes (creator_id, product_id, name, slug, description, type, status, release_at, published_at, guid, upload_key, file_name, audio_key, audio_bytes, duration_ms)
      select 1 + (1 + n % ${products}) % ${creators}, 1 + n % ${products}, s.txt || case when n % 20 = 0 then ' unico' || n else '' end, 'episode-' || n,
        '<p>' || t1.txt || '. ' || t2.txt || '.</p>', case when n % 7 = 0 then 'private' else 'public' end, 'published', now() - n * interval '1 second',
        now(), 'g' || n, 'u' || n, 'audio.mp3', 'audio/0/0.mp3', 1000000, 1800000
      from generate_series(1, ${episodes}) n join bench_names s on s.i = n * 7907::bigint % ${sentences}
      join bench_texts t1 on t1.i = n * 104723::bigint % ${sentences} join bench_texts t2 on t2.i = n * 1299721::bigint % ${sentences}`,
  ];
}

function documents(): string[] {
  return [
    'analyze users, creators, products, episodes',
    'drop index product_search_names, product_search_about, episode_search_words',
    `insert into episode_search (episode_id, product_id, words)
      select e.id, e.product_id, strip(to_tsvector(search_config(p.language), search_text(e.name) || ' ' || search_text_of_html(e.description)))
      from episodes e join products p on p.id = e.product_id where e.type <> 'private' or p.price_minor is not null`,
    // the next statement finds an episode of each product, which needs an index and statistics
    'analyze episode_search',
    'select index_product_for_search(id) from products',
    `update product_search set popularity = (1000000 * power(random(), 6))::int`,
    'create index product_search_names on product_search using gin (names) with (fastupdate = false)',
    'create index product_search_about on product_search using gin (about) with (fastupdate = false)',
    'create index episode_search_words on episode_search using gin (words) with (fastupdate = false)',
    'insert into search_words (word, uses) select word, 50001 - min(i) from bench_words group by word',
    'vacuum analyze product_search, episode_search, search_words, products, episodes, creators',
  ];
}
