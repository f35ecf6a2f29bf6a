import { expect, test } from 'vitest';
import { toAdjacentTrack } from '~/app/features/listener/player/adjacent-track';
import { readHandOver, withHandOver } from '~/app/features/listener/player/hand-over';
import { type KeyContext, keyAction } from '~/app/features/listener/player/keys';
import { NO_MARKERS, startMarkers, tick } from '~/app/features/listener/player/listen-counter';
import { withPosition } from '~/app/features/listener/player/positions';
import { addToQueue, moveInQueue, playNext, without } from '~/app/features/listener/player/queue';
import { checkProgress, isFinal, retryDelay, STALLED_AFTER_MS } from '~/app/features/listener/player/recovery';
import { isTimeToSleep, sleepOf } from '~/app/features/listener/player/sleep-timer';
import {
  announcement,
  INITIAL_STATE,
  type PlayerEvent,
  reduce,
  showsPause,
  type Track,
} from '~/app/features/listener/player/state';
import { currentIndex } from '~/app/features/listener/player/timeline';
import { formatClock, isoDuration } from '~/app/lib/clock';

const track = (id: number): Track => ({
  id,
  audioType: 'podcast',
  url: `/audio/${id}/x.mp3`,
  cover: null,
  coverWebp: null,
  podcastName: 'P',
  episodeName: `E${id}`,
  hostedBy: 'H',
  description: null,
  episodeRedirectUrl: '/p/p/e',
  creatorDomainUrl: '/',
});

const after = (...events: PlayerEvent[]) => events.reduce(reduce, INITIAL_STATE);
const chosen = { type: 'track_chosen', track: track(1) } as const;

test('choosing an episode shows the player and starts playback, with the cover once the audio can play', () => {
  const state = after(chosen);

  expect(state).toMatchObject({ showPlayer: true, audioPlayStatus: true, canPlay: false, isPlaying: false });
  expect(announcement(state)).toBe('state.loading');
  expect(showsPause(state)).toBe(true);
});

test('a lost connection shows the play icon until playback continues', () => {
  const stalled = after(chosen, { type: 'playing' }, { type: 'stalled' });

  expect(stalled).toMatchObject({ networkIssue: true, audioPlayStatus: true, isPlaying: false });
  expect(showsPause(stalled)).toBe(false);
  expect(announcement(stalled)).toBe('state.network');
  expect(showsPause(reduce(stalled, { type: 'playing' }))).toBe(true);
});

test('a connection lost while paused is not a network issue', () => {
  const paused = after(chosen, { type: 'playing' }, { type: 'pause' });

  expect(reduce(paused, { type: 'stalled' })).toBe(paused);
  expect(announcement(paused)).toBe('state.paused');
});

test('the end of an episode requests the next one, and stops after the last', () => {
  const ended = after(chosen, { type: 'playing' }, { type: 'ended' });

  expect(ended).toMatchObject({ hasEnded: true, skip: 'next' });
  const resting = reduce(ended, { type: 'no_episode' });
  expect(resting).toMatchObject({ audioPlayStatus: false, skip: null });
  expect(announcement(resting)).toBe('state.ended');
});

test('a skip without an adjacent episode continues playback', () => {
  const state = after(chosen, { type: 'playing' }, { type: 'skip', to: 'previous' }, { type: 'no_episode' });

  expect(state).toMatchObject({ audioPlayStatus: true, isPlaying: true, skip: null });
});

test('closing removes the episode and keeps volume and speed', () => {
  const state = after(chosen, { type: 'volume', steps: 3 }, { type: 'speed', speed: 1.5 }, { type: 'close' });

  expect(state).toEqual({ ...INITIAL_STATE, volume: 3, speed: 1.5 });
});

test('after a reload the player is shown paused, with its cover', () => {
  const state = after({ type: 'restored', track: track(2), volume: 4, speed: 1.25, durationSeconds: 90 });

  expect(state).toMatchObject({
    showPlayer: true,
    isOnRefresh: true,
    audioPlayStatus: false,
    durationSeconds: 90,
    volume: 4,
  });
  expect(reduce(state, { type: 'play' })).toMatchObject({ isOnRefresh: false, audioPlayStatus: true });
});

