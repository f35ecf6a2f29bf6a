import type { PlayFacts, Source } from '~/db/values/statistics';
import { type Random, seededRandom } from './random';

/** An imagined listener of a show: where, with what, and at which hours of the day (UTC) they listen. */
export type DemoListener = { facts: PlayFacts; isOnWeb: boolean; hour: number };

type Share<Value> = readonly [share: number, value: Value];
type Device = Pick<PlayFacts, 'app' | 'device' | 'os'>;

const COUNTRIES: readonly Share<Pick<PlayFacts, 'country' | 'region'>>[] = [
  [24, { country: 'ES', region: 'ES-MD' }],
  [16, { country: 'ES', region: 'ES-CT' }],
  [8, { country: 'ES', region: 'ES-AN' }],
  [18, { country: 'MX', region: null }],
  [12, { country: 'AR', region: null }],
  [7, { country: 'CO', region: null }],
  [5, { country: 'CL', region: null }],
  [5, { country: 'US', region: null }],
  [2, { country: 'FR', region: null }],
  [1, { country: 'DE', region: null }],
  [1, { country: 'GB', region: null }],
  [1, { country: 'ZZ', region: null }],
];

const APPS: readonly Share<Device>[] = [
  [34, { app: 'apple_podcasts', device: 'phone', os: 'ios' }],
  [26, { app: 'spotify', device: 'phone', os: 'android' }],
  [9, { app: 'ivoox', device: 'phone', os: 'android' }],
  [8, { app: 'antennapod', device: 'phone', os: 'android' }],
  [7, { app: 'pocket_casts', device: 'phone', os: 'ios' }],
  [5, { app: 'overcast', device: 'phone', os: 'ios' }],
  [4, { app: 'apple_podcasts', device: 'tablet', os: 'ios' }],
  [3, { app: 'apple_podcasts', device: 'computer', os: 'macos' }],
  [2, { app: 'apple_podcasts', device: 'watch', os: 'watchos' }],
  [1, { app: 'alexa_enabled_device', device: 'speaker', os: 'other' }],
  [1, { app: 'unknown', device: 'unknown', os: 'unknown' }],
];

const BROWSERS: readonly Share<Device>[] = [
  [5, { app: 'chrome', device: 'computer', os: 'windows' }],
  [3, { app: 'safari', device: 'phone', os: 'ios' }],
  [2, { app: 'firefox', device: 'computer', os: 'linux' }],
  [4, { app: 'chrome', device: 'phone', os: 'android' }],
];

const FEEDS: readonly Share<Source>[] = [
  [84, 'feed'],
  [12, 'private_feed'],
  [4, 'other'],
];
const PLAYERS: readonly Share<Source>[] = [
  [7, 'player'],
  [3, 'embed'],
];
/** Mornings, lunch, and above all evenings. */
const HOURS: readonly Share<number>[] = [2, 1, 0, 0, 0, 2, 6, 9, 8, 5, 4, 4, 6, 7, 5, 4, 5, 7, 9, 10, 9, 8, 6, 4].map(
  (share, hour) => [share, hour],
);
const ON_WEB = 0.4;

/** The same listeners at every start. */
export function demoListeners(show: number, count: number): DemoListener[] {
  const random = seededRandom(`listeners of ${show}`);
  return Array.from({ length: count }, () => {
    const isOnWeb = random.next() < ON_WEB;
    const client = choose(random, isOnWeb ? BROWSERS : APPS);
    const source = choose(random, isOnWeb ? PLAYERS : FEEDS);
    return {
      facts: { ...choose(random, COUNTRIES), ...client, referrer: null, source },
      isOnWeb,
      hour: choose(random, HOURS),
    };
  });
}

function choose<Value>(random: Random, shares: readonly Share<Value>[]): Value {
  let left = random.next() * shares.reduce((sum, [share]) => sum + share, 0);
  return shares.find(([share]) => {
    left -= share;
    return left < 0;
  })![1];
}
