import './transcript-search.css';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import type { Matches } from './find-in-text';

/** `onFind`: called with whether the visitor looks at matches, or at the text itself. */
type Props = { text: RefObject<HTMLElement | null>; onFind?: (isFinding: boolean) => void };

/**
 * Searches a text of the page. Its code loads when a visitor starts to type. Without JavaScript, visitors use the
 * browser's own search.
 */
export function TranscriptSearch({ text, onFind }: Props) {
  const { t } = useTranslation('listening');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<Matches | null>(null);

  async function find() {
    const words = field.current?.value ?? '';
    const { findInText } = await import('./find-in-text');
    if (!text.current || field.current?.value !== words) return;
    const matches = findInText(text.current, words);
    setFound(matches);
    onFind?.(matches !== null && matches.count > 0);
  }
  // the visitor typed before hydration
  useEffect(() => {
    if (field.current?.value) void find();
  }, []);
  const show = (step: number) => setFound((current) => current?.show(step) ?? null);

  return (
    <search className="transcript-search needs-js">
      <label className="hidden-visually" htmlFor={id}>
        {t('find.label')}
      </label>
      <input
        ref={field}
        className="input"
        id={id}
        type="search"
        placeholder={t('find.label')}
        onInput={find}
        onKeyDown={(event) => event.key === 'Enter' && show(event.shiftKey ? -1 : 1)}
      />
      <span className="small muted" role="status">
        {found && (found.count === 0 ? t('find.none') : t('find.of', { index: found.index + 1, count: found.count }))}
      </span>
      {found && found.count > 1 && (
        <>
          <button type="button" className="icon-button" aria-label={t('find.previous')} onClick={() => show(-1)}>
            ↑
          </button>
          <button type="button" className="icon-button" aria-label={t('find.next')} onClick={() => show(1)}>
            ↓
          </button>
        </>
      )}
    </search>
  );
}
