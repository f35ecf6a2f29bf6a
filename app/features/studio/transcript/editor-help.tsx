import { useTranslation } from '~/app/lib/translation';
import classes from './transcript-editor.module.css';

const KEYS = ['enter', 'backspace', 'click', 'esc', 'back', 'unsure', 'find', 'undo'] as const;

/** What keys and clicks do. */
export function EditorHelp() {
  const { t } = useTranslation('transcripts');
  return (
    <section className={classes.panel} aria-label={t('panel.keys')}>
      <dl className={classes.keys}>
        {KEYS.map((key) => (
          <div key={key}>
            <dt>
              <kbd>{t(`key.${key}`)}</kbd>
            </dt>
            <dd>{t(`does.${key}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