test.each([
  [11, 10],
  [-1, 0],
  [3.6, 4],
])('a volume of %s is %s steps', (requested, steps) => {
  expect(reduce(INITIAL_STATE, { type: 'volume', steps: requested }).volume).toBe(steps);
});

test('a late description is added to its own episode only', () => {
  const state = after(chosen);

  expect(reduce(state, { type: 'description_loaded', id: 9, description: '<p>' })).toBe(state);
  expect(reduce(state, { type: 'description_loaded', id: 1, description: '<p>a</p>' }).track?.description).toBe(
    '<p>a</p>',
  );
});

test('a listen counts once, after more than sixty seconds', () => {
  let markers = startMarkers(NO_MARKERS, 7);
  const listens: number[] = [];
  for (let second = 1; second <= 130; second++) {
    const counted = tick(markers, 1);
    markers = counted.markers;
    if (counted.listened) listens.push(second);
  }

  expect(listens).toEqual([61]);
});

test('the listened seconds survive a pause and a reload, but not another episode', () => {
  const { markers } = tick(startMarkers(NO_MARKERS, 7), 1);

  expect(startMarkers(markers, 7).lastListenTime).toBe(1);
  expect(startMarkers(markers, 8)).toEqual({ ...NO_MARKERS, started: 8 });
});

test('the hours of a sleeping laptop do not count as listened', () => {
  expect(tick(startMarkers(NO_MARKERS, 7), 7200)).toMatchObject({ listened: false, markers: { lastListenTime: 2 } });
});

test('a lost connection is retried indefinitely, and a file that never played only four times', () => {
  expect([0, 1, 2, 3, 4, 9].map((attempt) => retryDelay(attempt, true))).toEqual([
    1000, 2000, 4000, 8000, 15_000, 30_000,
  ]);
  expect([3, 4].map((attempt) => retryDelay(attempt, false))).toEqual([8000, null]);
});

test('a position that does not change for three seconds is stalled', () => {
  const first = checkProgress(null, 5, 0);

  expect(checkProgress(first, 5, STALLED_AFTER_MS - 1).stalledMs).toBe(0);
  expect(checkProgress(first, 5, STALLED_AFTER_MS).stalledMs).toBe(STALLED_AFTER_MS);
  expect(checkProgress(first, 5.2, STALLED_AFTER_MS).stalledMs).toBe(0);
});

test.each([
  [200, false],
  [403, true],
  [404, true],
  [410, true],
  [408, false],
  [429, false],
  [500, false],
  [503, false],
])('after an error, a file that answers %s is given up: %s', (status, final) => {
  expect(isFinal(status)).toBe(final);
});

test('a jump clears the end, and a speed stays between 0.5 and 3', () => {
  const ended = after(chosen, { type: 'ended' }, { type: 'sought' });

  expect(ended.hasEnded).toBe(false);
  expect([0.1, 1.3, 9].map((speed) => reduce(INITIAL_STATE, { type: 'speed', speed }).speed)).toEqual([0.5, 1.3, 3]);
});

test('the queue survives closing; an episode is in it once and moves between its ends', () => {
  const [one, two, three] = [track(1), track(2), track(3)];
  const ids = (queue: Track[]) => queue.map(({ id }) => id);
  const queue = addToQueue(addToQueue(addToQueue([], one), two), three);

  expect(ids(addToQueue(queue, one))).toEqual([2, 3, 1]);
  expect(ids(playNext(queue, three))).toEqual([3, 1, 2]);
  expect(ids(moveInQueue(queue, 1, 1))).toEqual([2, 1, 3]);
  expect([moveInQueue(queue, 1, -1), moveInQueue(queue, 3, 1), moveInQueue(queue, 9, 1)]).toEqual([
    queue,
    queue,
    queue,
  ]);
  expect(ids(without(queue, 2))).toEqual([1, 3]);
  expect(after(chosen, { type: 'queued', queue }, { type: 'close' }).queue).toBe(queue);
  const long = Array.from({ length: 101 }, (_, i) => track(i));
  expect(ids(long.reduce(addToQueue, [] as Track[])).at(0)).toBe(1);
});

