import { useEffect, useRef } from 'react';
import { kindInPath, type Paths, usePaths } from '~/app/lib/paths';
import { useLocation, useNavigate, useParams } from '~/app/lib/router';
import { type Studio, useMay, useStudio } from '~/app/lib/studio-context';
import { areShortcutsOn, isModified, opensSearch, PAIR_MS, type Shortcut, shortcutOf } from './shortcuts';

export type QuickDialog = 'palette' | 'shortcuts';
type Open = (dialog: QuickDialog) => void;

/** Elements that handle keys themselves, or that users type into. */
const OWN_KEYS =
  'input:not([type=checkbox]), textarea, select, audio, video, [contenteditable], [role=menu], [role=slider], [data-own-keys]';

/** Listens for the studio's shortcuts. The screens that they open load on demand. */
export function useShortcuts(open: Open): void {
  const run = useShortcutActions(open);
  const before = useRef<{ key: string; at: number } | null>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing || isDialogOpen()) return;
      if (opensSearch(event)) {
        event.preventDefault();
        open('palette');
        return;
      }
      if (isModified(event) || event.key === 'Shift' || isTyping(event.target) || !areShortcutsOn()) return;
      const last = before.current;
      before.current = { key: event.key, at: event.timeStamp };
      const isPair = last !== null && event.timeStamp - last.at < PAIR_MS;
      const shortcut = shortcutOf(isPair ? last.key : null, event.key);
      if (shortcut === null) return;
      before.current = null;
      if (run(shortcut)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open, run]);
}

const isDialogOpen = () => document.querySelector('dialog[open], [role=dialog], [role=alertdialog]') !== null;
const isTyping = (target: EventTarget | null) => target instanceof Element && target.closest(OWN_KEYS) !== null;

/** @returns whether the shortcut did something. The member's role or the page may not allow it. */
function useShortcutActions(open: Open): (shortcut: Shortcut) => boolean {
  const navigate = useNavigate();
  const paths = usePaths();
  const may = useMay();
  const { user } = useStudio();
  const product = useProductInView();
  return (shortcut) => {
    if (shortcut === 'list') return focusSearch();
    if (shortcut === 'help') open('shortcuts');
    else if (shortcut !== 'newEpisode') {
      const path = pageOf(shortcut, paths);
      const isOpen = shortcut === 'home' || shortcut === 'settings' || (user.creator && mayOpen(shortcut, may));
      if (!isOpen) return false;
      navigate(path);
    } else if (!may('episode.manage')) return false;
    else if (product) navigate(paths.createEpisode(product));
    else open('palette');
    return true;
  };
}

const mayOpen = (shortcut: Shortcut, may: ReturnType<typeof useMay>) => shortcut !== 'calendar' || may('episode.read');

function pageOf(shortcut: Exclude<Shortcut, 'list' | 'help' | 'newEpisode'>, paths: Paths): string {
  const { dashboard: home, products, calendar, team, profile: settings } = paths;
  return { home, products, calendar, team, settings }[shortcut];
}

/** The search field of the page's list. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#content [role=search] input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** The page's show, or the creator's only show. */
export function useProductInView(): Studio['products'][number] | undefined {
  const { products } = useStudio();
  const { id } = useParams();
  const kind = kindInPath(useLocation().pathname);
  const shown = products.find((product) => product.id === Number(id) && product.kind === kind);
  return shown ?? (products.length === 1 ? products[0] : undefined);
}
