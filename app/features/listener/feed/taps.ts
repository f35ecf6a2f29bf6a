import { FEED_APP_NAMES, FEED_APPS, type FeedApp } from '~/server/domain/feeds/kinds';

export const DEVICES = ['iphone', 'android', 'computer'] as const;
export type Device = (typeof DEVICES)[number];

/** The part of the screen to tap. */
export type Spot = 'start' | 'end' | 'tab' | 'field' | 'item' | 'dialog' | 'button' | 'menu';
/** `name`: of its text. */
export type Tap = { name: string; spot: Spot };

const OPERATING_SYSTEMS = { iphone: 'ios', android: 'android' } as const;

/** The apps that a device has, in the order in which pages offer them. A computer adds feeds in few of them. */
export function appsOn(device: Device): FeedApp[] {
  if (device === 'computer') return ['apple_podcasts', 'other'];
  return FEED_APP_NAMES.filter((app) => [null, OPERATING_SYSTEMS[device]].includes(FEED_APPS[app].os));
}

/** How a feed's address is pasted into each app, as its help describes it. */
const BY_HAND: Record<FeedApp, Tap[]> = {
  apple_podcasts: [
    { name: 'library', spot: 'tab' },
    { name: 'dots', spot: 'end' },
    { name: 'followByUrl', spot: 'item' },
    { name: 'pasteFollow', spot: 'dialog' },
  ],
  overcast: [
    { name: 'plus', spot: 'end' },
    { name: 'addUrl', spot: 'item' },
    { name: 'pasteDone', spot: 'dialog' },
  ],
  pocket_casts: [
    { name: 'discover', spot: 'tab' },
    { name: 'pasteSearch', spot: 'field' },
    { name: 'found', spot: 'item' },
    { name: 'pressFollow', spot: 'button' },
  ],
  castro: [
    { name: 'search', spot: 'tab' },
    { name: 'pasteSearch', spot: 'field' },
    { name: 'found', spot: 'item' },
    { name: 'pressSubscribe', spot: 'button' },
  ],
  antennapod: [
    { name: 'menu', spot: 'start' },
    { name: 'addPodcast', spot: 'item' },
    { name: 'byRss', spot: 'item' },
    { name: 'pasteConfirm', spot: 'dialog' },
    { name: 'pressSubscribe', spot: 'button' },
  ],
  podcast_addict: [
    { name: 'plus', spot: 'end' },
    { name: 'rssFeed', spot: 'item' },
    { name: 'pasteAdd', spot: 'dialog' },
  ],
  other: [
    { name: 'lookFor', spot: 'item' },
    { name: 'orSearch', spot: 'field' },
    { name: 'pasteAny', spot: 'dialog' },
  ],
};

const ON_A_MAC: Tap[] = [
  { name: 'fileMenu', spot: 'menu' },
  { name: 'followByUrl', spot: 'item' },
  { name: 'pasteFollow', spot: 'dialog' },
];

/** The taps that add a feed to an app by its address, after the app was opened. */
export function tapsFor(app: FeedApp, device: Device): Tap[] {
  return device === 'computer' && app === 'apple_podcasts' ? ON_A_MAC : BY_HAND[app];
}
