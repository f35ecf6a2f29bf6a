import { useNavigate, useSearchParams } from '@remix-run/react';
import { useEffect } from 'react';
import classes from '~/app/components/page-header.module.css';
import { showToast } from '~/app/components/toast';
import { useTranslation } from '~/app/lib/translation';
import { DONE_PARAM } from '../../lib/done-message';

/** Shows the result of the previous action once, and removes its parameter from the URL. */
export function DoneToast() {
  const { t } = useTranslation('studio');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const done = params.get(DONE_PARAM);

  useEffect(() => {
    if (!done) return;
    const sentence = t(`done.${done}`);
    if (!sentence.startsWith('done.')) showToast(sentence, t('close'));
    const rest = new URLSearchParams(window.location.search);
    rest.delete(DONE_PARAM);
    navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
  }, [done, navigate, t]);

  if (!done) return null;
  return (
    <noscript>
      <p role="status" className={classes.done}>
        {t(`done.${done}`)}
      </p>
    </noscript>
  );
}
