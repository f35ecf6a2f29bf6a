import { z } from 'zod';
import { AGENT_LIMITS } from '../limits/agents';
import packaged from './agents.json';
import { compileGlob } from './glob';

export const DEVICES = ['phone', 'tablet', 'computer', 'speaker', 'watch', 'tv', 'car', 'console', 'unknown'] as const;

const pattern = z
  .string()
  .min(1)
  .max(AGENT_LIMITS.patternLength)
  .transform((written, context) => {
    // agents are read in small letters
    const text = written.normalize('NFC').toLowerCase();
    try {
      // a pattern without “*” names the product at the beginning; it is compiled only to check it
      return { text, glob: compileGlob(text) };
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });
const patterns = z.array(pattern).min(1);
const id = z.string().regex(/^[a-z0-9_]{1,60}$/);
const name = z.string().trim().min(1).max(80);
const host = z.string().regex(/^[a-z0-9.-]{1,100}$/);
const device = z.enum(DEVICES);
const asn = z.number().int().positive();

/** The table of agents as a file: ours (agents.json), and the one of an operator with any of its keys. */
const fileShape = z.strictObject({
  version: z.string().max(40).optional(),
  /** `device`, `os`: for agents that do not say it themselves. */
  agents: z
    .array(
      z.strictObject({
        id,
        name,
        kind: z.enum(['app', 'bot', 'browser', 'library']),
        match: patterns,
        device: device.optional(),
        os: id.optional(),
      }),
    )
    .default([]),
  /** Parts of the names of unknown agents that are bots. */
  words: z.array(z.string().min(3).max(40).toLowerCase()).default([]),
  devices: z.array(z.strictObject({ device, match: patterns, except: patterns.optional() })).default([]),
  systems: z.array(z.strictObject({ id, name, match: patterns })).default([]),
  /** Well-known sites; the first host stands for all of them, and for their subdomains. */
  referrers: z.array(z.strictObject({ name, hosts: z.array(host).min(1) })).default([]),
  badReferrers: z.array(host).default([]),
  /** Autonomous systems: data centres, and those of ours that an operator knows to be listeners. */
  dataCenters: z.array(asn).default([]),
  listenerNetworks: z.array(asn).default([]),
});

export type AgentFile = z.infer<typeof fileShape>;
export type AgentEntry = AgentFile['agents'][number];

/** An operator's file. @throws SyntaxError that says what is wrong with it */
export function parseAgentFile(text: string): AgentFile {
  const parsed = fileShape.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new SyntaxError(`${first!.path.join('.') || 'file'}: ${first!.message}`);
}

export const packagedFile = (): AgentFile => fileShape.parse(packaged);

/** An operator's entries come first, so that they decide where both tables know an agent. */
export function mergeFiles(own: AgentFile, ours: AgentFile): AgentFile {
  return {
    version: [ours.version, own.version].filter(Boolean).join('+'),
    agents: [...own.agents, ...ours.agents],
    words: [...own.words, ...ours.words],
    devices: [...own.devices, ...ours.devices],
    systems: [...own.systems, ...ours.systems],
    referrers: [...own.referrers, ...ours.referrers],
    badReferrers: [...own.badReferrers, ...ours.badReferrers],
    dataCenters: [...own.dataCenters, ...ours.dataCenters],
    listenerNetworks: [...own.listenerNetworks, ...ours.listenerNetworks],
  };
}
