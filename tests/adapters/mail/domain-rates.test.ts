import { expect, test } from 'vitest';
import { createDomainRates } from '~/server/adapters/mail/bulk/domain-rates';
import { MINUTES } from '~/server/base/time';

function ratesWithClock() {
  let now = 0;
  const rates = createDomainRates(() => now);
  const advance = (ms: number) => {
    now += ms;
  };
  /** Takes as many turns as there are in `ms`. */
  function takeFor(domain: string, ms: number): number {
    let taken = 0;
    for (const end = now + ms; now < end; now += 10) while (rates.take(domain) === 0) taken += 1;
    return taken;
  }
  /** So many turns per second for half a minute, which is long enough for the average. */
  function steady(domain: string, perSecond: number): void {
    for (let i = 0; i < 30 * perSecond; i++) {
      rates.take(domain);
      advance(1000 / perSecond);
    }
  }
  return { rates, advance, takeFor, steady, now: () => now };
}

test('a domain without complaints has no limit', () => {
  const { rates } = ratesWithClock();

  expect(Array.from({ length: 1000 }, () => rates.take('a.example'))).toEqual(Array(1000).fill(0));
  expect(rates.limitOf('a.example')).toBeNull();
});

test('a request to slow down halves the rate, which rises by 10 % each minute until it is the former one', () => {
  const { rates, steady, advance, now } = ratesWithClock();
  steady('a.example', 20);
  rates.slowDown('a.example', now());
  const limits: (number | null)[] = [];
  for (let minute = 0; minute < 9; minute++) {
    limits.push(rates.limitOf('a.example'));
    advance(MINUTES(1));
    rates.take('a.example');
  }

  expect(limits[0]).toBeGreaterThan(8.5);
  expect(limits[0]).toBeLessThan(10.5);
  expect(limits.slice(1, 8).map((limit, i) => Math.round((limit! / limits[i]!) * 100))).toEqual(Array(7).fill(110));
  expect(rates.limitOf('a.example')).toBeNull();
});

test('emails that were on their way do not halve it again, but later ones do', () => {
  const { rates, steady, advance, now } = ratesWithClock();
  steady('a.example', 40);
  const before = now();
  advance(50);
  for (let i = 0; i < 30; i++) rates.slowDown('a.example', before);
  const once = rates.limitOf('a.example')!;
  advance(1000);
  rates.slowDown('a.example', now());

  expect(once).toBeGreaterThan(17);
  expect(rates.limitOf('a.example')).toBeCloseTo(once / 2);
});

test('a limit spreads the turns evenly, says how long to wait, and concerns one domain', () => {
  const { rates, steady, takeFor, now } = ratesWithClock();
  steady('a.example', 20);
  rates.slowDown('a.example', now());
  const limit = rates.limitOf('a.example')!;
  const wait = rates.take('a.example');
  const taken = takeFor('a.example', 10_000);

  expect(wait).toBeCloseTo(1000 / limit);
  expect(taken).toBeGreaterThanOrEqual(Math.floor(limit * 10) - 1);
  expect(taken).toBeLessThanOrEqual(Math.ceil(limit * 10));
  expect(Array.from({ length: 100 }, () => rates.take('b.example'))).toEqual(Array(100).fill(0));
});

test('a domain that always refuses still gets an email every ten seconds', () => {
  const { rates, now, advance } = ratesWithClock();
  rates.take('a.example');
  for (let i = 0; i < 50; i++) {
    advance(1);
    rates.slowDown('a.example', now());
  }

  expect(rates.limitOf('a.example')).toBe(0.1);
});

test('thousands of domains without a limit make room for others, and limits stay', () => {
  const { rates, steady, now } = ratesWithClock();
  steady('slow.example', 10);
  rates.slowDown('slow.example', now());
  for (let i = 0; i < 25_000; i++) rates.take(`${i}.example`);

  expect(rates.limitOf('slow.example')).not.toBeNull();
});
