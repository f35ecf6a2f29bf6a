import { useNavigate, useSearchParams } from '@remix-run/react';
import { useEffect } from 'react';
import classes from '~/app/components/page-header.module.css';
import { useTranslation } from '~/app/lib/translation';
import { DONE_PARAM } from '../../lib/done-message';
import { toast } from './toast';

/** Says once what the action before this page did, and takes its mark out of the address. */
export function DoneToast() {
  const { t } = useTranslation('studio');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const done = params.get(DONE_PARAM);

  useEffect(() => {
    if (!done) return;
    const sentence = t(`done.${done}`);
    if (!sentence.startsWith('done.')) toast(sentence, t('close'));
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
