import { z } from 'zod';
import type { SubscriberFormat } from '~/db/values/subscriber-imports';
import { columnName, withoutApostrophe } from '../../../base/csv';
import { fromDecimal } from '../../../base/money';
import { DAYS, MINUTES } from '../../../base/time';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import type { SubscriberLine } from './kinds';

/**
 * The kinds of columns, and their names in the exports of hosts, as `columnName` writes them.
 */
const COLUMNS = {
  email: words('email email_address e_mail customer_email member_email subscriber_email correo correo_electronico'),
  name: words('name full_name customer_name member_name subscriber_name nombre'),
  firstName: words('first_name firstname given_name nombre_de_pila'),
  lastName: words('last_name lastname family_name surname apellidos'),
  customer: words('stripe_customer_id customer_id stripe_customer stripe_id customer cliente'),
  subscription: words('stripe_subscription_id subscription_id stripe_subscription subscription suscripcion'),
  price: words('price amount plan_amount plan_price pledge_amount subscription_price price_amount precio importe'),
  cents: words('price_cents amount_cents plan_price_cents unit_amount price_minor plan_monthly_amount_cents'),
  currency: words('currency plan_price_currency price_currency plan_currency moneda'),
  interval: words('interval billing_interval plan_interval subscription_period charge_frequency billing_period every'),
  renews: words(
    `renews renews_at current_period_end current_period_end_utc next_billing_date next_charge_date next_payment_date
    next_payment_at renewal_date next_renewal expires_at expiration_date access_expiration`,
  ),
  started: words(
    'started_at since start_date start_utc created_utc created_at created since patronage_since_date joined_at',
  ),
  status: words('status state subscription_status subscription_state patron_status active estado'),
  feed: words('feed_url private_feed_url private_feed private_rss private_rss_url rss_url rss_feed feed old_feed_url'),
  id: ['id'],
} as const;
type Column = keyof typeof COLUMNS;
export type Header = Partial<Record<Column, number>>;

/** The first host of which the file has all distinctive columns. */
const FORMATS: [SubscriberFormat, string[]][] = [
  ['altavoz', words('customer subscription renews interval')],
  ['stripe', words('id customer_id customer_email current_period_end_utc')],
  ['ghost', words('email subscribed_to_emails complimentary_plan stripe_customer_id')],
  ['patreon', words('patron_status pledge_amount charge_frequency')],
  ['supercast', words('email plan_price_cents plan_price_currency')],
  ['memberful', words('email plan stripe_customer_id expires_at')],
];

/** Finds the columns by the first row; null without a column of addresses, because lines could not be told apart. */
export function readHeader(row: string[]): { header: Header; format: SubscriberFormat } | null {
  const names = row.slice(0, SUBSCRIBER_IMPORT_LIMITS.cells).map(columnName);
  const header: Header = {};
  for (const column of Object.keys(COLUMNS) as Column[]) {
    const name = COLUMNS[column].find((known) => names.includes(known));
    if (name !== undefined) header[column] = names.indexOf(name);
  }
  if (header.email === undefined) return null;
  const format = FORMATS.find(([, own]) => own.every((name) => names.includes(name)))?.[0] ?? 'other';
  return { header, format };
}

/** Reads a row. Missing values are null; unreadable values are a fault. */
export function readLine(row: string[], header: Header): SubscriberLine {
  const cell = (column: Column) => withoutApostrophe(row[header[column] ?? -1] ?? '').slice(0, MAX_CELL);
  const email = z.email().max(254).safeParse(cell('email').toLowerCase());
  const ids = readIds(cell);
  const price = readPrice(cell);
  const every = readInterval(cell('interval'));
  const renewsAt = readDate(cell('renews'));
  const fault =
    (!email.success && 'bad_email') ||
    (ids === 'bad' && 'bad_id') ||
    (price === 'bad' && 'bad_price') ||
    (every === 'bad' && 'bad_interval') ||
    (renewsAt === 'bad' && 'bad_date') ||
    null;
  const startedAt = readDate(cell('started'));
  return {
    email: email.success ? email.data : null,
    name: readName(cell),
    ...(ids === 'bad' ? { customerId: null, subscriptionId: null } : ids),
    priceMinor: price === 'bad' ? null : price,
    currency: readCurrency(cell),
    every: every === 'bad' ? null : every,
    renewsAt: renewsAt === 'bad' ? null : renewsAt,
    startedAt: startedAt === 'bad' ? null : startedAt,
    hasEnded: isEnd(cell('status')),
    feedUrl: readFeedUrl(cell('feed')),
    fault,
  };
}

