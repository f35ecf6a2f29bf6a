import type postgres from 'postgres';
import { type Purpose, TIME_LIMITS } from './overdue';
import { afterStart } from './started';

export type Deadline = {
  /** The longest wait for the answer to a statement that was sent. */
  answerSeconds: number;
  /** The longest time in which all connections are used and none of them is answered. */
  silentSeconds: number;
  onSilent(): void;
};

/** Overdue statements are ended every five seconds (overdue.ts): an answer that comes later is lost. */
const ANSWER_MARGIN_SECONDS = 10;
/** For requests, a minute in all. */
const SILENT_MARGIN_SECONDS = 45;

export function deadlineFor(purpose: Purpose): Deadline {
  const { statement } = TIME_LIMITS[purpose];
  return {
    answerSeconds: statement + ANSWER_MARGIN_SECONDS,
    silentSeconds: statement + SILENT_MARGIN_SECONDS,
    onSilent() {
      // ends the process, which its supervisor starts again
      throw new Error('all database connections are in use, and none of them answers');
    },
  };
}

type Pool = { isFull(): boolean; onLate(): void };
export type Answers = {
  expect(answer: Promise<unknown>): void;
  close(): void;
};

/**
 * Checks every second, and counts these checks, because a process that stood still has not read its answers yet. The
 * first promise has waited longest.
 */
export function awaitAnswers(deadline: Deadline, { isFull, onLate }: Pool): Answers {
  const waiting = new Map<Promise<unknown>, number>();
  let now = 0;
  let lastSound = 0;
  const timer = setInterval(() => {
    now += 1;
    if (!isFull() || waiting.size === 0) lastSound = now;
    if (now - lastSound > deadline.silentSeconds) deadline.onSilent();
    const [oldest = now] = waiting.values();
    if (now - oldest <= deadline.answerSeconds) return;
    // the pool rejects all of them soon
    waiting.clear();
    onLate();
  }, 1000).unref();
  return {
    expect(answer) {
      waiting.set(answer, now);
      const settle = (isAnswer: boolean) => {
        waiting.delete(answer);
        if (isAnswer) lastSound = now;
      };
      answer.then(
        () => settle(true),
        (error) => settle(error instanceof Object && 'severity' in error),
      );
    },
    close: () => clearInterval(timer),
  };
}

type Client = postgres.Sql | postgres.TransactionSql;
type Work = (tx: postgres.TransactionSql) => Promise<unknown>;

/** Expects an answer to every statement, and to everything that a transaction sends before and after its work. */
export function expectAnswers(client: postgres.Sql, answers: Answers): void {
  expectStatements(client, answers);
  const { begin } = client;
  client.begin = ((...args: [Work] | [string, Work]) => {
    const options = args.slice(0, -1) as [];
    return expectScope((work) => begin(...options, work as never), args.at(-1) as Work, answers);
  }) as typeof begin;
}

function expectStatements(client: Client, answers: Answers): void {
  const { unsafe } = client;
  const expectStarted = afterStart(answers.expect);
  client.unsafe = ((...args: Parameters<typeof unsafe>) => {
    const query = unsafe(...args);
    expectStarted(query as never);
    return query;
  }) as typeof unsafe;
}

function expectScope(open: (work: Work) => Promise<unknown>, work: Work, answers: Answers): Promise<unknown> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const scope = open(async (tx) => {
    begin();
    expectStatements(tx, answers);
    const { savepoint } = tx;
    tx.savepoint = ((inner: Work) => expectScope((own) => savepoint(own as never), inner, answers)) as typeof savepoint;
    try {
      return await work(tx);
    } finally {
      answers.expect(scope);
    }
  });
  answers.expect(Promise.race([begun, scope]));
  return scope;
}
