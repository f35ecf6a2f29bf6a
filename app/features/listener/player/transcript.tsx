import { useRef, useState } from 'react';
import { formatClock } from '~/app/lib/clock';
import { player } from './engine';
import type { Cue } from './timeline';
import { TranscriptSearch } from './transcript-search';
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
  const [isFinding, setIsFinding] = useState(false);
  // the list stays where the listener has found something
  const list = useFollowing(isFinding ? -1 : index);
  const text = useRef<HTMLParagraphElement>(null);
  if (!contents) return null;
  if (contents.text)
    return (
      <>
        <TranscriptSearch text={text} />
        <p className="popup-text" dir="auto" ref={text}>
          {contents.text}
        </p>
      </>
    );
  return (
    <>
      <TranscriptSearch text={list} onFind={setIsFinding} />
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
    </>
  );
}
