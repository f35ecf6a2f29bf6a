import { formatClock } from '~/app/lib/clock';
import { player } from './engine';
import type { Cue } from './timeline';
import { useCurrentIndex, useFile, useFollowing } from './use-timeline';

type Contents = { cues: Cue[]; text: string };

async function parse(response: Response): Promise<Contents> {
  if (response.headers.get('content-type')?.startsWith('text/')) return { cues: [], text: await response.text() };
  return { cues: ((await response.json()) as { segments: Cue[] }).segments, text: '' };
}

const NO_CUES: Cue[] = [];

/** Follows playback, and a click jumps to a cue. A transcript without times is plain text. */
export function Transcript({ src }: { src: string }) {
  const contents = useFile(src, parse);
  const cues = contents?.cues ?? NO_CUES;
  const index = useCurrentIndex(cues);
  const list = useFollowing(index);
  if (!contents) return null;
  if (contents.text)
    return (
      <p className="popup-text" dir="auto">
        {contents.text}
      </p>
    );
  return (
    <ol className="popup-list" ref={list}>
      {cues.map(({ startTime, speaker, body }, at) => (
        // several cues may begin at the same time
        <li key={`${startTime} ${body}`}>
          <button
            type="button"
            className="popup-entry"
            aria-current={at === index ? 'true' : undefined}
            onClick={() => player.seek(startTime)}
          >
            <span className="entry-time">{formatClock(startTime)}</span>
            <span dir="auto">
              {speaker && <b>{speaker}: </b>}
              {body}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
