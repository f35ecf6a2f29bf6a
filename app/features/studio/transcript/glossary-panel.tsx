import { useDeferredValue, useMemo } from 'react';
import { Button } from '~/app/components/button';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { glossaryOf, withGlossary } from '~/server/transcript/glossary';
import classes from './transcript-editor.module.css';
import type { Passage, PassageTools } from './use-passages';

type Props = {
  show: { id: number; kind: KindName };
  lines: string[];
  passages: Passage[];
  tools: PassageTools;
  onClose: () => void;
};

/** Corrects the mistakes that the show's glossary lists, in all passages at once. */
export function GlossaryPanel({ show, lines, passages, tools, onClose }: Props) {
  const { t } = useTranslation('transcripts');
  const paths = usePaths();
  const glossary = useMemo(() => glossaryOf(lines), [lines]);
  // looking through hours of speech must not hold up a key
  const looked = useDeferredValue(passages);
  const count = useMemo(
    () => looked.filter(({ cue }) => withGlossary(cue, glossary) !== cue).length,
    [looked, glossary],
  );
  return (
    <section className={classes.panel} aria-label={t('panel.glossary')}>
      <p role="status">
        {lines.length === 0
          ? t('glossary.none')
          : count === 0
            ? t('glossary.noPlaces')
            : t('glossary.places', { count })}
      </p>
      <div className={classes.acts}>
        <Button type="button" variant="default" disabled={count === 0} onClick={() => tools.correct(glossary)}>
          {t('glossary.apply')}
        </Button>
        <span className={classes.fact}>{t('glossary.undoHelp')}</span>
        <Link to={paths.settings(show, 'glossary')}>{t('glossary.edit')}</Link>
        <Button type="button" variant="subtle" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </section>
  );
}
