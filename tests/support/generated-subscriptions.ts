import fc from 'fast-check';

export type Every = 'month' | 'year';
export type ProrationMode = 'always_invoice' | 'create_prorations' | 'none';
export type Change = { after: number; price: number; every: Every; way: ProrationMode };
export type Coupon = {
  /** Hundredths of a percent, or cents. */
  off: { percent: number } | { amount: number };
  length: 'once' | 'forever' | { months: number };
};
/** What becomes of one subscription; moments are seconds, prices cents. */
export type Scenario = {
  begin: number;
  price: number;
  every: Every;
  trialDays: number;
  coupon: Coupon | null;
  changes: Change[];
  /** When it is said that it shall end with its period. */
  leaves: number | null;
};
export type Bill = { at: number; total: number; paid: number };
export type Outcome = { bills: Bill[]; balance: number; ended: number | null };

const DAY = 86_400;
const HOUR = 3600;
/** Less is not charged to a card, but waits on the customer's balance. */
const MIN_CHARGE = 50;
/** So long each life is looked at: a year, and what a trial moves beyond it. */
export const MONTHS_OBSERVED = 14;

const price = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 200, max: 30_000 }));
const every = fc.constantFrom<Every>('month', 'year');
const moment = fc.integer({ min: 1, max: 420 * DAY });

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  // both leap years and others, and often the last days of a month
  begin: fc
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
        way: fc.constantFrom<ProrationMode>('always_invoice', 'create_prorations', 'none'),
      }),
      { maxLength: 3 },
    )
    .map((changes) => changes.sort((a, b) => a.after - b.after)),
  leaves: fc.option(moment),
});

/** The same day so many months later, or that month's last. */
export function monthsAfter(from: number, months: number): number {
  const at = new Date(from * 1000);
  const firstOfMonth = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
  const daysInMonth = Math.round(
    (Date.UTC(firstOfMonth.getUTCFullYear(), firstOfMonth.getUTCMonth() + 1, 1) - firstOfMonth.getTime()) / 86_400_000,
  );
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) / 1000;
  return firstOfMonth.getTime() / 1000 + (Math.min(at.getUTCDate(), daysInMonth) - 1) * DAY + (from - midnight);
}

/** amount × part ÷ whole, to the nearest cent, halves upward. */
const prorated = (amount: number, part: number, whole: number) => Math.floor((2 * amount * part + whole) / (2 * whole));

/** What a price comes to at a moment; a coupon for once is gone after the first whole period. */
function net(amount: number, { coupon, begin }: Scenario, at: number, isFirst: boolean): number {
  if (!coupon) return amount;
  const { off, length } = coupon;
  const applies = length === 'forever' || (length === 'once' ? isFirst : at < monthsAfter(begin, length.months));
  if (!applies) return amount;
  return 'percent' in off ? amount - prorated(amount, off.percent, 10_000) : Math.max(0, amount - off.amount);
}

/** A stretch of a life in which price and rhythm stay: its periods begin at `anchor` and every month or year after it. */
type PriceSegment = { anchor: number; every: Every; price: number };
const boundary = ({ anchor, every: rhythm }: PriceSegment, count: number) =>
  monthsAfter(anchor, count * (rhythm === 'year' ? 12 : 1));

function periodAt(stretch: PriceSegment, at: number): { start: number; end: number } {
  let count = 0;
  while (boundary(stretch, count + 1) <= at) count += 1;
  return { start: boundary(stretch, count), end: boundary(stretch, count + 1) };
}

type UnpaidBill = { at: number; total: number; settles: number };
type Simulation = {
  life: Scenario;
  trialEnd: number;
  stretch: PriceSegment;
  bills: UnpaidBill[];
  /** Where the last billed period ends, and what it cost. */
  billedTo: number;
  cost: number;
  isFirst: boolean;
  /** What changes came to that the next bill asks for. */
  waiting: number | null;
  leavesAt: number | null;
};

/**
 * What a life comes to, from the rules alone: whole periods cost their price after the coupon, in advance. A change within
 * a period gives back what was paid for its rest, and asks for that rest at the new price (or, in another rhythm, for a
 * whole new period): now, with the next bill, or neither. A trial costs nothing and may be changed for nothing.
 */
