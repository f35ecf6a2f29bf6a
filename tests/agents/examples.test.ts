import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { appName, classifyAgent } from '~/server/agents/classify';
import { referrerHost, referrerName } from '~/server/agents/referrers';
import selection from './examples.json';

type Examples = Record<string, string[]>;
type List = 'apps' | 'bots' | 'browsers' | 'libraries' | 'devices';

/** All examples of opawg/user-agents-v2 are tested, too, if this names their folder. */
const FOLDER = process.env.SAMPLE_USER_AGENTS ?? '';
const FLOOR = 0.99;

const KINDS: Record<string, string[]> = {
  apps: ['app'],
  bots: ['bot'],
  browsers: ['browser'],
  // scripts use some libraries, players the others
  libraries: ['library', 'bot'],
};
const RENAMED: Record<string, string> = { 'Bytespider.*bytedance': 'Bytespider' };

const DEVICES: Record<string, string> = {
  'Amazon Smart Speaker': 'speaker',
  'Android Phone': 'phone',
  'Android Tablet': 'tablet',
  'Apple Computer': 'computer',
  'Apple HomePod': 'speaker',
  'Apple iPhone': 'phone',
  'Apple TV': 'tv',
  'Apple Watch': 'watch',
  'Google Home': 'speaker',
  'Other Computer': 'computer',
  'Other Mobile Device': 'phone',
  'Other Smart Speaker': 'speaker',
  'Other Smart TV': 'tv',
  'Smart Car': 'car',
};
/** Consoles and cars, which the examples count among the TVs. */
const FINER = /xbox|;ps5;|cinemo/i;

function wholeList(list: List | 'referrers'): Examples {
  const { entries } = JSON.parse(readFileSync(path.join(FOLDER, `${list}.examples.json`), 'utf8')) as {
    entries: { name: string; examples: string[] }[];
  };
  return Object.fromEntries(entries.map(({ name, examples }) => [name, examples]));
}

const SOURCES: [string, (list: List) => Examples][] = [
  ['the selection', (list) => selection[list] as Examples],
  ...(existsSync(FOLDER) ? [['all examples', wholeList] as [string, typeof wholeList]] : []),
];

type Result = { agent: string; isRight: boolean };

const results = (examples: Examples, isRight: (agent: string, name: string) => boolean): Result[] =>
  Object.entries(examples).flatMap(([name, agents]) =>
    agents.map((agent) => ({ agent, isRight: isRight(agent, name) })),
  );

const wrongOnes = (all: Result[]) => all.filter(({ isRight }) => !isRight).map(({ agent }) => agent);

test.each(SOURCES)('%s: at least 99 %% have their name and kind', (_, read) => {
  const all = Object.entries(KINDS).flatMap(([list, kinds]) =>
    results(read(list as List), (agent, name) => {
      const { app, kind } = classifyAgent(agent);
      return appName(app) === (RENAMED[name] ?? name) && kinds.includes(kind);
    }),
  );

  const wrong = wrongOnes(all);
  expect(all.length).toBeGreaterThan(500);
  expect(1 - wrong.length / all.length, wrong.join('\n')).toBeGreaterThanOrEqual(FLOOR);
});

test.each(SOURCES)('%s: bots and listeners are told apart without exception', (_, read) => {
  const all = (['apps', 'bots', 'browsers', 'devices'] as const).flatMap((list) =>
    results(read(list), (agent) => (classifyAgent(agent).kind === 'bot') === (list === 'bots')),
  );

  expect(wrongOnes(all)).toEqual([]);
});

test.each(SOURCES)('%s: each has its class of device', (_, read) => {
  const all = results(read('devices'), (agent, name) => {
    const { device } = classifyAgent(agent);
    return FINER.test(agent) ? ['console', 'car'].includes(device) : device === DEVICES[name];
  });

  expect(wrongOnes(all)).toEqual([]);
});

test.runIf(existsSync(FOLDER))('each referrer has its name', () => {
  const all = results(wholeList('referrers'), (url, name) => {
    const host = referrerHost(url, 'browser');
    return host !== null && referrerName(host) === name;
  });

  expect(wrongOnes(all)).toEqual([]);
});
