import { SaxesParser } from 'saxes';
import { DAYS } from '../base/time';

/** A server that sent emails in the name of a domain. */
export type DmarcSource = { ip: string; messages: number; passed: number };

/** An aggregate report (RFC 7489 appendix C). `domain`: in lower case. `passed`: by DKIM or SPF, aligned with it. */
export type DmarcReport = {
  domain: string;
  org: string;
  reportId: string;
  beginsAt: Date;
  endsAt: Date;
  messages: number;
  passed: number;
  dkimPassed: number;
  spfPassed: number;
  /** The largest ones first. */
  sources: DmarcSource[];
  /** Those that are not listed. */
  otherSources: number;
};

const MAX_ROWS = 5000;
/** A record has about twenty. */
const MAX_TAGS = 120_000;
const MAX_FIELDS = 1000;
const MAX_DEPTH = 20;
const MAX_TEXT = 1000;
const MAX_COUNT = 1_000_000_000;
const MAX_SOURCES = 50;
const MAX_NAME = 200;
const MAX_AGE = DAYS(400);
const MAX_PERIOD = DAYS(35);
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const IP = /^[0-9a-f.:]{3,45}$/;

/** Null for a text that is no report, one that is not well-formed, or one that contradicts itself. */
export function readDmarcReport(xml: string, now: Date): DmarcReport | null {
  if (!/<(?:\w+:)?feedback[\s>]/i.test(xml.slice(0, 2000))) return null;
  const read = readFields(xml);
  if (!read) return null;
  const { fields, rows } = read;
  const text = (path: string) => fields.get(path) ?? '';
  const domain = text('policy_published/domain').toLowerCase().replace(/\.$/, '');
  const [org, reportId] = [text('report_metadata/org_name'), text('report_metadata/report_id')];
  const [begin, end] = ['begin', 'end'].map((name) => timeOf(text(`report_metadata/date_range/${name}`)));
  if (!DOMAIN.test(domain) || org === '' || reportId === '' || !begin || !end) return null;
  if (rows.length === 0 || !isPeriod(begin, end, now)) return null;
  const names = { org: org.slice(0, MAX_NAME), reportId: reportId.slice(0, MAX_NAME) };
  return { domain, ...names, beginsAt: begin, endsAt: end, ...sum(rows) };
}

type Fields = Map<string, string>;

/** The texts by their path below the root, the first of each, and the records. Entities of a document are faults. */
function readFields(xml: string): { fields: Fields; rows: Row[] } | null {
  const parser = new SaxesParser();
  const [fields, rows, path]: [Fields, Row[], string[]] = [new Map(), [], []];
  let record: Fields = new Map();
  let text = '';
  let tags = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    tags += 1;
    if (path.length >= MAX_DEPTH || tags > MAX_TAGS) throw new Error('too deep or too many');
    path.push(name.replace(/^.*:/, '').toLowerCase());
    text = '';
  });
  parser.on('text', (part) => {
    if (text.length < MAX_TEXT) text += part;
  });
  parser.on('closetag', () => {
    const name = path.slice(1).join('/');
    const target = name.startsWith('record/') ? record : fields;
    if (!target.has(name)) target.set(name, text.replaceAll('\0', '').toWellFormed().trim());
    if (name === 'record') {
      rows.push(...rowOf(record));
      record = new Map();
    }
    if (rows.length > MAX_ROWS || fields.size > MAX_FIELDS) throw new Error('too many');
    path.pop();
    text = '';
  });
  try {
    parser.write(xml).close();
  } catch {
    return null;
  }
  return { fields, rows };
}

type Row = { ip: string; count: number; dkim: boolean; spf: boolean };

function rowOf(record: Fields): Row[] {
  const text = (name: string) => record.get(`record/row/${name}`)?.toLowerCase() ?? '';
  const [ip, count] = [text('source_ip'), /^\d{1,10}$/.test(text('count')) ? Number(text('count')) : 0];
  if (!IP.test(ip) || count === 0 || count > MAX_COUNT) return [];
  const isPass = (name: string) => text(`policy_evaluated/${name}`) === 'pass';
  return [{ ip, count, dkim: isPass('dkim'), spf: isPass('spf') }];
}

function sum(rows: Row[]) {
  const sources = new Map<string, DmarcSource>();
  const total = { messages: 0, passed: 0, dkimPassed: 0, spfPassed: 0 };
  for (const { ip, count, dkim, spf } of rows) {
    const passed = dkim || spf ? count : 0;
    total.messages += count;
    total.passed += passed;
    total.dkimPassed += dkim ? count : 0;
    total.spfPassed += spf ? count : 0;
    const source = sources.get(ip) ?? { ip, messages: 0, passed: 0 };
    sources.set(ip, { ip, messages: source.messages + count, passed: source.passed + passed });
  }
  const largest = [...sources.values()].sort((a, b) => b.messages - a.messages || (a.ip < b.ip ? -1 : 1));
  return {
    ...total,
    sources: largest.slice(0, MAX_SOURCES),
    otherSources: Math.max(0, largest.length - MAX_SOURCES),
  };
}

function timeOf(text: string): Date | null {
  return /^\d{9,11}$/.test(text) ? new Date(Number(text) * 1000) : null;
}

function isPeriod(begins: Date, ends: Date, now: Date): boolean {
  const [from, until, today] = [begins.getTime(), ends.getTime(), now.getTime()];
  return from < until && until - from <= MAX_PERIOD && from > today - MAX_AGE && until < today + DAYS(2);
}
