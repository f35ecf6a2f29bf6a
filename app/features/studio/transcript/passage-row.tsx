import { memo, useLayoutEffect, useRef } from 'react';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { TRANSCRIPT_LIMITS } from '~/server/limits/transcripts';
import { isUnsure } from '~/server/transcript/edit-cues';
import classes from './transcript-editor.module.css';
import type { Passage } from './use-passages';

type Props = { passage: Passage; isSameSpeaker: boolean };

/**
 * A passage whose text is edited in place. The browser owns the text while someone types, so that the caret stays; other
 * changes, such as an undo, are written into it. Events are handled by the list, because it may have thousands of rows.
 */
export const PassageRow = memo(function PassageRow({ passage, isSameSpeaker }: Props) {
  const { t } = useTranslation('transcripts');
  const { id, cue } = passage;
  const text = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (text.current && text.current.textContent !== cue.text) text.current.textContent = cue.text;
  }, [cue.text]);
  const seconds = cue.startMs === null ? null : Math.floor(cue.startMs / 1000);
  const unsure = isUnsure(cue);
  return (
    <li className={classes.row} data-passage={id} data-unsure={unsure || undefined}>
      {seconds !== null && (
        <button
          type="button"
          className={classes.time}
          data-act="seek"
          aria-label={t('playFrom', { time: formatClock(seconds) })}
        >
          {formatClock(seconds)}
        </button>
      )}
      <input
        // another name from elsewhere, such as an undo, is shown in a new field
        key={cue.speaker}
        className={classes.speaker}
        data-same={isSameSpeaker || undefined}
        data-act="speaker"
        defaultValue={cue.speaker ?? ''}
        maxLength={TRANSCRIPT_LIMITS.speakerLength}
        placeholder={t('speaker')}
        aria-label={t('speaker')}
        list="speakers-of-show"
        dir="auto"
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a text area would not grow with its text, and can't mark words */}
      <div
        ref={text}
        id={`passage-${id}`}
        className={classes.text}
        contentEditable="plaintext-only"
        suppressContentEditableWarning
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={t('passage')}
        spellCheck
        dir="auto"
      />
      {unsure && (
        <span className={classes.unsure}>
          {t('needsLook')}{' '}
          <button type="button" data-act="accept" className={classes.accept}>
            {t('looksRight')}
          </button>
        </span>
      )}
    </li>
  );
});