test.each([
  ['nothing', '', 1e12, true, false],
  ['minutes, too early', '15', 15 * 60_000 - 1, true, false],
  ['minutes, over', '15', 15 * 60_000, false, true],
  ['the end of the episode, before it', 'end_of_episode', 1e12, false, false],
  ['the end of the episode', 'end_of_episode', 0, true, true],
])('the sleep timer for %s', (_, choice, ms, hasEnded, sleeps) => {
  expect(isTimeToSleep(sleepOf(choice, 0), { ms, hasEnded })).toBe(sleeps);
});

test('the current chapter or cue is the last one that has begun', () => {
  const chapters = [{ startTime: 2 }, { startTime: 10 }];

  expect([0, 2, 9.9, 10, 99].map((seconds) => currentIndex(chapters, seconds))).toEqual([-1, 0, 0, 1, 1]);
});

test('a browser remembers the positions of the newest 200 episodes', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [i, { seconds: 9, atMs: i }]));

  const positions = withPosition(many, 900, { seconds: 5, atMs: 900 });

  expect([Object.keys(positions).length, positions[0], positions[900]?.seconds]).toEqual([200, undefined, 5]);
  expect(withPosition(positions, 900, null)[900]).toBeUndefined();
});

const onBody: KeyContext = { key: ' ', modified: false, tag: 'BODY', editable: false, role: null, inPlayer: false };

test.each([
  ['space on the page', {}, { type: 'toggle' }],
  ['space on a button, which presses it', { tag: 'BUTTON' }, null],
  ['space in a text field', { tag: 'INPUT' }, null],
  ['space in an editor', { tag: 'DIV', editable: true }, null],
  ['the right arrow on the page', { key: 'ArrowRight' }, { type: 'jump', seconds: 5 }],
  ['the left arrow on the seek bar', { key: 'ArrowLeft', tag: 'INPUT', inPlayer: true }, { type: 'jump', seconds: -5 }],
  ['an arrow in another slider', { key: 'ArrowLeft', tag: 'DIV', role: 'slider' }, null],
  ['up on the page, which scrolls', { key: 'ArrowUp' }, null],
  ['up in the player', { key: 'ArrowUp', tag: 'BUTTON', inPlayer: true }, { type: 'volume', by: 1 }],
  ['an arrow in the speed menu', { key: 'ArrowUp', tag: 'SELECT', inPlayer: true }, null],
  ['a shortcut of the browser', { key: 'ArrowLeft', modified: true }, null],
] as const)('the action of %s', (_, place, action) => {
  expect(keyAction({ ...onBody, ...place })).toEqual(action);
});

test('times are formatted for people and for machines', () => {
  expect([0, 9.9, 75, 3675].map(formatClock)).toEqual(['0:00', '0:09', '1:15', '1:01:15']);
  expect([8, 75, 3600, 3675].map(isoDuration)).toEqual(['PT8S', 'PT1M15S', 'PT1H0S', 'PT1H1M15S']);
});

test('the next episode opens on the same host and in the same language', () => {
  const current = { ...track(1), episodeRedirectUrl: '/es/@ada/p/show/one', creatorDomainUrl: '/es/@ada' };
  const opened = {
    ...track(2),
    url: 'http://a.example/audio/2/two.mp3',
    episodeRedirectUrl: 'http://ada.a.example/p/show/two',
  };

  expect(toAdjacentTrack(current, opened, 'http://localhost:3000/es/@ada')).toMatchObject({
    id: 2,
    url: '/audio/2/two.mp3',
    episodeRedirectUrl: '/es/@ada/p/show/two',
    creatorDomainUrl: '/es/@ada',
  });
});

test('the state of the player survives the way to another host', () => {
  const state = { id: 42, position: 83.7, durationSeconds: 600, speed: 1.5, playing: true };

  const { hash } = new URL(withHandOver('https://lucia.altavoz.example/p/ruido?page=2', state));

  expect(readHandOver(hash)).toEqual(state);
});

test.each([
  ['', null],
  ['#episodes', null],
  ['#listen=-1', null],
  ['#listen=1.5', null],
  ['#listen=x&at=3', null],
  ['#listen=7&at=-3&of=1e9&speed=99', { id: 7, position: 0, durationSeconds: 0, speed: 0.5, playing: false }],
  ['#listen=7', { id: 7, position: 0, durationSeconds: 0, speed: undefined, playing: false }],
])('the fragment %s hands over %j', (hash, handOver) => {
  expect(readHandOver(hash)).toEqual(handOver);
});
