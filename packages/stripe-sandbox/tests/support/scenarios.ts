import fc from 'fast-check';

export type Every = 'month' | 'year';
export type ProrationMode = 'always_invoice' | 'create_prorations' | 'none';
export type Change = { after: number; price: number; every: Every; mode: ProrationMode };
export type Coupon = {
  /** Hundredths of a percent, or cents. */
  off: { percent: number } | { amount: number };
  length: 'once' | 'forever' | { months: number };
};
/** The simulation of one subscription. Moments are in seconds, prices in cents. */
export type Scenario = {
  start: number;
  price: number;
  every: Every;
  trialDays: number;
  coupon: Coupon | null;
  changes: Change[];
  /** When the customer cancels at the period's end. */
  cancelsAfter: number | null;
};
export type Bill = { at: number; total: number; paid: number };
export type Outcome = { bills: Bill[]; balance: number; ended: number | null };

const DAY = 86_400;
const HOUR = 3600;
/** Smaller amounts are not charged, but carried over on the customer's balance. */
const MIN_CHARGE = 50;
/** How many months each scenario covers: a year plus the longest trial. */
export const MONTHS_OBSERVED = 14;

const price = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 200, max: 30_000 }));
const every = fc.constantFrom<Every>('month', 'year');
const moment = fc.integer({ min: 1, max: 420 * DAY });

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  // leap years and others, often the last days of a month
  start: fc
    .tuple(
      fc.integer({ min: 0, max: 59 }),
      fc.constantFrom(1, 15, 28, 29, 30, 31),
      fc.integer({ min: 0, max: DAY - 1 }),
    )
    .map(([month, day, second]) => Date.UTC(2026, month, day) / 1000 + second),
  price,
  every,
  trialDays: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
  coupon: fc.option(
    fc.record({
      off: fc.oneof(
        fc.integer({ min: 1, max: 10_000 }).map((percent) => ({ percent })),
        fc.integer({ min: 1, max: 20_000 }).map((amount) => ({ amount })),
      ),
      length: fc.oneof(
        fc.constantFrom('once' as const, 'forever' as const),
        fc.integer({ min: 1, max: 14 }).map((months) => ({ months })),
      ),
    }),
  ),
  changes: fc
    .array(
      fc.record({
        after: moment,
        price,
        every,
        mode: fc.constantFrom<ProrationMode>('always_invoice', 'create_prorations', 'none'),
      }),
      { maxLength: 3 },
    )
    .map((changes) => changes.sort((a, b) => a.after - b.after)),
  cancelsAfter: fc.option(moment),
});

/** The same day some months later, or the last day of a shorter month. */
export function monthsAfter(from: number, months: number): number {
  const at = new Date(from * 1000);
  const firstOfMonth = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
  const daysInMonth = Math.round(
    (Date.UTC(firstOfMonth.getUTCFullYear(), firstOfMonth.getUTCMonth() + 1, 1) - firstOfMonth.getTime()) / 86_400_000,
  );
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) / 1000;
  return firstOfMonth.getTime() / 1000 + (Math.min(at.getUTCDate(), daysInMonth) - 1) * DAY + (from - midnight);
}

/** amount × part ÷ whole, to the nearest cent, halves rounded up. */
const prorated = (amount: number, part: number, whole: number) => Math.floor((2 * amount * part + whole) / (2 * whole));

/** The price after the coupon at a moment. A one-time coupon applies to the first full period only. */
function net(amount: number, { coupon, start }: Scenario, at: number, isFirst: boolean): number {
  if (!coupon) return amount;
  const { off, length } = coupon;
  const applies = length === 'forever' || (length === 'once' ? isFirst : at < monthsAfter(start, length.months));
  if (!applies) return amount;
  return 'percent' in off ? amount - prorated(amount, off.percent, 10_000) : Math.max(0, amount - off.amount);
}

/** A time span with one price and interval. Its periods start at `anchor`, then every month or year. */
type PriceSegment = { anchor: number; every: Every; price: number };
const boundary = ({ anchor, every: interval }: PriceSegment, count: number) =>
  monthsAfter(anchor, count * (interval === 'year' ? 12 : 1));

function periodAt(segment: PriceSegment, at: number): { start: number; end: number } {
  let count = 0;
  while (boundary(segment, count + 1) <= at) count += 1;
  return { start: boundary(segment, count), end: boundary(segment, count + 1) };
}

type UnpaidBill = { at: number; total: number; finalAt: number };
type Simulation = {
  scenario: Scenario;
  trialEnd: number;
  segment: PriceSegment;
  bills: UnpaidBill[];
  /** The end and the cost of the last billed period. */
  billedTo: number;
  cost: number;
  isFirst: boolean;
  /** Prorations to add to the next bill. */
  pendingProration: number | null;
  endsAt: number | null;
};