export function expectedOutcome(life: Scenario): Outcome {
  const until = monthsAfter(life.begin, MONTHS_OBSERVED);
  const course = startSimulation(life);
  for (const { at, change } of actionsOf(life)) {
    if (at > until) break;
    renewUntil(course, at);
    if (course.leavesAt !== null && at >= course.leavesAt) break;
    if (change) applyChange(course, at, change);
    else course.leavesAt = currentPeriod(course, at).end;
  }
  renewUntil(course, until);
  const ended = course.leavesAt !== null && course.leavesAt <= until ? course.leavesAt : null;
  if (ended !== null && course.waiting !== null) addBill(course, ended, 0, HOUR);
  return { ...settleBills(course.bills, until), ended };
}

/** What is done in a life, in its order; where `change` is null it is said that it shall end. */
export function actionsOf({ begin, changes, leaves }: Scenario): { at: number; change: Change | null }[] {
  const doings = changes.map((change): { at: number; change: Change | null } => ({ at: begin + change.after, change }));
  if (leaves !== null) doings.push({ at: begin + leaves, change: null });
  return doings.sort((a, b) => a.at - b.at);
}

function startSimulation(life: Scenario): Simulation {
  const trialEnd = life.begin + life.trialDays * DAY;
  return {
    life,
    trialEnd,
    stretch: { anchor: trialEnd, every: life.every, price: life.price },
    bills: life.trialDays > 0 ? [{ at: life.begin, total: 0, settles: life.begin }] : [],
    billedTo: trialEnd,
    cost: 0,
    isFirst: true,
    waiting: null,
    leavesAt: null,
  };
}

/** The first bill and those of changes are final at once, those of renewals after an hour. */
function addBill(course: Simulation, at: number, amount: number, draft: number): void {
  course.bills.push({ at, total: amount + (course.waiting ?? 0), settles: at + draft });
  course.waiting = null;
}

function billPeriod(course: Simulation, at: number, draft: number): void {
  course.cost = net(course.stretch.price, course.life, at, course.isFirst);
  course.isFirst = false;
  course.billedTo = periodAt(course.stretch, at).end;
  addBill(course, at, course.cost, draft);
}

function renewUntil(course: Simulation, moment: number): void {
  for (;;) {
    const { billedTo: start, leavesAt, life } = course;
    if (start > moment || (leavesAt !== null && start >= leavesAt)) return;
    billPeriod(course, start, start === life.begin ? 0 : HOUR);
  }
}

const currentPeriod = ({ life, trialEnd, stretch }: Simulation, at: number) =>
  at < trialEnd ? { start: life.begin, end: trialEnd } : periodAt(stretch, at);

function applyChange(course: Simulation, at: number, { every: rhythm, price: amount, way }: Change): void {
  const { stretch, trialEnd, cost, life } = course;
  const { start, end } = currentPeriod(course, at);
  course.stretch = { anchor: stretch.anchor, every: rhythm, price: amount };
  if (at < trialEnd) return;
  const rest = (value: number) => (way === 'none' ? 0 : prorated(value, end - at, end - start));
  if (rhythm !== stretch.every) {
    course.stretch.anchor = at;
    course.waiting = (course.waiting ?? 0) - rest(cost);
    billPeriod(course, at, 0);
    if (course.leavesAt !== null) course.leavesAt = course.billedTo;
  } else if (way !== 'none') {
    course.cost = net(amount, life, at, false);
    course.waiting = (course.waiting ?? 0) - rest(cost) + rest(course.cost);
    if (way === 'always_invoice') addBill(course, at, 0, 0);
  }
}

/** Bills are paid when they are final; credit and cents wait on the balance for the next. */
function settleBills(bills: UnpaidBill[], until: number): { bills: Bill[]; balance: number } {
  let balance = 0;
  const paid = new Map<UnpaidBill, number>();
  for (const bill of [...bills].sort((a, b) => a.settles - b.settles)) {
    if (bill.settles > until) continue;
    const due = bill.total + balance;
    balance = due < MIN_CHARGE ? due : 0;
    paid.set(bill, due - balance);
  }
  return { balance, bills: bills.map((bill) => ({ at: bill.at, total: bill.total, paid: paid.get(bill) ?? 0 })) };
}
