import type { ReactNode } from 'react';
import { CloseIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';

type Props = { id: string; label: string; icon: ReactNode; title?: string; children: ReactNode };

/**
 * A dialog and its button. Browsers open popovers without a script, and close them on Escape or on a press elsewhere;
 * browsers that don't know them show the contents in the page.
 */
export function Sheet({ id, label, icon, title = label, children }: Props) {
  const { t } = useTranslation();
  // React 18 has no types for popovers
  const opens = { popovertarget: id };
  const closes = { popovertarget: id, popovertargetaction: 'hide' };
  const popover = { popover: 'auto' };
  return (
    <>
      <button type="button" className="button plain" aria-haspopup="dialog" {...opens}>
        {icon}
        <span className="tool-text">{label}</span>
      </button>
      <div id={id} className="sheet" role="dialog" aria-labelledby={`${id}-title`} {...popover}>
        <div className="sheet-head">
          <h2 id={`${id}-title`}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t('close')} {...closes}>
            <CloseIcon />
          </button>
        </div>
        {children}
      </div>
    </>
  );
}
