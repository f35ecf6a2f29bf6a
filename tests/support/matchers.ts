import { expect } from 'vitest';
import { describeProblem } from '~/server/base/problems';

interface Failing<R = unknown> {
  /** Expects the promise to reject with this error code, or with this message key on a field. */
  toFailWith(code: string): Promise<R>;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: vitest's own signature, which this must repeat
  interface Matchers<T = any> extends Failing<T> {}
}

expect.extend({
  async toFailWith(promise: Promise<unknown>, code: string) {
    const outcome = await promise.then(
      () => null,
      (error: unknown) => describeProblem(error),
    );
    const codes = outcome
      ? [outcome.code, ...Object.values(outcome.fields).flatMap((all) => all.map((s) => s.key))]
      : [];
    return {
      pass: codes.includes(code),
      message: () =>
        outcome ? `failed with ${codes.join(', ')}, not with ${code}` : `did not fail, but should with ${code}`,
    };
  },
});
