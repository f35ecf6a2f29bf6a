import { lazy, Suspense, useEffect } from 'react';
import { SearchIcon } from '~/app/components/line-icons';
import { useTranslation } from '~/app/lib/translation';
import classes from './quick-access.module.css';
import { useSearchKeys } from './use-search-keys';
import { type QuickDialog, useShortcuts } from './use-shortcuts';

const loadPalette = () => import('./command-palette');
const CommandPalette = lazy(loadPalette);
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
  usePreload();
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

/** Loads the search as soon as a modifier key announces it: letters typed until then would be lost. */
function usePreload() {
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => (key === 'Control' || key === 'Meta') && void loadPalette();
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
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
      onPointerEnter={() => void loadPalette()}
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
