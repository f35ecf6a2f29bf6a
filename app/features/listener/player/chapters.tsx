import { formatClock } from '~/app/lib/clock';
import { player } from './engine';
import type { Chapter } from './timeline';
import { useCurrentIndex, useFile, useFollowing } from './use-timeline';

const parse = async (response: Response) => ((await response.json()) as { chapters: Chapter[] }).chapters;

/** Chapters with their images. The current one is marked, and a click jumps. */
export function Chapters({ src }: { src: string }) {
  const chapters = useFile(src, parse) ?? [];
  const index = useCurrentIndex(chapters);
  const list = useFollowing(index);
  return (
    <ol className="popup-list" ref={list}>
      {chapters.map(({ startTime, title, img }, at) => (
        <li key={startTime}>
          <button
            type="button"
            className="popup-entry"
            aria-current={at === index ? 'true' : undefined}
            onClick={() => player.seek(startTime)}
          >
            {img && <img src={img} alt="" width={40} height={40} loading="lazy" />}
            <span className="entry-time">{formatClock(startTime)}</span>
            <bdi>{title}</bdi>
          </button>
        </li>
      ))}
    </ol>
  );
}
