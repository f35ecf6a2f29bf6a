import { useEffect, useRef } from 'react';
import { useTranslation } from '~/app/lib/translation';

/** Fields by which bots give themselves away: one that people do not see, and the time for which the form was open. */
export function BotSigns() {
  const { t } = useTranslation('newsletter');
  const openFor = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const opened = performance.now();
    const { form } = openFor.current!;
    const note = () => {
      openFor.current!.value = String(Math.round(performance.now() - opened));
    };
    // before the router reads the form
    form?.addEventListener('submit', note, { capture: true });
    return () => form?.removeEventListener('submit', note, { capture: true });
  }, []);
  return (
    <div className="hidden-visually" aria-hidden="true">
      <label>
        {t('form.website')}
        <input type="text" name="website" tabIndex={-1} autoComplete="off" />
      </label>
      <input ref={openFor} type="hidden" name="openFor" />
    </div>
  );
}
