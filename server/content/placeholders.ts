import type { Language } from '~/locales/languages';
import { formatNumber, localeOf } from '../base/formats';
import { DAYS, HOURS, MINUTES } from '../base/time';
import {
  ACCOUNT_LIMITS,
  CONSENT_LIMITS,
  DELETION_LIMITS,
  DEVICE_LIMITS,
  IDENTITY_LIMITS,
  SECOND_FACTOR_LIMITS,
  SESSION_LIMITS,
  SOURCE_LIMITS,
} from '../limits/accounts';
import { AFFILIATE_LIMITS } from '../limits/affiliates';
import { CONTACT_LIMITS as AUDIENCE_LIMITS } from '../limits/audience';
import { BILLING_LIMITS, BUYING_LIMITS, PAYMENT_RECORDS } from '../limits/billing';
import { CONTACT_IMPORT_LIMITS } from '../limits/contact-imports';
import { CREATOR_BACKUP_LIMITS } from '../limits/creator-backup';
import { DEVELOPER_LIMITS } from '../limits/developers';
import { SHARING_LIMITS } from '../limits/feeds';
import { DOWNLOAD_LIMITS } from '../limits/listening';
import { OUTBOX_LIMITS } from '../limits/notifications';
import { VISIT_LIMITS } from '../limits/recommendations';
import { CONTACT_LIMITS, REPORT_LIMITS } from '../limits/support';
import { WEBHOOK_LIMITS } from '../limits/webhooks';

/** A number, or a time that is written with its unit: `40 days`. */
type Figure = number | { count: number; unit: 'minute' | 'hour' | 'day' | 'month' | 'year' };

const days = (time: number) => ({ count: time / DAYS(1), unit: 'day' }) as const;

/** Numbers that legal texts state: they are written in `server/limits` only. */
const FIGURES: Record<string, Figure> = {
  'minimum-age': ACCOUNT_LIMITS.ageMin,
  'adult-age': ACCOUNT_LIMITS.ageAdult,
  'cookie-token': days(SESSION_LIMITS.lifetime),
  'cookie-podcaster': days(SESSION_LIMITS.lifetime),
  'cookie-language': days(SESSION_LIMITS.lifetime),
  'cookie-device': days(DEVICE_LIMITS.lifetime),
  'cookie-consent': days(CONSENT_LIMITS.lifetime),
  'cookie-login': { count: SECOND_FACTOR_LIMITS.pendingFor / MINUTES(1), unit: 'minute' },
  'cookie-login-attempt': { count: IDENTITY_LIMITS.browser / HOURS(1), unit: 'hour' },
  'cookie-buyer': days(BUYING_LIMITS.browser),
  'cookie-signed-out': { count: SESSION_LIMITS.signedOutFor / MINUTES(1), unit: 'minute' },
  'cookie-campaign': days(SOURCE_LIMITS.lifetime),
  'cookie-affiliate': days(SOURCE_LIMITS.lifetime),
  'cookie-recommendation': days(VISIT_LIMITS.remembered),
  'account-deletion': { count: DELETION_LIMITS.promisedHours, unit: 'hour' },
  'creator-archive-link': days(CREATOR_BACKUP_LIMITS.lifetime),
  'kept-deleted-contacts': { count: AUDIENCE_LIMITS.deletedKept / DAYS(365), unit: 'year' },
  'kept-import-reports': days(CONTACT_IMPORT_LIMITS.kept),
  'kept-downloads': days(DOWNLOAD_LIMITS.rawKept),
  'kept-networks': days(SHARING_LIMITS.window),
  'kept-emails': days(OUTBOX_LIMITS.retention),
  'kept-messages': { count: CONTACT_LIMITS.keptMonths, unit: 'month' },
  'kept-reports': { count: REPORT_LIMITS.keptMonths, unit: 'month' },
  'kept-affiliate-visits': days(AFFILIATE_LIMITS.remembered),
  'kept-program-requests': days(DEVELOPER_LIMITS.callsKeptFor),
  'kept-webhooks': days(WEBHOOK_LIMITS.kept),
  'kept-payments': { count: PAYMENT_RECORDS.keptYears, unit: 'year' },
  'kept-open-payments': days(BILLING_LIMITS.kept),
};

