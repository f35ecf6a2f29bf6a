import { DAYS, HOURS } from '~/server/base/time';
import { looksShared } from '~/server/domain/feeds/rules';
import { SHARING_LIMITS } from '~/server/limits/feeds';
import { seededInts } from './seeded-ints';

/**
 * A model of the people who fetch the episodes of a private feed's address: from which network, and when. It is a
 * cautious guess at human behaviour, so its results about a rule are only as good as the guess.
 */
type Start = { at: number; network: string; app: string };
type Random = () => number;

/** Between 0 and 1, the same for the same seed. */
export function seededRandom(seed: number): Random {
  const below = seededInts(seed);
  return () => below(2 ** 32) / 2 ** 32;
}

const APPS: [string, number][] = [
  ['apple_podcasts', 0.42],
  ['overcast', 0.12],
  ['pocket_casts', 0.14],
  ['antennapod', 0.1],
  ['podcast_addict', 0.1],
  ['castbox', 0.06],
  ['chrome', 0.06],
];
/** The number of networks that a phone may get from a mobile operator, and of a VPN provider's networks. */
const MOBILE_POOL = 64;
const VPN_POOL = 200;
/** How often a phone gets another network. */
const MOBILE_CHANGES = HOURS(4);

type Person = {
  id: string;
  home: string;
  operator: number;
  app: string;
  /** Whether the app downloads each episode automatically, over Wi-Fi; other people play it when they like. */
  downloads: boolean;
  usesVpn: boolean;
  /** Whether the person is away from home the whole time, each night in another network. */
  travels: boolean;
};

function newPerson(random: Random, id: string, home: string): Person {
  return {
    id,
    home,
    operator: Math.floor(random() * 4),
    app: pickApp(random),
    downloads: random() < 0.65,
    usesVpn: random() < 0.08,
    travels: random() < 0.03,
  };
}

const pickApp = (random: Random): string => pickOf(random, APPS, 'other');

/** Picks one of the entries, with its share as the probability. */
function pickOf<T>(random: Random, entries: readonly (readonly [T, number])[], rest: T): T {
  let left = random();
  for (const [entry, share] of entries) {
    left -= share;
    if (left < 0) return entry;
  }
  return rest;
}

function networkOf(random: Random, person: Person, at: number, place: 'home' | 'mobile' | 'office'): string {
  if (person.usesVpn && random() < 0.7) return `vpn-${Math.floor(random() * VPN_POOL)}`;
  if (place === 'mobile') {
    // the same network until the phone gets another one
    const turn = seededRandom(hash(`${person.id} ${Math.floor(at / MOBILE_CHANGES)}`))();
    return `mobile-${person.operator}-${Math.floor(turn * MOBILE_POOL)}`;
  }
  if (place === 'office') return `office-${person.id}`;
  return person.travels ? `hotel-${person.id}-${Math.floor(at / DAYS(1))}` : person.home;
}

function hash(text: string): number {
  let value = 7;
  for (const char of text) value = (Math.imul(value, 31) + char.charCodeAt(0)) | 0;
  return value;
}

/** One person's fetches of an episode from its beginning, within a week of its release. */
function startsOf(random: Random, person: Person): Start[] {
  if (!person.downloads && random() > 0.8) return [];
  const place = placeOf(random, person.downloads ? [0.85, 0.02] : [0.45, 0.43]);
  const at = person.downloads ? random() * HOURS(4) : exponential(random, HOURS(14));
  const starts = [{ at, network: networkOf(random, person, at, place), app: person.app }];
  // from another device, a car, an app that has lost the file, or a player that starts again after a pause
  const again = person.downloads ? 0.15 : 0.35;
  let later = at;
  while (random() < again) {
    later += exponential(random, HOURS(20));
    const network = networkOf(random, person, later, placeOf(random, [0.55, 0.35]));
    starts.push({ at: later, network, app: random() < 0.3 ? pickApp(random) : person.app });
  }
  return starts;
}

function placeOf(random: Random, [home, mobile]: [number, number]): 'home' | 'mobile' | 'office' {
  const drawn = random();
  return drawn < home ? 'home' : drawn < home + mobile ? 'mobile' : 'office';
}

const exponential = (random: Random, mean: number): number => -Math.log(1 - random()) * mean;

/** The delay after the release until an episode's fetches first look shared; null if they never do. */
function foundAfter(starts: Start[]): number | null {
  const sorted = starts.filter(({ at }) => at <= SHARING_LIMITS.window).sort((a, b) => a.at - b.at);
  for (const [i, { at }] of sorted.entries()) {
    const week = sorted.slice(0, i + 1);
    const day = week.filter((start) => start.at > at - SHARING_LIMITS.day);
    const counts = { networks: distinct(day, 'network'), apps: distinct(day, 'app') };
    if (looksShared({ ...counts, networksOfWeek: distinct(week, 'network') })) return at;
  }
  return null;
}

const distinct = (starts: Start[], key: 'network' | 'app') => new Set(starts.map((start) => start[key])).size;

/** The number of people in a household who use one link, and the share of such households. */
const SIZES: [size: number, share: number][] = [
  [1, 0.6],
  [2, 0.25],
  [3, 0.07],
  [4, 0.05],
  [5, 0.03],
];

/** The share of households whose link looked shared at least once during a number of episodes. */
export function householdsDisturbed(random: Random, { households, episodes, size }: Households): number {
  let disturbed = 0;
  for (let i = 0; i < households; i++) {
    const people = Array.from({ length: size ?? pickOf(random, SIZES, 1) }, (_, k) =>
      newPerson(random, `${i}-${k}`, `home-${i}`),
    );
    const isFound = Array.from({ length: episodes }, () => people.flatMap((person) => startsOf(random, person)));
    if (isFound.some((starts) => foundAfter(starts) !== null)) disturbed++;
  }
  return disturbed / households;
}

type Households = { households: number; episodes: number; size?: number };

/** The share of shared links that are found within a day of one new episode. Each link has this many people. */
export function sharedFound(random: Random, { links, receivers }: { links: number; receivers: number }): number {
  let found = 0;
  for (let i = 0; i < links; i++) {
    const people = Array.from({ length: receivers + 1 }, (_, k) => newPerson(random, `${i}-${k}`, `home-${i}-${k}`));
    const after = foundAfter(people.flatMap((person) => startsOf(random, person)));
    // the job checks every hour
    if (after !== null && after <= DAYS(1) - HOURS(1)) found++;
  }
  return found / links;
}
