import { useEffect, useRef } from 'react';
import { useFormState } from '~/app/components/form-context';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import classes from './page-editor.module.css';

const FRAME = 'page-preview';
const DELAY_MS = 600;

/**
 * A preview of the page beside its form, as the server renders it for visitors, at the width of a phone or a desktop.
 * It updates as the user types; without JavaScript, a button renders it again.
 */
export function PagePreview() {
  const { t } = useTranslation('studio');
  const path = usePaths().creatorPreview;
  usePreviewOf(useFormState().values, path);
  return (
    <aside className={classes.preview} data-wide aria-label={t('creator.preview')}>
      <div className={classes.head}>
        <h2>{t('creator.preview')}</h2>
        <fieldset className={classes.widths} aria-label={t('creator.previewWidth')}>
          {(['phone', 'desktop'] as const).map((width) => (
            <label key={width}>
              <input type="radio" name="previewWidth" value={width} defaultChecked={width === 'phone'} />
              {t(`creator.preview.${width}`)}
            </label>
          ))}
        </fieldset>
      </div>
      <div className={classes.frame}>
        <iframe title={t('creator.preview')} name={FRAME} src={path} sandbox="allow-same-origin" tabIndex={-1} />
      </div>
      <noscript>
        <button type="submit" formAction={path} formTarget={FRAME}>
          {t('creator.previewAgain')}
        </button>
      </noscript>
    </aside>
  );
}

/** Submits the values to the frame when the user pauses. It uses a native form, because the answer is a document. */
function usePreviewOf(values: Record<string, string>, path: string) {
  const shown = useRef(values);
  useEffect(() => {
    if (shown.current === values) return;
    const timer = setTimeout(() => {
      shown.current = values;
      sendTo(FRAME, path, values);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [values, path]);
}

function sendTo(target: string, action: string, values: Record<string, string>): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, target, hidden: true });
  for (const [name, value] of Object.entries(values)) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
