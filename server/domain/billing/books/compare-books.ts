import { type SQL, sql } from 'drizzle-orm';
import { earlier } from '../../../base/time';
import { RECONCILIATION_LIMITS } from '../../../limits/reconciliation';
import type { Ctx } from '../../../runtime/ctx';

/**
 * Compares both books since a moment, by the keys of the ledger. On the creator's own account, all entries of a payment
 * are compared together: the provider's entry for a returned fee does not name the refund that it belongs to. So are a
 * dispute that was entered although it took nothing, and its reversal: the provider has neither. A payment that the
 * provider has not captured yet is missing in its books, which is no difference for some days.
 */
export function comparedBooks({ now }: Pick<Ctx, 'now'>, since: Date): SQL {
  const from = since.toISOString();
  const captured = earlier(now(), RECONCILIATION_LIMITS.captures).toISOString();
  return sql`
    with ours as (
      select case when s.seller_account is null then regexp_replace(e.key, '^dispute-reversed/', 'dispute/')
          else 'application-fee/' || s.payment_id end as key,
        l.currency, sum(l.amount_minor)::bigint as minor, min(e.at) as at,
        min(e.creator_id) as creator_id, min(e.product_id) as product_id,
        bool_or(e.kind in ('sale', 'application_fee') and s.provider_fee_minor is null
          and s.paid_at > ${captured}::timestamptz) as is_uncaptured
      from ledger_entries e
      join ledger_lines l on l.entry_id = e.id and l.account = 'provider_balance'
      left join sales s on s.id = e.sale_id
      where e.at >= ${from}::timestamptz
      group by 1, 2
    ), theirs as (
      select coalesce(p.key, 'application-fee/' || s.payment_id, 'unknown/' || p.id) as key,
        p.currency, sum(p.amount_minor)::bigint as minor, min(p.at) as at
      from provider_entries p
      left join provider_entries f on f.fee_id = p.fee_id and f.kind = 'application_fee'
      left join sales s on s.charge_id = f.charge and s.seller_account is not null
      where p.at >= ${from}::timestamptz
      group by 1, 2
    )
    select coalesce(o.key, t.key) as key, coalesce(o.currency, t.currency) as currency,
      coalesce(o.creator_id, s.creator_id) as creator_id, coalesce(o.product_id, s.product_id) as product_id,
      o.minor as ours, t.minor as theirs, coalesce(o.at, t.at) as at
    from ours o
    full join theirs t on t.key = o.key and t.currency = o.currency
    left join sales s on o.key is null and s.payment_id = substring(t.key from '^(?:sale|fee|application-fee)/(.+)$')
    where t.key is not null or not o.is_uncaptured`;
}
