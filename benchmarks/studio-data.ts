import { sql } from 'drizzle-orm';
import { prepareBenchmark } from './prepare-benchmark';

/** Numbers of a creator with many subscribers; everything else grows with them. */
export type Audience = { subscribers: number; sales: number; downloads: number; ledgerLines: number };

export const LARGE: Audience = { subscribers: 100_000, sales: 200_000, downloads: 1_000_000, ledgerLines: 600_000 };
export const SMALL: Audience = { subscribers: 1000, sales: 2000, downloads: 10_000, ledgerLines: 6000 };

export type PreparedStudio = Awaited<ReturnType<typeof prepareStudio>>;

/** A new database whose creator has that audience, written by SQL: the rooms would take days. */
export async function prepareStudio(audience: Audience) {
  const prepared = await prepareBenchmark();
  const { db, short } = prepared;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const step of rows(short, audience)) await tx.execute(sql.raw(step));
  });
  await db.execute(sql`analyze`);
  // the triggers were off
  await db.execute(
    sql`insert into holders (creator_id, product_id, user_id, since, paid_since, until, paid_until) select * from holder_facts`,
  );
  await db.execute(
    sql`insert into grant_counts select product_id, source, coalesce(ends_at, 'infinity')::date, count(*) from grants group by 1, 2, 3`,
  );
  await db.execute(
    sql`insert into subscription_sums
      select creator_id, product_id, currency, every, true, past_due_since is null and ends_at is null, count(*), sum(price_minor)
      from subscriptions where purpose = 'show' group by 1, 2, 3, 4, 5, 6`,
  );
  await db.execute(
    sql`insert into buyer_states (creator_id, product_id, user_id, since, state, begins, ends)
      select creator_id, product_id, user_id, since, state, begins, ends from buyer_state_facts`,
  );
  await db.execute(sql`select add_payable_sums(array_agg(id)) from ledger_lines where account = 'creator_payable'`);
  await db.execute(sql`vacuum analyze`);
  const [episode] = await db.execute<{ id: number }>(
    sql.raw(`select min(id)::int as id from episodes where product_id = ${short.id}`),
  );
  const [buyer] = await db.execute<{ id: number }>(sql`select max(user_id)::int as id from subscriptions`);
  return { ...prepared, episodeId: episode!.id, buyerId: buyer!.id, subscribers: audience.subscribers };
}

const DAYS_OF_DOWNLOADS = 14;

function rows(
  { id, creatorId }: { id: number; creatorId: number },
  { subscribers, sales, downloads, ledgerLines }: Audience,
): string[] {
  const entries = Math.floor(ledgerLines / 3);
  return [
    `update products set price_minor = 500, annual_price_minor = 5000 where id = ${id}`,
    `insert into creator_plans (creator_id, plan) values (${creatorId}, 'ULTRA')`,
    `insert into users (email, name, password_hash, country, language, currency, terms_accepted_at)
      select 'buyer' || n || '@mail.example', 'Buyer ' || n, 'none', 'ES', 'es', 'eur', now() from generate_series(1, ${subscribers}) n`,
    `create temp table bench_buyers as select id, row_number() over (order by id) as n from users where email like 'buyer%'`,
    `insert into grants (user_id, product_id, source, starts_at, drips_from, ends_at, renews)
      select id, ${id}, 'subscription', ${startOf}, ${startOf}, now() + (1 + n % 33) * interval '1 day', true from bench_buyers`,
    `insert into subscriptions (provider_id, customer_id, purpose, user_id, creator_id, product_id, status, price_minor, currency, every,
        checkout_id, started_at, period_start, period_end, ends_at, past_due_since, synced_at)
      select 'sub_' || n, 'cus_' || n, 'show', id, ${creatorId}, ${id}, case when n % 97 = 0 then 'past_due' else 'active' end, 500, 'eur', 'month',
        gen_random_uuid(), ${startOf}, now() - interval '1 day', now() + (1 + n % 30) * interval '1 day', case when n % 50 = 0 then now() + interval '20 days' end,
        case when n % 97 = 0 then now() - interval '2 days' end, now() from bench_buyers`,
    `insert into sales (payment_id, purpose, user_id, creator_id, product_id, name, every, amount_minor, currency, plan, commission_basis_points,
        commission_fixed_minor, commission_minor, paid_at, legal_entity, receipt_number, buyer, seller, subscription_id, period_start, period_end)
      select 'pi_' || s, 'show', b.id, ${creatorId}, ${id}, 'Ruido de fondo', 'month', 500, 'eur', 'ULTRA', 300, 30, 45,
        now() - (s % 360) * interval '1 day' - s * interval '1 second' / 100, 'Altavoz', s,
        jsonb_build_object('name', 'Buyer ' || b.n, 'street', null, 'postalCode', null, 'city', null, 'country', 'ES', 'taxNumber', null), 'Altavoz',
        u.id, u.period_start - (s - 1) / ${subscribers} * interval '1 month', u.period_end - (s - 1) / ${subscribers} * interval '1 month'
      from generate_series(1, ${sales}) s join bench_buyers b on b.n = 1 + s % ${subscribers} join subscriptions u on u.user_id = b.id`,
    `insert into ledger_entries (kind, key, sale_id, creator_id, product_id, at)
      select 'sale', 'sale/' || payment_id, id, ${creatorId}, ${id}, paid_at from sales order by id limit ${entries}`,
    `insert into ledger_lines (entry_id, account, creator_id, currency, amount_minor, available_at)
      select e.id, l.account, l.creator_id, 'eur', l.minor, case when l.creator_id is not null then e.at + interval '7 days' end
      from ledger_entries e, (values ('provider_balance', null, 500), ('commission', null, -45), ('creator_payable', ${creatorId}, -455)) l (account, creator_id, minor)`,
    `insert into downloads (day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes, first_at, counted_at, counted_in)
      select current_date - (n % ${DAYS_OF_DOWNLOADS}), ${creatorId}, ${id}, e.id, decode(md5(n::text), 'hex'), 'AntennaPod/3.0', '{}', 1000, now(), now(), 1
      from generate_series(1, ${downloads}) n
      join (select id, row_number() over (order by id) - 1 as i from episodes where product_id = ${id}) e on e.i = n % 20`,
    `insert into listening_days (creator_id, product_id, day, downloads) select creator_id, product_id, day, count(*) from downloads group by 1, 2, 3`,
    `insert into episode_totals (episode_id, creator_id, downloads) select episode_id, creator_id, count(*) from downloads group by 1, 2`,
  ];
}

/** Two years of new subscribers. */
const startOf = `now() - (n % 730) * interval '1 day' - n * interval '1 second' / 50`;
