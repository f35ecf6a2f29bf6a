import { useEffect, useState } from 'react';
import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import classes from '~/app/components/dialog.module.css';
import { ContactButton } from '~/app/features/studio/studio/contact-button';
import { usePaths } from '~/app/lib/paths';
import { Link, useFetcher, useLocation } from '~/app/lib/router';
import { useIsEditor, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';

/**
 * The pop-up about an import's result (spec §4). It appears on every page of the studio until the creator has seen it.
 */
export function ImportResultDialog() {
  const { imports } = useStudio().user;
  const { pathname } = useLocation();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const found = imports.find(({ status }) => status === 'imported' || status === 'failed');
  if (!found || !isEditor || pathname === paths.importFeed) return null;
  return <OpenDialog key={found.id} found={found} />;
}

type FoundImport = ReturnType<typeof useStudio>['user']['imports'][number];

function OpenDialog({ found: { id, status, title, productId } }: { found: FoundImport }) {
  const { t } = useTranslation('imports');
  const paths = usePaths();
  const fetcher = useFetcher();
  const [isOpen, setOpen] = useState(false);
  // opens after hydration, because a script opens the dialog
  useEffect(() => {
    setOpen(true);
  }, []);
  const close = () => {
    setOpen(false);
    if (fetcher.state === 'idle')
      void fetcher.submit({ intent: 'seen', id: String(id) }, { method: 'post', action: paths.importFeed });
  };
  const isImported = status === 'imported';
  return (
    <Dialog open={isOpen} title={t(isImported ? 'imported.title' : 'failed.title')} onClose={close}>
      <div className={classes.text}>
        <p>{t(isImported ? 'imported.short' : 'failed.short', { name: title })}</p>
        <p>
          <Link to={paths.importFeed} onClick={close}>
            {t('failed.details')}
          </Link>
        </p>
      </div>
      <div className={classes.actions}>
        <Button type="button" variant="subtle" color="gray" onClick={close}>
          {t('imported.dismiss')}
        </Button>
        {isImported && productId ? (
          <Button component={Link} to={paths.settings({ id: productId, kind: 'podcast' })} onClick={close}>
            {t('imported.edit')}
          </Button>
        ) : (
          <ContactButton onOpen={close}>{t('failed.contact')}</ContactButton>
        )}
      </div>
    </Dialog>
  );
}
