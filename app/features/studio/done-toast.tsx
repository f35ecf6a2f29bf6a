import { useNavigate, useSearchParams } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { DONE } from './done';
import classes from './page-head.module.css';
import { toast } from './toast';

/** Says once what the action before this page did, and takes its mark out of the address. */
export function DoneToast() {
  const { t } = useTranslation('studio');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const done = params.get(DONE);

  useEffect(() => {
    if (!done) return;
    const sentence = t(`done.${done}`);
    if (!sentence.startsWith('done.')) toast(sentence, t('close'));
    const rest = new URLSearchParams(window.location.search);
    rest.delete(DONE);
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
