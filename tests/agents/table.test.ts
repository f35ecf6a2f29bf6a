import { expect, onTestFinished, test } from 'vitest';
import packaged from '~/server/agents/agents.json';
import { agentIndex, appName, classifyAgent, useAgentFile } from '~/server/agents/classify';
import { isDataCenter } from '~/server/agents/data-centers';
import { productOf, readableAgent } from '~/server/agents/readable';
import { referrerHost, referrerName } from '~/server/agents/referrers';
import { DEVICES, parseAgentFile } from '~/server/agents/table';

function useTable(table: object) {
  useAgentFile(parseAgentFile(JSON.stringify(table)));
  onTestFinished(() => useAgentFile(null));
}

test('every ID and every pattern is in our table once', () => {
  const ids = packaged.agents.map(({ id }) => id);
  const patterns = packaged.agents.flatMap(({ match }) => match);
  const repeated = (list: string[]) => list.filter((text, i) => list.indexOf(text) !== i);

  expect(repeated(ids)).toEqual([]);
  expect(repeated(patterns)).toEqual([]);
});

test('every pattern of our table is written as agents are read', () => {
  const patterns = [...packaged.agents, ...packaged.devices, ...packaged.systems].flatMap(({ match }) => match);

  expect(patterns.filter((pattern) => readableAgent(pattern) !== pattern.trim())).toEqual([]);
});

test('the devices and systems of entries exist', () => {
  const systems = new Set(packaged.systems.map(({ id }) => id));
  const entries: { device?: string; os?: string }[] = packaged.agents;

  expect(entries.filter(({ device }) => device && !DEVICES.some((known) => known === device))).toEqual([]);
  expect(entries.filter(({ os }) => os && !systems.has(os))).toEqual([]);
});

test.each([
  ['overcast/3.0 (+http://overcast.fm/; ios podcast app)', 'overcast'],
  ['radio.de 5.6.22 (ipad; iphone os 16.4; de_de)', 'radio.de'],
  ['92.3 wil/ios 4.7.11', '92.3 wil'],
  ['mozilla/5.0 (compatible; ahrefsbot/7.0; +http://ahrefs.com/robot/)', 'ahrefsbot'],
  ['podgrab - docker', 'podgrab'],
  ['pocket casts', 'pocket casts'],
])('the product of %s is %s', (agent, product) => {
  expect(productOf(agent)).toBe(product);
});

test("an operator's table adds agents, and decides about those of ours", () => {
  useTable({
    version: 'mine-3',
    agents: [
      { id: 'radio_luna', name: 'Radio Luna', kind: 'app', match: ['radio luna'], device: 'phone' },
      { id: 'luna_harvester', name: 'Luna Harvester', kind: 'bot', match: ['Luna/* Fetch-#*'] },
      { id: 'overcast', name: 'Overcast (renamed)', kind: 'app', match: ['overcast'] },
      { id: 'my_mirror', name: 'My mirror', kind: 'app', match: ['curl/* mirror*'] },
    ],
    words: ['Stethoscope'],
    dataCenters: [64_500],
    listenerNetworks: [24_940],
    referrers: [{ name: 'Luna', hosts: ['luna.example'] }],
  });

  expect(classifyAgent('Radio Luna/2.0')).toMatchObject({ kind: 'app', app: 'radio_luna', device: 'phone' });
  expect(classifyAgent('Luna/1.0 fetch-77 (x)')).toMatchObject({ kind: 'bot', app: 'luna_harvester' });
  expect(classifyAgent('EpisodeStethoscope/1.0')).toMatchObject({ kind: 'bot' });
  expect(classifyAgent('curl/8.5.0 mirror of the library')).toMatchObject({ kind: 'app', app: 'my_mirror' });
  expect(classifyAgent('curl/8.5.0')).toMatchObject({ kind: 'bot', app: 'curl' });
  expect(appName('overcast')).toBe('Overcast (renamed)');
  expect([isDataCenter(64_500), isDataCenter(24_940), isDataCenter(16_276), isDataCenter(3352)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(referrerName(referrerHost('https://www.luna.example/shows', 'browser')!)).toBe('Luna');
  expect(agentIndex().file.version).toBe(`${packaged.version}+mine-3`);
});

test('an agent that was classified before is classified again with another table', () => {
  const agent = 'Radio Luna/2.0';
  expect(classifyAgent(agent).kind).toBe('unknown');

  useTable({ agents: [{ id: 'radio_luna', name: 'Radio Luna', kind: 'app', match: ['radio luna'] }] });

  expect(classifyAgent(agent).kind).toBe('app');
});

test.each([
  ['no JSON', '{', 'JSON'],
  ['a list', '[]', 'file'],
  ['an unknown key', '{"apps": []}', 'apps'],
  ['an unknown kind', '{"agents": [{"id": "a", "name": "A", "kind": "robot", "match": ["a"]}]}', 'agents.0.kind'],
  ['no pattern', '{"agents": [{"id": "a", "name": "A", "kind": "app", "match": []}]}', 'agents.0.match'],
  [
    'digits that would need backtracking',
    '{"words": ["abc"], "devices": [{"device": "tv", "match": ["1#2"]}]}',
    'devices.0',
  ],
  ['digits that no text can have', '{"systems": [{"id": "a", "name": "A", "match": ["a/#7"]}]}', 'systems.0'],
  ['a network by its name', '{"dataCenters": ["AS24940"]}', 'dataCenters.0'],
])('a file with %s is rejected', (_, text, where) => {
  expect(() => parseAgentFile(text)).toThrow(where);
});
