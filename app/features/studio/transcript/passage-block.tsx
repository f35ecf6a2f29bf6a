import { memo, useEffect, useRef, useState } from 'react';
import { PassageRow } from './passage-row';
import classes from './transcript-editor.module.css';
import type { Passage } from './use-passages';

/** Rows that come and go together: typing in a long transcript must not lay out thousands of them. */
export const BLOCK = 50;
/** How far outside of the window rows are ready for someone who scrolls. */
const NEAR = '1200px';
/** What a row needs at least, until its block has been shown once. */
const ROW_PX = 36;

type Props = {
  passages: Passage[];
  /** The speaker of the passage before the first one. */
  speakerBefore: string | null | undefined;
  /** Shown even outside of the window, because something in it is looked for. */
  isWanted: boolean;
};

const isUnchanged = (one: Props, other: Props) =>
  one.isWanted === other.isWanted &&
  one.speakerBefore === other.speakerBefore &&
  one.passages.length === other.passages.length &&
  one.passages.every((passage, index) => passage === other.passages[index]);

/** Some rows of the list: while they are far from the window, only their height. */
export const PassageBlock = memo(function PassageBlock({ passages, speakerBefore, isWanted }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const height = useRef(passages.length * ROW_PX);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        const hasFocus = element.contains(document.activeElement);
        if (entry && !entry.isIntersecting && element.childElementCount > 0) height.current = element.offsetHeight;
        setIsNear(entry?.isIntersecting === true || hasFocus);
      },
      { rootMargin: `${NEAR} 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isShown = isNear || isWanted;
  return (
    <ol ref={list} className={classes.list} style={isShown ? undefined : { height: height.current }}>
      {isShown &&
        passages.map((passage, index) => {
          const before = index === 0 ? speakerBefore : passages[index - 1]!.cue.speaker;
          return <PassageRow key={passage.id} passage={passage} isSameSpeaker={before === passage.cue.speaker} />;
        })}
    </ol>
  );
}, isUnchanged);
