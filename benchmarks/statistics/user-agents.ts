import { classifyAgent } from '~/server/agents/classify';
import examples from '~/tests/agents/examples.json';
import { measureCpu } from '../cpu-time';
import type { BenchmarkRow } from '../table';

const AGENTS = 1_000_000;
const ROUNDS = 5;
const PER_ROUND = AGENTS / ROUNDS;

/** User agents of apps, bots, browsers and libraries. */
const KNOWN = [examples.apps, examples.bots, examples.browsers, examples.libraries].flatMap((list) =>
  Object.values(list).flat(),
);

/** Recognises a million user agents: the same ones again and again, as listeners send them, and ones that never repeat. */
export async function userAgentRows(): Promise<BenchmarkRow[]> {
  let serial = 0;
  const repeated = await measureCpu(() => classify((i) => KNOWN[i % KNOWN.length]!), ROUNDS);
  const unique = await measureCpu(() => classify((i) => `${KNOWN[i % KNOWN.length]} ${serial++}`), ROUNDS);
  const row = (label: string, ms: number): BenchmarkRow => ({
    label,
    figure: `${((ms * 1000) / PER_ROUND).toPrecision(3)} µs CPU each`,
  });
  return [
    row(`${AGENTS.toLocaleString('en')} user agents, ${KNOWN.length} different ones`, repeated.ms),
    row(`${AGENTS.toLocaleString('en')} user agents, none twice`, unique.ms),
  ];
}

function classify(agentAt: (i: number) => string): number {
  let bots = 0;
  for (let i = 0; i < PER_ROUND; i++) if (classifyAgent(agentAt(i)).kind === 'bot') bots++;
  return bots;
}