/** What the operator says about themselves in the settings; null if it is not set. */
export type OperatorFacts = { name: string; address: string | null; email: string; vatNumber: string | null };
/** The facts that a text names and the operator has not given. */
export type MissingFact = 'address' | 'vatNumber';

/** `operator`: the name with the address, if there is one. `email`: a link. */
const FACTS = {
  operator: ['address'],
  name: [],
  address: ['address'],
  email: [],
  'vat-number': ['vatNumber'],
} as const satisfies Record<string, readonly MissingFact[]>;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** A list in a paragraph of its own: services that process data for the operator. */
const LIST = /\{\{\s*processors\s*\}\}/;
const LIST_PARAGRAPH = /<p>\{\{\s*processors\s*\}\}<\/p>/g;
/** In the address or the text of a link, in the text of a picture, or in an address that becomes a link. */
const IN_LINK = /\]\([^)]*\{\{|\[[^\]\n]*\{\{[^\]\n]*\] ?[([]|https?:\S*\{\{|^ *\[[^\]\n]+\]:.*\{\{/m;
const KNOWN = [...Object.keys(FACTS), 'processors', ...Object.keys(FIGURES)];

/** What is wrong with the placeholders of a Markdown text. */
export function problemsOfPlaceholders(text: string): string[] {
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name!))];
  const unknown = names.filter((name) => !KNOWN.includes(name));
  const hasRest = /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''));
  const isWithin = text
    .split(/\n\s*\n/)
    .some((paragraph) => LIST.test(paragraph) && paragraph.trimEnd().replace(/^\n+/, '').replace(LIST, '') !== '');
  return [
    ...unknown.map((name) => `unknown placeholder {{${name}}}; known are ${KNOWN.join(', ')}`),
    ...(hasRest ? ['a placeholder must begin with {{ and end with }}'] : []),
    ...(isWithin ? ['{{processors}} must be a paragraph of its own'] : []),
    ...(IN_LINK.test(text)
      ? ['a link and the text of a picture have no placeholders; {{email}} is a link already']
      : []),
  ];
}

/** `processors`: sentences, at least one. */
type Values = { operator: OperatorFacts; processors: string[]; language: Language; notGiven: string };

/**
 * Fills in the placeholders of safe HTML. `toHtml` writes each value, which is no HTML yet. `missing`: facts that the
 * text names, and the operator has not given; `notGiven` is in their place.
 */
export function fillPlaceholders(html: string, values: Values, toHtml: (value: string, name: string) => string) {
  const missing = new Set<MissingFact>();
  const items = values.processors.map((text) => `<li>${toHtml(text, 'processors')}</li>`);
  const filled = html
    .replace(LIST_PARAGRAPH, () => `<ul>${items.join('')}</ul>`)
    .replace(PLACEHOLDER, (_, name: string) => {
      for (const fact of FACTS[name as keyof typeof FACTS] ?? []) if (values.operator[fact] === null) missing.add(fact);
      return toHtml(textFor(name, values), name);
    });
  return { filled, missing: [...missing] };
}

function textFor(name: string, { operator, language, notGiven }: Values): string {
  const figure = FIGURES[name];
  if (figure !== undefined) return writeFigure(figure, language);
  if (name === 'operator') return [operator.name, operator.address].filter(Boolean).join(', ');
  if (name === 'name') return operator.name;
  if (name === 'email') return operator.email;
  return (name === 'address' ? operator.address : operator.vatNumber) ?? notGiven;
}

function writeFigure(figure: Figure, language: Language): string {
  const locale = localeOf(language);
  if (typeof figure === 'number') return formatNumber(figure, locale);
  const written = formatNumber(figure.count, locale, { style: 'unit', unit: figure.unit, unitDisplay: 'long' });
  // the unit stays beside its number, also in narrow tables
  return written.replace(' ', '\u00a0');
}
