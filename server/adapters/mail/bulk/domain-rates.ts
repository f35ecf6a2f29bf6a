import { MINUTES, SECONDS } from '../../../base/time';

/** How fast one receiving domain gets emails. */
type DomainRate = {
  /** Emails per second, averaged over the last seconds. */
  observed: number;
  countedAt: number;
  limit: Limit | null;
};
type Limit = {
  /** Emails per second at `since`. */
  perSecond: number;
  /** The rate before the first request to slow down: the limit ends there. */
  until: number;
  since: number;
  nextAt: number;
};

const AVERAGED_OVER = SECONDS(10);
const RISE_PER_MINUTE = 1.1;
/** A caller that comes late catches up on so much. */
const MAX_DELAY = SECONDS(1);
const SLOWEST_PER_SECOND = 0.1;
/** Domains whose rate is known; the longest unused without a limit are forgotten first. */
const MAX_DOMAINS = 10_000;

export type DomainRates = ReturnType<typeof createDomainRates>;

/**
 * A domain that asks for it gets half as many emails, and then 10 % more each minute until it has its former rate.
 * Domains that never ask have no limit. `now`: in milliseconds.
 */
export function createDomainRates(now: () => number) {
  const rates = new Map<string, DomainRate>();

  function rateOf(domain: string): DomainRate {
    const known = rates.get(domain);
    if (known) return known;
    if (rates.size >= MAX_DOMAINS) forgetOldest(rates);
    const rate: DomainRate = { observed: 0, countedAt: now(), limit: null };
    rates.set(domain, rate);
    return rate;
  }

  return {
    /** Takes the turn of an email; or returns the time to wait, in milliseconds. */
    take(domain: string): number {
      const rate = rateOf(domain);
      const at = now();
      if (rate.limit) {
        if (at < rate.limit.nextAt) return rate.limit.nextAt - at;
        const current = currentLimit(rate.limit, at);
        if (current >= rate.limit.until) rate.limit = null;
        else rate.limit.nextAt = Math.max(at - MAX_DELAY, rate.limit.nextAt) + 1000 / current;
      }
      rate.observed = observedAt(rate, at) + 1000 / AVERAGED_OVER;
      rate.countedAt = at;
      return 0;
    },
    /**
     * Halves the rate. Emails on their way when it was halved don't halve it again.
     * @param takenAt the time of the email's turn
     */
    slowDown(domain: string, takenAt: number): void {
      const rate = rateOf(domain);
      const at = now();
      if (rate.limit && takenAt < rate.limit.since) return;
      const current = rate.limit ? currentLimit(rate.limit, at) : observedAt(rate, at);
      const perSecond = Math.max(SLOWEST_PER_SECOND, current / 2);
      const until = Math.max(rate.limit?.until ?? current, 2 * SLOWEST_PER_SECOND);
      rate.limit = { perSecond, until, since: at, nextAt: at + 1000 / perSecond };
    },
    /** Emails per second; null: no limit. */
    limitOf(domain: string): number | null {
      const limit = rates.get(domain)?.limit;
      return limit ? currentLimit(limit, now()) : null;
    },
  };
}

const currentLimit = ({ perSecond, since }: Limit, at: number): number =>
  perSecond * RISE_PER_MINUTE ** Math.floor((at - since) / MINUTES(1));

const observedAt = ({ observed, countedAt }: DomainRate, at: number): number =>
  observed * Math.exp(-(at - countedAt) / AVERAGED_OVER);

function forgetOldest(rates: Map<string, DomainRate>): void {
  let oldest: string | null = null;
  for (const [domain, { limit }] of rates) {
    oldest ??= domain;
    if (!limit) {
      oldest = domain;
      break;
    }
  }
  if (oldest !== null) rates.delete(oldest);
}
