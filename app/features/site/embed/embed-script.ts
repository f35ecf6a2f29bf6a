import { barsOf, loadPeaks } from '~/app/components/waveform-bars';
import { currentParts } from '~/app/features/listener/player/episode-position';
import type { HeardParts } from '~/app/features/listener/player/heard-parts';
import { keyAction, keyContext } from '~/app/features/listener/player/keys';
import { spreadPeaks } from '~/app/features/listener/player/spread-peaks';
import { announcement, type PlayerState, showsPause, type Track } from '~/app/features/listener/player/state';
import { formatClock } from '~/app/lib/clock';
import { DATA_ID, type EmbedData, type EmbedTrack } from './embed-data';
import { followPlayer, embedPlayer as player, showFirst } from './embed-player';

/** The inline script of an embedded player. It connects the elements that the server has rendered to the player. */
const find = <T extends Element>(selector: string) => document.querySelector<T>(selector);
const data = JSON.parse(document.getElementById(DATA_ID)?.textContent ?? 'null') as EmbedData | null;

document.documentElement.classList.add('js');
if (data) connect(data);

function toTrack({ show }: EmbedData, { id, url, name, page }: EmbedTrack): Track {
  const cover = find<HTMLImageElement>('.cover')?.src ?? null;
  return {
    id,
    url,
    audioType: 'podcast',
    cover,
    coverWebp: cover,
    podcastName: show.name,
    episodeName: name,
    hostedBy: show.host,
    description: null,
    episodeRedirectUrl: page,
    creatorDomainUrl: show.url,
  };
}

function connect(data: EmbedData) {
  const tracks = data.tracks.map((track) => toTrack(data, track));
  const [first] = tracks;
  if (!first) return;
  followPlayer(tracks, createView(data));
  const length = data.tracks[0]?.seconds ?? 0;
  // `?t=` in seconds of the episode, as in players of other hosts
  const from = Number(new URLSearchParams(location.search).get('t')) || 0;
  showFirst(first, length, Math.max(0, Math.min(from, length)));

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button') : null;
    if (!button) return;
    const { track, jump, skip } = button.dataset;
    if (jump) player.jump(Number(jump));
    else if (skip) player.skip(skip === 'next' ? 'next' : 'previous');
    else player.toggle(track ? tracks.find(({ id }) => id === Number(track)) : undefined);
  });
  find<HTMLInputElement>('.seek')?.addEventListener('input', ({ target }) => {
    player.seek(Number((target as HTMLInputElement).value));
  });
  document.addEventListener('keydown', (event) => {
    const action = keyAction(keyContext(event));
    if (!action) return;
    event.preventDefault();
    if (action.type === 'toggle') player.toggle();
    else if (action.type === 'jump') player.jump(action.seconds);
    else player.changeVolume(action.by);
  });
}

/** Fewer bars than in the player: they stay apart from each other in a narrow frame. */
const EMBED_BARS = 100;

type Heard = { id: number; parts: HeardParts; seconds: number };

/** Draws the waveform of what is heard of an episode; without one, the slider stays a line. */
async function drawWaveform(track: EmbedTrack | undefined, heard: Heard, isCurrent: () => boolean) {
  const peaks = track?.peaks ? await loadPeaks(track.peaks).catch(() => null) : null;
  const box = find('.track');
  if (!box || !isCurrent()) return;
  const path = peaks ? barsOf(spreadPeaks(peaks, heard.parts, heard.seconds), EMBED_BARS) : '';
  box.classList.toggle('has-waveform', path !== '');
  for (const bars of box.querySelectorAll('path')) bars.setAttribute('d', path);
}

/** Shows the player's state in the page. */
function createView({ texts, tracks }: EmbedData) {
  const seek = find<HTMLInputElement>('.seek');
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-toggle],[data-track]');
  let announced = '';
  let drawn: Heard | null = null;

  return (state: PlayerState, position: number) => {
    const { track } = state;
    if (!track) return;
    const heard = { id: track.id, parts: currentParts(), seconds: state.durationSeconds };
    if (!drawn || track.id !== drawn.id || heard.parts !== drawn.parts) {
      drawn = heard;
      void drawWaveform(
        tracks.find(({ id }) => id === track.id),
        heard,
        () => drawn === heard,
      );
    }
    const say = (key: string, name: string) => (texts[key] ?? '').replace('{{name}}', () => name);
    for (const button of buttons) {
      const own = button.dataset.track ? tracks.find(({ id }) => id === Number(button.dataset.track)) : undefined;
      const isCurrent = !own || own.id === track.id;
      const isPlaying = isCurrent && showsPause(state);
      button.dataset.playing = String(isPlaying);
      button.ariaLabel = say(isPlaying ? 'pauseEpisode' : 'playEpisode', own?.name ?? track.episodeName);
      const row = button.closest('li');
      if (row) row.ariaCurrent = isCurrent ? 'true' : null;
    }
    const length = state.durationSeconds;
    setText('[data-now]', track.episodeName);
    const key = announcement(state) ?? '';
    const notice = texts[key.replace('state.', 'notice.')];
    setText('[data-time]', notice ?? `${formatClock(position)} / ${formatClock(length)}`);
    if (seek) {
      seek.max = String(Math.max(1, Math.floor(length)));
      seek.value = String(position);
      seek.parentElement?.style.setProperty('--played', `${length > 0 ? (100 * position) / length : 0}%`);
      seek.ariaValueText = `${formatClock(position)} / ${formatClock(length)}`;
    }
    // screen readers announce each change of a live region, so only new messages are written
    const message = key === 'state.paused' && announced === '' ? '' : say(key, track.episodeName);
    if (message !== announced) setText('[role=status]', message);
    announced = message;
  };
}

function setText(selector: string, text: string) {
  const element = find(selector);
  if (element && element.textContent !== text) element.textContent = text;
}
