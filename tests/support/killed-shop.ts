import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterAll } from 'vitest';
import { bundle } from '~/scripts/bundle.mjs';
import { cast } from './cast';
import type { Answer, ChildSetup, Command, Numbered } from './shop-child';
import { REAL_STRIPE, testStripe, WEBHOOK_SECRET } from './stripe-sandbox';

class Killed extends Error {}

/**
 * The product in its own process, which can be killed during its work, with a payment provider that survives, like the
 * real one. `call` acts for a person; `settle` delivers webhooks and runs jobs until none are left. Without `captures`,
 * payments are captured at their own time. `callsPerSecond` is the provider's limit.
 */
export async function killedShop({ callsPerSecond = null }: { callsPerSecond?: number | null } = {}) {
  const stage = await cast({ settings: REAL_STRIPE });
  const { clock } = stage;
  const child = await childOf({ url: stage.url, callsPerSecond, now: () => clock.now });
  const receive = async (request: Request) => {
    const signature = request.headers.get('stripe-signature') ?? '';
    const { error } = await child.run({ kind: 'event', body: await request.text(), signature });
    return new Response(error ?? 'Received.', { status: error ? 500 : 200 });
  };
  const webhook = { url: 'http://altavoz.localhost:3000/webhooks/stripe', secret: WEBHOOK_SECRET };
  const events = { webhook, send: receive, retries: [0, 0, 0] };
  const stripe = await testStripe({ url: stage.url, now: () => clock.now, ...events });
  stripe.sandbox.setLimits({ perSecond: callsPerSecond });
  await child.connect(stripe.sandbox.app.fetch);

  async function settle({ schedules = false, captures = true } = {}): Promise<void> {
    await stripe.sandbox.tick();
    for (let left = 1; left > 0; ) {
      const delivered = await stripe.sandbox.deliver();
      await child.run({ kind: 'jobs', schedules });
      left = delivered + (captures ? await stripe.sandbox.capture() : 0);
    }
  }
  const call = (token: string | null, name: string, input: unknown) =>
    child.run({ kind: 'call', token, path: name, input });
  const buy = (order: Omit<Extract<Command, { kind: 'buy' }>, 'kind'>) => child.run({ kind: 'buy', ...order });
  const give = (order: Omit<Extract<Command, { kind: 'give' }>, 'kind'>) => child.run({ kind: 'give', ...order });
  /** An operator's action on a payout, on the command line. */
  const operate = (id: string, step: Extract<Command, { kind: 'operate' }>['step']) =>
    child.run({ kind: 'operate', id, step });
  /** The operator refunds a payment that its bank has reported, on the command line. */
  const refundWarned = (id: string) => child.run({ kind: 'refundWarned', id });
  const { killNext, killBeforeAnswer, kills } = child;
  return { ...stage, stripe, clock, call, buy, give, operate, refundWarned, settle, killNext, killBeforeAnswer, kills };
}

type Kept = { url: string; callsPerSecond: number | null; now: () => Date };

async function childOf({ url, callsPerSecond, now }: Kept) {
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-year-'));
  await bundle({ child: 'tests/support/shop-child.ts' }, folder, ['#pages-build', 'vitest']);
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const setup: ChildSetup = { url, dataDir: folder, sandbox: '', secret: WEBHOOK_SECRET, callsPerSecond };
  let running: Promise<Running> | null = null;
  let killAfter: number | null = null;
  let diesBeforeAnswer = false;
  let number = 0;
  let killed = 0;
  afterAll(async () => {
    (await running)?.process.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** Repeats the command in the next process if this one was killed, as users and the provider do. */
  async function run(command: Command): Promise<Answer> {
    for (;;) {
      running ??= start(folder, setup);
      const { process: child, ask } = await running;
      number += 1;
      const delay = killAfter;
      killAfter = null;
      const dies = diesBeforeAnswer;
      diesBeforeAnswer = false;
      if (delay !== null) void sleep(delay).then(() => child.kill('SIGKILL'));
      try {
        return await ask({ number, now: now().toISOString(), command, dies });
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        killed += 1;
        running = null;
      }
    }
  }
  return {
    run,
    kills: () => killed,
    /** Kills the process a number of milliseconds after the next command has begun. */
    killNext(delay: number) {
      killAfter = delay;
    },
    /** Kills the process after the next command has committed everything, and before it answers. */
    killBeforeAnswer() {
      diesBeforeAnswer = true;
    },
    connect: async (fetch: (request: Request) => Response | Promise<Response>) => {
      const server = createServer(getRequestListener(fetch)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      afterAll(() => server.close());
      setup.sandbox = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}

type Running = { process: ChildProcess; ask(command: Numbered): Promise<Answer> };

async function start(folder: string, setup: ChildSetup): Promise<Running> {
  const child = spawn(process.execPath, [path.join(folder, 'child.js'), JSON.stringify(setup)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const waiting = new Map<number, { answer(answer: Answer): void; fail(error: Error): void }>();
  const ready = once(lines, 'line');
  child.once('exit', () => {
    for (const { fail } of waiting.values()) fail(new Killed());
  });
  child.stdin.on('error', () => {});
  await ready;
  lines.on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.number)?.answer(answer);
    waiting.delete(answer.number);
  });
  return {
    process: child,
    ask: (command) =>
      new Promise<Answer>((answer, fail) => {
        if (child.exitCode !== null || child.signalCode !== null) return fail(new Killed());
        waiting.set(command.number, { answer, fail });
        child.stdin.write(`${JSON.stringify(command)}\n`);
      }),
  };
}
