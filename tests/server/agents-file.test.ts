import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { classifyAgent, useAgentFile } from '~/server/agents/classify';
import { watchAgentsFile } from '~/server/runtime/agents-file';
import type { Log } from '~/server/watching/log';

const AGENT = 'Radio Luna/2.0';
const tableOf = (name: string) =>
  JSON.stringify({ agents: [{ id: 'radio_luna', name, kind: 'app', match: [name.toLowerCase()] }] });

function logOf(lines: string[]): Log {
  const write = (_: object, message: string) => void lines.push(message);
  return { info: write, error: write, warn: write, debug: write } as unknown as Log;
}

test("an operator's table is read at the start and again when it changes; a broken one changes nothing", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-agents-'));
  const file = path.join(folder, 'agents.json');
  await fs.writeFile(file, tableOf('Radio Luna'));
  const lines: string[] = [];

  const stop = watchAgentsFile(file, logOf(lines), { checkedEvery: 20 });
  onTestFinished(async () => {
    stop();
    useAgentFile(null);
    await fs.rm(folder, { recursive: true });
  });
  expect(classifyAgent(AGENT).kind).toBe('app');

  await fs.writeFile(file, '{ "agents": [ broken');
  await expect.poll(() => lines.at(-1)).toBe('AGENTS_FILE is broken: the last good table stays in use');
  expect(classifyAgent(AGENT).kind).toBe('app');

  await fs.writeFile(file, tableOf('Radio Sol, renamed'));
  await expect.poll(() => classifyAgent(AGENT).kind).toBe('unknown');
});

test('a broken table does not keep a process from starting', async () => {
  const lines: string[] = [];

  watchAgentsFile('/no/such/agents.json', logOf(lines))();

  expect(lines).toEqual(['AGENTS_FILE is broken: the last good table stays in use']);
  expect(classifyAgent('Overcast/3.0').kind).toBe('app');
});
