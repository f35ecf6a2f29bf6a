import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { listUpcoming, openAdjacent } from './adjacent-track';
import { dispatch, playTrack } from './engine';
import { addToQueue, moveInQueue, playNext, without } from './queue';
import type { Track } from './state';

const setQueue = (queue: Track[]) => dispatch({ type: 'queued', queue });

/**
 * The episodes after the current one: the queue, and the show's next episodes, which listeners can add to the queue.
 */
export function QueueList({ track, queue }: { track: Track; queue: Track[] }) {
  const { t } = useTranslation('player-popup');
  const list = useRef<HTMLOListElement>(null);

  function move(id: number, by: -1 | 1, from: string) {
    setQueue(moveInQueue(queue, id, by));
    // the browser removes focus from a row that moves
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-move="${id} ${from}"]`)?.focus());
  }

  return (
    <>
      {queue.length === 0 && <p className="popup-empty">{t('queue.empty')}</p>}
      <ol className="popup-queue" ref={list}>
        {queue.map((queued, at) => (
          <li key={queued.id} data-own-keys>
            <QueuedEpisode queued={queued} queue={queue} move={move} />
            <QueueButton
              label={t('queue.up', { name: queued.episodeName })}
              id={`${queued.id} up`}
              disabled={at === 0}
              onClick={() => move(queued.id, -1, 'up')}
            >
              ↑
            </QueueButton>
            <QueueButton
              label={t('queue.down', { name: queued.episodeName })}
              id={`${queued.id} down`}
              disabled={at === queue.length - 1}
              onClick={() => move(queued.id, 1, 'down')}
            >
              ↓
            </QueueButton>
            <QueueButton
              label={t('queue.remove', { name: queued.episodeName })}
              onClick={() => setQueue(without(queue, queued.id))}
            >
              ×
            </QueueButton>
          </li>
        ))}
      </ol>
      <Upcoming key={track.id} track={track} queue={queue} />
    </>
  );
}

type QueuedProps = { queued: Track; queue: Track[]; move: (id: number, by: -1 | 1, from: string) => void };

/** A click plays the episode; Alt and an arrow key move it. */
function QueuedEpisode({ queued, queue, move }: QueuedProps) {
  const { t } = useTranslation('player-popup');
  return (
    <button
      type="button"
      className="queue-name"
      data-move={`${queued.id} name`}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        move(queued.id, event.key === 'ArrowUp' ? -1 : 1, 'name');
      }}
      aria-label={t('queue.play', { name: queued.episodeName })}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      onClick={() => {
        setQueue(without(queue, queued.id));
        playTrack(queued);
      }}
    >
      <bdi>{queued.episodeName}</bdi>
      <span className="queue-show">
        <bdi>{queued.podcastName}</bdi>
      </span>
    </button>
  );
}

type ButtonProps = { label: string; children: string; onClick: () => void; disabled?: boolean; id?: string };

/** `aria-disabled` keeps the focus on a button in the first and the last row. */
function QueueButton({ label, children, onClick, disabled = false, id }: ButtonProps) {
  return (
    <button
      type="button"
      className="queue-button"
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      data-move={id}
      onClick={() => !disabled && onClick()}
    >
      <span aria-hidden="true">{children}</span>
    </button>
  );
}

function Upcoming({ track, queue }: { track: Track; queue: Track[] }) {
  const { t } = useTranslation('player');
  const { t: ofPopUp } = useTranslation('player-popup');
  const [episodes, setEpisodes] = useState<{ id: number; name: string }[]>([]);
  const { id: currentId } = track;
  useEffect(() => {
    listUpcoming(currentId).then(setEpisodes, () => {});
  }, [currentId]);
  const others = episodes.filter(({ id }) => !queue.some((queued) => queued.id === id));
  if (others.length === 0) return null;

  async function add(id: number, how: typeof addToQueue) {
    const found = await openAdjacent(track, id).catch(() => null);
    if (found) setQueue(how(queue, found));
  }

  return (
    <>
      <h3>{ofPopUp('queue.more')}</h3>
      <ol className="popup-queue">
        {others.map(({ id, name }) => (
          <li key={id}>
            <bdi className="queue-name">{name}</bdi>
            <QueueText label={t('queue.nextOf', { name })} onClick={() => void add(id, playNext)}>
              {t('queue.next')}
            </QueueText>
            <QueueText label={t('queue.addOf', { name })} onClick={() => void add(id, addToQueue)}>
              {t('queue.add')}
            </QueueText>
          </li>
        ))}
      </ol>
    </>
  );
}

function QueueText({ label, children, onClick }: { label: string; children: string; onClick: () => void }) {
  return (
    <button type="button" className="queue-text" aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
