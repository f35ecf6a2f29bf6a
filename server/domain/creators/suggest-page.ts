import { inArray } from 'drizzle-orm';
import { domains } from '~/db/schema/creators';
import { slugFrom } from '../../base/addresses';
import { CREATOR_LIMITS, DOMAIN_LIMITS } from '../../limits/creators';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { domainFault } from './rules';

export type SuggestedPage = { name: string; domain: string };
const CANDIDATES = 20;

/** A creator name and a free domain, made from the name that the user registered with. */
export async function suggestPage(ctx: Ctx): Promise<SuggestedPage> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  const name = shortened(user.name, CREATOR_LIMITS.nameLength);
  const candidates = domainCandidates(name);
  if (candidates.length === 0) return { name, domain: '' };
  const rows = await ctx.db.select({ domain: domains.domain }).from(domains).where(inArray(domains.domain, candidates));
  const taken = new Set(rows.map(({ domain }) => domain));
  return { name, domain: candidates.find((domain) => !taken.has(domain)) ?? '' };
}

/** Whole words, as many as fit: 'María de los Ángeles Ortega' → 'María de los Ángeles'. */
function shortened(name: string, max: number): string {
  if (name.length <= max) return name;
  const cut = name.slice(0, max + 1);
  return (cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.slice(0, max)).trim();
}

/** `ines-prueba`, `ines-prueba-2` …; empty for a name without Latin letters. */
function domainCandidates(name: string): string[] {
  const base = slugFrom(name, DOMAIN_LIMITS.max - 3);
  const numbered = Array.from({ length: CANDIDATES - 1 }, (_, i) => `${base}-${i + 2}`);
  return [base, ...numbered].filter((domain) => base !== '' && domainFault(domain) === null);
}