/**
 * The expected result of a scenario, from the rules alone. Full periods cost the price after the coupon, in advance. A
 * change credits the unused time and charges it at the new price (or, with a new interval, charges a full new period):
 * now, with the next bill, or not at all. A trial is free, and so is a change during a trial.
 */
export function expectedOutcome(scenario: Scenario): Outcome {
  const until = monthsAfter(scenario.start, MONTHS_OBSERVED);
  const simulation = startSimulation(scenario);
  for (const { at, change } of actionsOf(scenario)) {
    if (at > until) break;
    renewUntil(simulation, at);
    if (simulation.endsAt !== null && at >= simulation.endsAt) break;
    if (change) applyChange(simulation, at, change);
    else simulation.endsAt = currentPeriod(simulation, at).end;
  }
  renewUntil(simulation, until);
  const ended = simulation.endsAt !== null && simulation.endsAt <= until ? simulation.endsAt : null;
  if (ended !== null && simulation.pendingProration !== null) addBill(simulation, ended, 0, HOUR);
  return { ...settleBills(simulation.bills, until), ended };
}

/** The actions of a scenario in order; a null `change` cancels at the period's end. */
export function actionsOf({ start, changes, cancelsAfter }: Scenario): { at: number; change: Change | null }[] {
  const actions = changes.map((change): { at: number; change: Change | null } => ({
    at: start + change.after,
    change,
  }));
  if (cancelsAfter !== null) actions.push({ at: start + cancelsAfter, change: null });
  return actions.sort((a, b) => a.at - b.at);
}

function startSimulation(scenario: Scenario): Simulation {
  const trialEnd = scenario.start + scenario.trialDays * DAY;
  return {
    scenario,
    trialEnd,
    segment: { anchor: trialEnd, every: scenario.every, price: scenario.price },
    bills: scenario.trialDays > 0 ? [{ at: scenario.start, total: 0, finalAt: scenario.start }] : [],
    billedTo: trialEnd,
    cost: 0,
    isFirst: true,
    pendingProration: null,
    endsAt: null,
  };
}

/** The first bill and those of changes are final at once; those of renewals are drafts for an hour. */
function addBill(simulation: Simulation, at: number, amount: number, draft: number): void {
  simulation.bills.push({ at, total: amount + (simulation.pendingProration ?? 0), finalAt: at + draft });
  simulation.pendingProration = null;
}

function billPeriod(simulation: Simulation, at: number, draft: number): void {
  simulation.cost = net(simulation.segment.price, simulation.scenario, at, simulation.isFirst);
  simulation.isFirst = false;
  simulation.billedTo = periodAt(simulation.segment, at).end;
  addBill(simulation, at, simulation.cost, draft);
}

function renewUntil(simulation: Simulation, moment: number): void {
  for (;;) {
    const { billedTo: start, endsAt, scenario } = simulation;
    if (start > moment || (endsAt !== null && start >= endsAt)) return;
    billPeriod(simulation, start, start === scenario.start ? 0 : HOUR);
  }
}

const currentPeriod = ({ scenario, trialEnd, segment }: Simulation, at: number) =>
  at < trialEnd ? { start: scenario.start, end: trialEnd } : periodAt(segment, at);

function applyChange(simulation: Simulation, at: number, { every: interval, price: amount, mode }: Change): void {
  const { segment, trialEnd, cost, scenario } = simulation;
  const { start, end } = currentPeriod(simulation, at);
  simulation.segment = { anchor: segment.anchor, every: interval, price: amount };
  if (at < trialEnd) return;
  const rest = (value: number) => (mode === 'none' ? 0 : prorated(value, end - at, end - start));
  if (interval !== segment.every) {
    simulation.segment.anchor = at;
    simulation.pendingProration = (simulation.pendingProration ?? 0) - rest(cost);
    billPeriod(simulation, at, 0);
    if (simulation.endsAt !== null) simulation.endsAt = simulation.billedTo;
  } else if (mode !== 'none') {
    simulation.cost = net(amount, scenario, at, false);
    simulation.pendingProration = (simulation.pendingProration ?? 0) - rest(cost) + rest(simulation.cost);
    if (mode === 'always_invoice') addBill(simulation, at, 0, 0);
  }
}

/** Bills are paid when they are final. Credit and small amounts stay on the balance for the next one. */
function settleBills(bills: UnpaidBill[], until: number): { bills: Bill[]; balance: number } {
  let balance = 0;
  const paid = new Map<UnpaidBill, number>();
  for (const bill of [...bills].sort((a, b) => a.finalAt - b.finalAt)) {
    if (bill.finalAt > until) continue;
    const due = bill.total + balance;
    balance = due < MIN_CHARGE ? due : 0;
    paid.set(bill, due - balance);
  }
  return { balance, bills: bills.map((bill) => ({ at: bill.at, total: bill.total, paid: paid.get(bill) ?? 0 })) };
}
