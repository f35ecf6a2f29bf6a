import type { DomainReadings, DomainState, RecordReading, RecordState } from '../base/sending-records';
import { DOMAIN_LIMITS } from '../limits/newsletter';
import type { DomainFacts } from './wanted-records';

/** Each TXT record as one text, its strings joined. Null: no answer came, which says nothing about the record. */
export type Answer = string[] | null;
/** `dmarc`: the answers of `dmarcHosts`, in their order, with the domain of each. */
export type DomainAnswers = {
  dkim: Answer;
  returnPath: Answer;
  dmarc: { domain: string; texts: Answer }[];
};

/** What DNS shows of the three records. A record without an answer keeps its former reading. */
export function readRecords(facts: DomainFacts, answers: DomainAnswers, former: DomainReadings): DomainReadings {
  return {
    dkim: readDkim(answers.dkim, facts.publicKey) ?? former.dkim,
    returnPath: readReturnPath(answers.returnPath, facts.mailDomain) ?? former.returnPath,
    dmarc: readDmarc(answers.dmarc, facts) ?? former.dmarc,
  };
}

/** Whether a part of the answers is missing. */
export const isUnanswered = ({ dkim, returnPath, dmarc }: DomainAnswers): boolean =>
  dkim === null || returnPath === null || (dmarc.at(-1)?.texts ?? null) === null;

/** All three make a domain usable; without its key or its return path it is lost, because receivers would reject emails. */
export function nextState(state: DomainState, { dkim, returnPath, dmarc }: DomainReadings): DomainState {
  const signs = dkim.state === 'found' && returnPath.state === 'found';
  if (state === 'verified') return signs ? 'verified' : 'lost';
  return signs && dmarc.state === 'found' ? 'verified' : state;
}

/** RFC 6376 §3.6.1. Several records at one name have no meaning (§3.6.2.2), so receivers may take any. */
export function readDkim(texts: Answer, publicKey: string): RecordReading | null {
  if (texts === null) return null;
  const records = texts.filter((text) => /(?:^|[;"\s])p\s*=/.test(text.slice(0, MAX_READ)));
  if (records.length === 0) return reading(texts.length === 0 ? 'missing' : 'wrong', texts);
  if (records.length > 1) return reading('several', records);
  const [record = ''] = records;
  if (isOurKey(record, publicKey)) return reading('found', records);
  return reading(isOurKey(unquoted(record), publicKey) ? 'quoted' : 'wrong', records);
}

function isOurKey(record: string, publicKey: string): boolean {
  const tags = tagsOf(record);
  if (!tags || tags.p?.replace(/\s/g, '') !== publicKey) return false;
  const allows = (list: string | undefined, wanted: string) =>
    !list || list.split(':').some((one) => [wanted, '*'].includes(one.trim()));
  const isTest = tags.t?.split(':').some((flag) => flag.trim() === 'y');
  return (
    (tags.v ?? 'DKIM1') === 'DKIM1' &&
    (tags.k ?? 'rsa') === 'rsa' &&
    allows(tags.h, 'sha256') &&
    allows(tags.s, 'email') &&
    !isTest
  );
}

export function readReturnPath(targets: Answer, mailDomain: string): RecordReading | null {
  if (targets === null) return null;
  if (targets.length === 0) return reading('missing', []);
  if (targets.length > 1) return reading('several', targets);
  return reading(
    targets[0]!.toLowerCase().replace(/\.$/, '') === mailDomain.toLowerCase() ? 'found' : 'wrong',
    targets,
  );
}

/** RFC 7489 §6.6.3: the first name that has records decides. */
function readDmarc(found: DomainAnswers['dmarc'], { domain, reportsTo }: DomainFacts): RecordReading | null {
  for (const { domain: at, texts } of found) {
    if (texts === null) return null;
    const records = texts.filter((text) => /^\s*"?v\s*=\s*DMARC1\b/i.test(text.slice(0, MAX_READ)));
    if (records.length === 0) continue;
    if (records.length > 1) return reading('several', records);
    const [record = ''] = records;
    const inherited = at === domain ? {} : { inherited: at };
    if (isDmarc(record))
      return { ...reading('found', records), ...inherited, reports: asksForReports(record, reportsTo) };
    return { ...reading(isDmarc(unquoted(record)) ? 'quoted' : 'wrong', records), ...inherited };
  }
  const own = found[0]?.texts ?? [];
  return reading(own.length === 0 ? 'missing' : 'wrong', own);
}

const POLICIES = ['none', 'quarantine', 'reject'];

/** Without a policy, a record that asks for reports means `none` (RFC 7489 §6.6.3). */
function isDmarc(record: string): boolean {
  const tags = tagsOf(record);
  // the version comes first, in capital letters (§6.3)
  if (!tags || !/^\s*v\s*=\s*DMARC1\s*(?:;|$)/.test(record)) return false;
  const policy = tags.p?.toLowerCase();
  return policy === undefined ? Boolean(tags.rua) : POLICIES.includes(policy);
}

function asksForReports(record: string, address: string): boolean {
  const wanted = `mailto:${address}`.toLowerCase();
  return (tagsOf(record)?.rua ?? '').split(',').some((uri) => uri.trim().toLowerCase().replace(/!\w+$/, '') === wanted);
}

/** Longer texts are no records of ours: a key of 4,096 bits has 750 characters. */
const MAX_READ = 4000;

/** `name=value` separated by `;` (RFC 6376 §3.2). Null if that is not what the text is, or if a name comes twice. */
function tagsOf(text: string): Record<string, string | undefined> | null {
  if (text.length > MAX_READ) return null;
  const tags: Record<string, string> = {};
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 0 || !/^[a-z][a-z0-9_]*$/i.test(name) || Object.hasOwn(tags, name)) return null;
    Object.defineProperty(tags, name, { value: part.slice(at + 1).trim(), enumerable: true });
  }
  return tags;
}

/** People enter the quotation marks of zone files in forms that add their own. */
const unquoted = (text: string): string => text.slice(0, MAX_READ).replace(/\\?["“”]/g, '');

const reading = (state: RecordState, texts: string[]): RecordReading => ({
  state,
  texts: texts.slice(0, DOMAIN_LIMITS.shownTexts).map(shown),
});

/** Names of DNS may contain any byte. */
function shown(text: string): string {
  const printable = text.slice(0, DOMAIN_LIMITS.shownLength).replace(/[^\x20-\x7e]/g, '?');
  return text.length > DOMAIN_LIMITS.shownLength ? `${printable}…` : printable;
}
