import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** `firstAt` and `lastAt`: epoch milliseconds of the first and the last email since the previous call; 0 without any. */
export type SinkCounts = { emails: number; bytes: number; firstAt: number; lastAt: number };

/** Starts a mail server in a process of its own. `offers`: SMTP extensions beyond PIPELINING, such as `CHUNKING`. */
export async function startSink(offers: string[]): Promise<{ sink: ChildProcess; port: number }> {
  const sink = fork(new URL('./newsletter-sink.ts', import.meta.url), offers, { execArgv: ['--import', 'tsx'] });
  const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
  return { sink, port };
}

export async function countsOf(sink: ChildProcess): Promise<SinkCounts> {
  sink.send('count');
  const [counts] = (await once(sink, 'message')) as [SinkCounts];
  return counts;
}
