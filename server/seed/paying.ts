/** Pays on a payment page as its form does. `country`: of the billing address. */
export type PayPage = (url: string, number?: string, country?: string) => Promise<void>;

/** Simulated payments, whose clock can be set to past days. */
export type DemoPayments = {
  pay: PayPage;
  /** Connects an account on the provider's page. @returns the address to which the page redirects */
  connect(url: string): Promise<URL>;
  setTime(at: Date | null): Promise<void>;
  /** Processes everything that has fallen due meanwhile. */
  catchUp(): Promise<unknown>;
};

type Sandbox = {
  app: { fetch(request: Request): Response | Promise<Response> };
  setTime(at: Date | null): Promise<void>;
  tick(): Promise<number>;
  capture(): Promise<number>;
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

/** A buyer's card comes from their country; otherwise from the United States, as the sandbox has no other cards. */
const CARDS: Record<string, string> = { ES: '4000007240000007', GB: '4000008260000000' };
export const cardIn = (country: string): string => CARDS[country] ?? CARD.number;

/** Calls the pages in this process, because the server that has them does not listen yet. Null with real payments. */
export function paymentsOf(sandbox: Sandbox | null): DemoPayments | null {
  if (!sandbox) return null;
  const { setTime, tick } = sandbox;
  return { pay: payerOf(sandbox), connect: connectorOf(sandbox), setTime, catchUp: () => tick() };
}

function payerOf(sandbox: Sandbox): PayPage {
  return async (url, number = CARD.number, country = '') => {
    const { pathname, origin, search } = new URL(url);
    const page = new URL(pathname.slice(pathname.indexOf('/pay/')) + search, origin);
    const answer = await sandbox.app.fetch(
      new Request(page, { method: 'POST', body: new URLSearchParams({ ...CARD, number, country }) }),
    );
    if (answer.status >= 400) throw new Error(`the sandbox answered ${answer.status}`);
    // in past days, nothing captures it some seconds later, and its money would not be payable
    await sandbox.capture();
  };
}

function connectorOf(sandbox: Sandbox): DemoPayments['connect'] {
  return async (url) => {
    const { pathname, origin, search } = new URL(url);
    const page = new URL(pathname.slice(pathname.indexOf('/oauth/')) + search, origin);
    const body = new URLSearchParams({ answer: 'ready' });
    const answer = await sandbox.app.fetch(new Request(page, { method: 'POST', body }));
    return new URL(answer.headers.get('location') ?? '', origin);
  };
}
