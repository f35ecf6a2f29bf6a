import { sql } from 'drizzle-orm';
import type { MachineRequest } from '~/db/values/listening';
import type { Counts } from '~/db/values/statistics';
import { MACHINE_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';

type MachineDay = {
  creator_id: number;
  product_id: number;
  day: string;
  requests: number;
  reasons: Counts;
  agents: Counts;
};

/** Adds requests of machines to the day of their product, in the order of its key. */
export async function insertMachineRequests(db: Ctx['db'], items: MachineRequest[]): Promise<null[]> {
  const most = sql`${MACHINE_LIMITS.agents}::int`;
  await db.execute(sql`
    insert into machine_days as m (creator_id, product_id, day, requests, reasons, agents)
    select creator_id, product_id, day, requests, reasons, add_numbers('{}', agents, ${most})
    from jsonb_to_recordset(${JSON.stringify(sumByDay(items))}::text::jsonb) as a(
      creator_id bigint, product_id bigint, day date, requests int, reasons jsonb, agents jsonb)
    order by creator_id, product_id, day
    on conflict (creator_id, product_id, day) do update set
      requests = m.requests + excluded.requests,
      reasons = add_numbers(m.reasons, excluded.reasons, null),
      agents = add_numbers(m.agents, excluded.agents, ${most})`);
  return items.map(() => null);
}

/** The name that a user agent begins with: `Googlebot` of `Googlebot/2.1 (+http://…)`. */
export function agentName(userAgent: string): string {
  const name = /^[\w .%-]{1,40}/.exec(userAgent.trim())?.[0].trim();
  return name || 'unknown';
}

function sumByDay(items: MachineRequest[]): MachineDay[] {
  const days = new Map<string, MachineDay>();
  for (const { creatorId, productId, day, reason, agent } of items) {
    const key = `${creatorId} ${productId} ${day}`;
    const ids = { creator_id: creatorId, product_id: productId, day };
    const sum = days.get(key) ?? { ...ids, requests: 0, reasons: {}, agents: {} };
    days.set(key, sum);
    sum.requests += 1;
    sum.reasons[reason] = (sum.reasons[reason] ?? 0) + 1;
    sum.agents[agent] = (sum.agents[agent] ?? 0) + 1;
  }
  return [...days.values()];
}
