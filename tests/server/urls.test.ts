import { expect, test } from 'vitest';
import { domainInAddress } from '~/server/base/urls';

const HOSTS = { appUrl: 'https://altavoz.example', publicRoot: 'altavoz.example', creatorHostPrefix: '' };
test.each([
  ['@Lucia', 'lucia'],
  ['https://altavoz.example/@lucia', 'lucia'],
  ['altavoz.example/es/@lucia/n/letter', 'lucia'],
  ['https://lucia.altavoz.example/n?x=1', 'lucia'],
  ['LUCIA.altavoz.example', 'lucia'],
  ['https://altavoz.example/discover', null],
  ['https://social.example/@lucia', null],
  ['Lucía Ferrer', null],
  ['lucia', null],
  ['https://', null],
])('the text %s names the creator page %s', (text, domain) => {
  expect(domainInAddress(text, HOSTS)).toBe(domain);
});

test('the prefix of creators’ hosts is no part of a domain', () => {
  const hosts = { ...HOSTS, creatorHostPrefix: 'staging-' };

  expect(domainInAddress('staging-lucia.altavoz.example', hosts)).toBe('lucia');
});
