/** `ms`: how long the answer took, or the timeout. */
export type TimedAnswer = { isOk: boolean; ms: number };

/** Whether a check succeeds within `timeout` milliseconds. A late answer counts as a failure. */
export async function timedAnswer(check: () => Promise<unknown>, timeout: number): Promise<TimedAnswer> {
  const began = performance.now();
  const late = new Promise<false>((resolve) => setTimeout(resolve, timeout, false).unref());
  const inTime = check().then(
    () => true,
    () => false,
  );
  const isOk = await Promise.race([inTime, late]);
  return { isOk, ms: Math.round(performance.now() - began) };
}
