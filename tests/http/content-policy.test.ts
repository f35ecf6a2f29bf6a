import { expect, test } from 'vitest';
import { contentPolicy } from '~/server/http/security';

const URLS = {
  appUrl: 'https://altavoz.example',
  publicRoot: 'altavoz.example',
  creatorHostPrefix: '',
  creatorUrls: 'host' as const,
  mediaUrl: null,
};
const settings = { urls: URLS, uploadOrigin: null, development: false, allowsTagManager: false, chat: null };
/** The sources of third parties, by directive. */
function foreignSources(over: Partial<Parameters<typeof contentPolicy>[0]>): Record<string, string[]> {
  const directives = contentPolicy({ ...settings, ...over }, 'n').split('; ');
  const foreign = directives.map((directive) => {
    const [name, ...sources] = directive.split(' ');
    return [name, sources.filter((source) => /^https:/.test(source) && !source.endsWith('altavoz.example'))] as const;
  });
  return Object.fromEntries(foreign.filter(([, sources]) => sources.length > 0));
}

test('without settings for third parties, no source of theirs is allowed', () => {
  expect(foreignSources({})).toEqual({});
});

test('a tag manager is allowed only if it is set', () => {
  const sources = ['https://*.googletagmanager.com', 'https://*.google-analytics.com'];

  expect(foreignSources({ allowsTagManager: true })).toEqual({
    'script-src': sources,
    'img-src': sources,
    'connect-src': sources,
  });
});

test.each([
  ['crisp' as const, 'https://*.crisp.chat'],
  ['intercom' as const, 'https://widget.intercom.io'],
])('the chat of %s is allowed only if it is set', (provider, script) => {
  expect(foreignSources({ chat: { provider, id: 'x' } })['script-src']).toContain(script);
});
