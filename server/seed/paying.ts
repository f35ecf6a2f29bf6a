/** Pays on a payment page as its form does. */
export type PayPage = (url: string, number?: string) => Promise<void>;

/** Simulated payments, whose clock can be set for what happened before. */
export type DemoPayments = {
  pay: PayPage;
  setTime(at: Date | null): void;
  /** Processes what has fallen due meanwhile. */
  catchUp(): Promise<unknown>;
};

type Sandbox = {
  app: { fetch(request: Request): Response | Promise<Response> };
  setTime(at: Date | null): void;
  tick(): Promise<number>;
};

const CARD = {
  step: 'pay',
  number: '4242424242424242',
  month: '12',
  year: '2040',
  cvc: '123',
  name: 'Demo',
  saved: '',
};

/** The server that has the pages does not listen yet, so they are called in this process. Null with real payments. */
export function paymentsOf(sandbox: Sandbox | null): DemoPayments | null {
  if (!sandbox) return null;
  const { setTime, tick } = sandbox;
  return { pay: payerOf(sandbox), setTime, catchUp: () => tick() };
}

function payerOf(sandbox: Sandbox): PayPage {
  return async (url, number = CARD.number) => {
    const { pathname, origin } = new URL(url);
    const page = new URL(pathname.slice(pathname.indexOf('/pay/')), origin);
    const answer = await sandbox.app.fetch(
      new Request(page, { method: 'POST', body: new URLSearchParams({ ...CARD, number }) }),
    );
    if (answer.status >= 400) throw new Error(`the sandbox answered ${answer.status}`);
  };
}
