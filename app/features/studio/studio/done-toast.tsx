import { useEffect, useLayoutEffect, useMemo } from 'react';
import classes from '~/app/components/page-header.module.css';
import { showLatestToast, showUndoToast } from '~/app/components/toast';
import { kindInPath, usePaths } from '~/app/lib/paths';
import { useLocation, useNavigate, useNavigation, useSearchParams, useSubmit } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { DONE_PARAM } from '../../../lib/done-message';

/** The server has no layout, and React complains there. */
const useEffectBeforeEvents = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** Shows the result of the previous action once, and removes its parameter from the URL. */
export function DoneToast() {
  const { t } = useTranslation('studio');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const done = params.get(DONE_PARAM);
  // the same action twice has the same result, at another key
  const { key } = useLocation();
  const isIdle = useNavigation().state === 'idle';
  const unarchive = useUnarchive();

  useEffect(() => {
    if (!done) return;
    const sentence = t(`done.${done}`);
    const close = t('close');
    if (done === 'product_archived' && unarchive) {
      showUndoToast(sentence, { close, undo: t('undo'), onUndo: unarchive });
    } else if (!sentence.startsWith('done.')) showLatestToast(sentence, close);
  }, [done, key, t, unarchive]);

  // a form that has been sent meanwhile would lose its answer: a navigation of ours ends what it began
  useEffectBeforeEvents(() => {
    if (!done || !isIdle) return;
    const rest = new URLSearchParams(window.location.search);
    rest.delete(DONE_PARAM);
    navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
  }, [done, isIdle, navigate]);

  if (!done) return null;
  return (
    <noscript>
      <p role="status" className={classes.done}>
        {t(`done.${done}`)}
      </p>
    </noscript>
  );
}

/** Unarchives the show of the current page. Null on other pages. */
function useUnarchive(): (() => void) | null {
  const { pathname } = useLocation();
  const submit = useSubmit();
  const paths = usePaths();
  return useMemo(() => {
    const kind = kindInPath(pathname);
    const id = Number(/\/(\d+)$/.exec(pathname)?.[1]);
    if (!kind || !id) return null;
    return () => submit({ intent: 'unarchive' }, { method: 'post', action: paths.settings({ id, kind }, 'danger') });
  }, [pathname, submit, paths]);
}
