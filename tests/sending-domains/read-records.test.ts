import { expect, test } from 'vitest';
import type { DomainReadings, DomainState, RecordState } from '~/server/base/sending-records';
import {
  type Answer,
  type DomainAnswers,
  isUnanswered,
  nextState,
  readDkim,
  readRecords,
  readReturnPath,
} from '~/server/sending-domains/read-records';
import type { DomainFacts } from '~/server/sending-domains/wanted-records';

const KEY = `MIIB${'a1+/'.repeat(90)}`;
const FACTS: DomainFacts = {
  ...{ domain: 'news.example.com', selector: 'altavoz-1', publicKey: KEY },
  ...{ mailDomain: 'altavoz.example', reportsTo: 'dmarc@altavoz.example' },
};
const unchecked = { state: 'unchecked' as const, texts: [] };
const FORMER: DomainReadings = { dkim: unchecked, returnPath: unchecked, dmarc: unchecked };

test.each<[string, string[], RecordState]>([
  ['nothing', [], 'missing'],
  ['the record', [`v=DKIM1; k=rsa; p=${KEY}`], 'found'],
  ['no version', [`p=${KEY}`], 'found'],
  ['spaces in the key', [`v=DKIM1;k=rsa;p=${KEY.slice(0, 200)} ${KEY.slice(200)};`], 'found'],
  ['other texts beside it', ['hello', `v=DKIM1; p=${KEY}`], 'found'],
  ['services and hashes that include ours', [`v=DKIM1; h=sha1:sha256; s=email; t=s; p=${KEY}`], 'found'],
  ['another key', ['v=DKIM1; k=rsa; p=MIIBother'], 'wrong'],
  ['a revoked key', ['v=DKIM1; p='], 'wrong'],
  ['another text', ['v=spf1 -all'], 'wrong'],
  ['another algorithm', [`v=DKIM1; k=ed25519; p=${KEY}`], 'wrong'],
  ['a key for tests', [`v=DKIM1; t=y; p=${KEY}`], 'wrong'],
  ['only the former hash', [`v=DKIM1; h=sha1; p=${KEY}`], 'wrong'],
  ['a key twice in one record', [`v=DKIM1; p=${KEY}; p=${KEY}`], 'wrong'],
  ['two keys', [`v=DKIM1; p=${KEY}`, 'v=DKIM1; p=MIIBother'], 'several'],
  ['quotation marks', [`"v=DKIM1; k=rsa; p=${KEY.slice(0, 200)}" "${KEY.slice(200)}"`], 'quoted'],
  ['64 KB', [`v=DKIM1; p=${'A'.repeat(65_000)}`], 'wrong'],
  ['names of objects', ['__proto__=x; constructor=y; p=z'], 'wrong'],
])('with %s, the key is %s', (_, texts, state) => {
  expect(readDkim(texts, KEY)?.state).toBe(state);
});

test.each<[string[], RecordState]>([
  [[], 'missing'],
  [['altavoz.example'], 'found'],
  [['Altavoz.Example.'], 'found'],
  [['other.example'], 'wrong'],
  [['altavoz.example', 'other.example'], 'several'],
])('a return path to %j is %s', (targets, state) => {
  expect(readReturnPath(targets, 'altavoz.example')?.state).toBe(state);
});

test.each<[string, Answer, Answer, object | null]>([
  ['none', [], [], { state: 'missing', texts: [] }],
  ['a policy', ['v=DMARC1; p=none'], [], { state: 'found', reports: false }],
  [
    'reports to us',
    ['v=DMARC1; p=reject; rua=mailto:a@b.example,mailto:DMARC@altavoz.example!10m'],
    [],
    { reports: true },
  ],
  ['only reports', ['v=DMARC1; rua=mailto:a@b.example'], [], { state: 'found' }],
  ['an inherited one', [], ['v=DMARC1; p=quarantine'], { state: 'found', inherited: 'example.com' }],
  ['its own before the inherited one', ['v=DMARC1; p=none'], ['v=DMARC1; p=reject'], { texts: ['v=DMARC1; p=none'] }],
  ['an unknown policy', ['v=DMARC1; p=maybe'], ['v=DMARC1; p=none'], { state: 'wrong' }],
  ['neither policy nor reports', ['v=DMARC1'], [], { state: 'wrong' }],
  ['the version last', ['p=none; v=DMARC1'], [], { state: 'wrong' }],
  ['quotation marks', ['"v=DMARC1; p=none"'], [], { state: 'quoted' }],
  ['two', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], [], { state: 'several' }],
  ['another text', ['v=spf1 -all'], [], { state: 'wrong' }],
  ['no answer', null, ['v=DMARC1; p=none'], { state: 'unchecked' }],
  ['no answer above', [], null, { state: 'unchecked' }],
  ['no need for the answer above', ['v=DMARC1; p=none'], null, { state: 'found' }],
])('the policy of a domain with %s', (_, own, above, expected) => {
  const dmarc = [
    { domain: 'news.example.com', texts: own },
    { domain: 'example.com', texts: above },
  ];
  expect(readRecords(FACTS, { dkim: [], returnPath: [], dmarc }, FORMER).dmarc).toMatchObject(expected!);
});

test('what is kept of a record is short, and has no characters that a page or a database would stumble over', () => {
  const { texts } = readDkim(Array(200).fill(`\0\u202e${'é'.repeat(65_000)}`), KEY)!;

  expect(texts).toHaveLength(5);
  expect(texts[0]).toMatch(/^\?{500}…$/);
});

const found = { state: 'found' as const, texts: [] };
const missing = { state: 'missing' as const, texts: [] };
test.each<[DomainState, Partial<DomainReadings>, DomainState]>([
  ['pending', {}, 'verified'],
  ['pending', { dmarc: missing }, 'pending'],
  ['pending', { dkim: missing }, 'pending'],
  ['verified', {}, 'verified'],
  ['verified', { dmarc: missing }, 'verified'],
  ['verified', { dkim: missing }, 'lost'],
  ['verified', { returnPath: { state: 'wrong', texts: [] } }, 'lost'],
  ['lost', { dmarc: missing }, 'lost'],
  ['lost', {}, 'verified'],
])('a %s domain with %j becomes %s', (state, readings, next) => {
  expect(nextState(state, { dkim: found, returnPath: found, dmarc: found, ...readings })).toBe(next);
});

test('a record without an answer keeps its reading', () => {
  const former = { dkim: found, returnPath: found, dmarc: found };
  const silent: DomainAnswers = { dkim: null, returnPath: null, dmarc: [{ domain: 'news.example.com', texts: null }] };

  expect(readRecords(FACTS, silent, former)).toEqual(former);
  expect(isUnanswered(silent)).toBe(true);
});
