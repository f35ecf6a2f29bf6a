/** The parts of a service worker's scope that we use: TypeScript's own types for it conflict with those of pages. */
type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
export type FetchEvent = Extendable & {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};
type Events = { install: Extendable; activate: Extendable; message: Extendable & MessageEvent; fetch: FetchEvent };

type Scope = {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void;
};

export const scope = globalThis as unknown as Scope;
