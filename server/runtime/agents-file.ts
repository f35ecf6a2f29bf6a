import fs from 'node:fs';
import { useAgentFile } from '../agents/classify';
import { type AgentFile, parseAgentFile } from '../agents/table';
import { SECONDS } from '../base/time';
import { AGENT_LIMITS } from '../limits/agents';
import type { Log } from '../watching/log';

const CHECKED_EVERY = SECONDS(5);

/**
 * Uses the operator's table of agents (AGENTS_FILE) before ours, and reads it again when it changes. A broken file is
 * logged, and the last good one stays in use.
 * @returns stops watching
 */
export function watchAgentsFile(file: string | null, log: Log, { checkedEvery = CHECKED_EVERY } = {}): () => void {
  useAgentFile(null);
  if (file === null) return () => {};
  const use = () => {
    try {
      useAgentFile(readAgentsFile(file));
      log.info({ file }, 'table of agents read');
    } catch (err) {
      log.error({ err, file }, 'AGENTS_FILE is broken: the last good table stays in use');
    }
  };
  use();
  // by time and size, not by events, because editors and container platforms replace the file
  fs.watchFile(file, { persistent: false, interval: checkedEvery }, use);
  return () => fs.unwatchFile(file, use);
}

/** @throws SyntaxError that says what is wrong, or the error of the file system */
export function readAgentsFile(file: string): AgentFile {
  const { size } = fs.statSync(file);
  if (size > AGENT_LIMITS.fileBytes) throw new SyntaxError(`more than ${AGENT_LIMITS.fileBytes} bytes`);
  return parseAgentFile(fs.readFileSync(file, 'utf8'));
}
