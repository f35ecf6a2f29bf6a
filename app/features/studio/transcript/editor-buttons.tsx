import { memo, useRef } from 'react';
import { Button } from '~/app/components/button';
import { useTranslation } from '~/app/lib/translation';
import classes from './transcript-editor.module.css';
import type { PassageTools } from './use-passages';

const PANELS = ['find', 'speakers', 'glossary', 'compare', 'keys'] as const;
export type Panel = (typeof PANELS)[number] | null;

type Props = {
  tools: PassageTools;
  panel: Panel;
  toggle: (panel: Panel) => void;
  unsureCount: number;
  nextUnsure: () => void;
};

/** The tools of the editor. They are not rendered again for each key. */
export const EditorButtons = memo(function EditorButtons({ tools, panel, toggle, unsureCount, nextUnsure }: Props) {
  const { t } = useTranslation('transcripts');
  // stays after the last one: another button in its place would get the next click
  const hasMarks = useRef(false);
  hasMarks.current ||= unsureCount > 0;
  return (
    <div className={classes.tools}>
      {/* first, because a phone shows only the beginning of the line */}
      {hasMarks.current && (
        <Button type="button" variant="default" size="xs" onClick={nextUnsure} disabled={unsureCount === 0}>
          {t('nextUnsure', { count: unsureCount })}
        </Button>
      )}
      <Button type="button" variant="default" size="xs" onClick={tools.undo}>
        {t('undo')}
      </Button>
      <Button type="button" variant="default" size="xs" onClick={tools.redo}>
        {t('redo')}
      </Button>
      {PANELS.map((name) => (
        <Button
          key={name}
          type="button"
          variant="default"
          size="xs"
          aria-expanded={panel === name}
          onClick={() => toggle(name)}
        >
          {t(`panel.${name}`)}
        </Button>
      ))}
    </div>
  );
});
