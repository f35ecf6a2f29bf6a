/** The messages of a thread in order; then the reason why there are no more. */
export function openInbox<Reply>() {
  const replies: Reply[] = [];
  let failure: Error | null = null;
  let wake = () => {};
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  return {
    fail,
    put(reply: Reply): void {
      replies.push(reply);
      wake();
    },
    /** @throws if the thread fails, or sends nothing in that time */
    async next(timeoutMs: number): Promise<Reply> {
      if (replies.length === 0 && !failure) {
        const timer = setTimeout(() => fail(new Error('the audio thread hangs')), timeoutMs);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(timer);
      }
      const reply = replies.shift();
      if (reply) return reply;
      throw failure ?? new Error('the audio thread sent no message');
    },
  };
}
