import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from '~/app/lib/translation';

export type PopUpPart = { name: 'chapters' | 'transcript' | 'queue' | 'notes'; contents: ReactNode };

type Props = { parts: PopUpPart[]; chosen: PopUpPart['name'] | null; choose: (name: PopUpPart['name']) => void };

/** The parts of an episode as tabs. The first one is open until the listener chooses; arrow keys move between tabs. */
export function PopUpTabs({ parts, chosen, choose }: Props) {
  const { t } = useTranslation('player-popup');
  const tabs = useRef<HTMLDivElement>(null);
  const open = parts.find(({ name }) => name === chosen) ?? parts[0];

  function move(event: KeyboardEvent) {
    const at = parts.findIndex(({ name }) => name === open?.name);
    const next = neighbour(event, at, parts.length);
    if (next === null) return;
    event.preventDefault();
    choose(parts[next]!.name);
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }

  if (!open) return null;
  return (
    <div className="popup-lists">
      <div className="popup-tabs" role="tablist" aria-label={t('parts')} ref={tabs} onKeyDown={move} data-own-keys>
        {parts.map(({ name }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`popup-tab-${name}`}
            aria-selected={name === open.name}
            aria-controls="popup-part"
            tabIndex={name === open.name ? 0 : -1}
            onClick={() => choose(name)}
          >
            {t(name)}
          </button>
        ))}
      </div>
      {/* with the keyboard, text without links scrolls only in an element that takes the focus */}
      <div
        className="popup-part"
        role="tabpanel"
        id="popup-part"
        aria-labelledby={`popup-tab-${open.name}`}
        tabIndex={open.name === 'notes' || open.name === 'transcript' ? 0 : undefined}
      >
        {open.contents}
      </div>
    </div>
  );
}

/** The tab to which a key leads; null for other keys. */
function neighbour({ key, currentTarget }: KeyboardEvent, at: number, count: number): number | null {
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  return (at + (key === forward ? 1 : count - 1)) % count;
}