const MAX_CELL = SUBSCRIBER_IMPORT_LIMITS.cellLength;
type Cell = (column: Column) => string;

function readName(cell: Cell): string {
  const name = cell('name') || `${cell('firstName')} ${cell('lastName')}`;
  return name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SUBSCRIBER_IMPORT_LIMITS.nameLength);
}

const CUSTOMER = /^cus_[A-Za-z0-9]{1,96}$/;
const SUBSCRIPTION = /^sub_[A-Za-z0-9]{1,96}$/;

/**
 * An `id` counts only if it looks like the id of a subscription or customer, because hosts also number their members.
 */
function readIds(cell: Cell): Pick<SubscriberLine, 'customerId' | 'subscriptionId'> | 'bad' {
  const own = cell('id');
  const customerId = cell('customer') || (CUSTOMER.test(own) ? own : null);
  const subscriptionId = cell('subscription') || (SUBSCRIPTION.test(own) ? own : null);
  const isBad = (id: string | null, form: RegExp) => id !== null && !form.test(id);
  return isBad(customerId, CUSTOMER) || isBad(subscriptionId, SUBSCRIPTION) ? 'bad' : { customerId, subscriptionId };
}

/** The maximum of the database's column. No subscription costs as much. */
const MAX_PRICE_MINOR = 999_999_999;

function readPrice(cell: Cell): number | null | 'bad' {
  const cents = cell('cents');
  const text = cell('price').replace(/[€$\s]|eur|usd/gi, '');
  if (cents === '' && text === '') return null;
  const minor = cents === '' ? fromDecimal(text) : /^\d{1,9}$/.test(cents) ? Number(cents) : null;
  return minor !== null && minor <= MAX_PRICE_MINOR ? minor : 'bad';
}

function readCurrency(cell: Cell): string | null {
  const named = cell('currency').toLowerCase();
  if (/^[a-z]{3}$/.test(named)) return named;
  const price = cell('price').toLowerCase();
  return /€|eur/.test(price) ? 'eur' : /usd/.test(price) ? 'usd' : null;
}

function readInterval(text: string): 'month' | 'year' | null | 'bad' {
  if (text === '') return null;
  if (/^(?:1 )?(?:month|monthly|months|mes|mensual|m)$/i.test(text)) return 'month';
  return /^(?:1 )?(?:year|yearly|years|annual|annually|año|anual|y)$/i.test(text) ? 'year' : 'bad';
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/**
 * ISO 8601, or seconds since 1970; without a zone in UTC. A date without a time means the end of the day, because a
 * renewal must not be charged earlier. Dates in a country's order are refused, because 03/04 is ambiguous.
 */
export function readDate(text: string): Date | null | 'bad' {
  if (text === '') return null;
  if (/^\d{9,10}$/.test(text)) return validDate(new Date(Number(text) * 1000));
  if (DAY.test(text)) return validDate(new Date(Date.parse(`${text}T00:00:00Z`) + DAYS(1) - MINUTES(1)));
  const [, day, time, seconds = ':00', zone = 'Z'] = MOMENT.exec(text) ?? [];
  if (day === undefined) return 'bad';
  const offset = /^utc$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2').toUpperCase();
  return validDate(new Date(`${day}T${time}${seconds}${offset}`));
}

/**
 * Other years are mistakes of the list, such as 0000-01-01 for a missing date, and the database does not accept all of
 * them.
 */
const YEARS = { first: 1970, last: 2199 } as const;

function validDate(at: Date): Date | 'bad' {
  const year = at.getUTCFullYear();
  return year >= YEARS.first && year <= YEARS.last ? at : 'bad';
}

/**
 * The statuses of all hosts for ended subscriptions. Cancelled subscriptions that run until their end don't renew
 * either.
 */
const ENDED =
  /cancel|ended|expired|former|deactivated|suspended|declined|unpaid|not_renewing|incomplete|^(?:no|false|inactive|deleted)$/i;
const isEnd = (status: string): boolean => ENDED.test(status.replaceAll(' ', '_'));

function readFeedUrl(text: string): string | null {
  const [first = ''] = text.split(/[\s,]+/);
  return /^https?:\/\/[^\s]+$/i.test(first) && first.length <= SUBSCRIBER_IMPORT_LIMITS.urlLength && URL.canParse(first)
    ? first
    : null;
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
