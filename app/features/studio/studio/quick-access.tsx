import { lazy, Suspense } from 'react';
import { SearchIcon } from '~/app/components/line-icons';
import { useTranslation } from '~/app/lib/translation';
import classes from './quick-access.module.css';
import { useSearchKeys } from './use-search-keys';
import { type QuickDialog, useShortcuts } from './use-shortcuts';

const CommandPalette = lazy(() => import('./command-palette'));
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog'));

/** The global search, and the list of shortcuts. Each loads when the user opens it. */
export function QuickDialogs({
  open,
  onOpen,
}: {
  open: QuickDialog | null;
  onOpen: (next: QuickDialog | null) => void;
}) {
  useShortcuts(onOpen);
  const close = () => onOpen(null);
  // a boundary in the first document would hydrate later, and an earlier update would replace it with an error
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      {open === 'palette' && <CommandPalette onClose={close} onShortcuts={() => onOpen('shortcuts')} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </Suspense>
  );
}

export function SearchButton({ small, onOpen }: { small?: boolean; onOpen: () => void }) {
  const { t } = useTranslation('studio');
  const keys = useSearchKeys();
  return (
    <button
      type="button"
      className={small ? classes.small : classes.open}
      data-needs-script
      aria-label={small ? t('search.open') : undefined}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <SearchIcon />
      {!small && (
        <>
          <span>{t('search.open')}</span>
          <span className={classes.keys} aria-hidden="true">
            {keys}
          </span>
        </>
      )}
    </button>
  );
}
