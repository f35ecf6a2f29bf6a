import { type SQL, sql } from 'drizzle-orm';
import { shownName } from './tables';

/**
 * Sheets that a creator opens in a spreadsheet, or gives to another host. The tables in `data` contain the same and
 * more.
 */
export function sheetsOf(creatorId: number): Record<string, SQL> {
  const shows = sql`(select id from products where creator_id = ${creatorId})`;
  return {
    shows: sql`
      select id, kind, name, slug, language, price_minor, annual_price_minor, currency, feed_guid, created_at, retired_at
      from products where creator_id = ${creatorId} order by id`,
    episodes: sql`
      select e.id, p.name as show, e.name, e.slug, e.type, e.status, e.release_at, e.season, e.number, e.guid,
        e.duration_ms, e.audio_bytes, coalesce(t.listens, 0)::float8 as listens,
        coalesce(t.downloads, 0)::float8 as downloads, e.description
      from episodes e join products p on p.id = e.product_id left join episode_totals t on t.episode_id = e.id
      where e.creator_id = ${creatorId} and e.deleted_at is null order by e.id`,
    contacts: sql`
      select email, name, case when status = 'inactive' then coalesce(inactive_as, 'unsubscribed') else status end as status,
        status_reason, status_at, language, since,
        (select string_agg(s.source, ', ' order by s.created_at, s.source) from contact_sources s where s.contact_id = c.id) as sources,
        (select string_agg(t.name, ', ' order by t.name) from tagged_contacts x join contact_tags t on t.id = x.tag_id
          where x.contact_id = c.id) as tags
      from contacts c where creator_id = ${creatorId} order by id`,
    subscribers: sql`
      select t.email, ${shownName(creatorId)} as name, p.name as show, g.source, g.starts_at, g.ends_at, g.renews, s.status, s.every,
        s.price_minor, s.currency, s.period_end, s.provider_id as payment_provider_subscription,
        s.customer_id as payment_provider_customer
      from grants g join users t on t.id = g.user_id join products p on p.id = g.product_id
      left join lateral (
        select * from subscriptions s
        where s.user_id = g.user_id and s.product_id = g.product_id order by s.ended_at desc nulls first, s.id desc limit 1
      ) s on g.source = 'subscription'
      where g.product_id in ${shows} and (g.source <> 'follow' or p.price_minor is null) order by g.id`,
    sales: sql`
      select s.paid_at, s.purpose, s.name, coalesce(u.email, s.email) as email, s.amount_minor, s.discount_minor,
        s.refunded_minor, s.commission_minor, s.currency, s.legal_entity, s.receipt_number, s.payment_id
      from sales s left join users u on u.id = s.user_id
      where s.creator_id = ${creatorId} and s.purpose <> 'plan' order by s.id`,
    donations: sql`
      select donated_at, email, name, is_anonymous, message, amount_minor, currency, every
      from donations where creator_id = ${creatorId} order by id`,
    statistics: sql`
      select d.day, p.name as show, d.listens, d.downloads
      from listening_days d join products p on p.id = d.product_id
      where d.creator_id = ${creatorId} order by d.day, d.product_id`,
  };
}
