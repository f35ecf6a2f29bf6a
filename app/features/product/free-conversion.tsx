import type { ReactNode } from 'react';
import { Section } from '~/app/components/page-header';
import classes from '~/app/components/page-header.module.css';
import { formatDateTime } from '~/app/lib/formats';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import own from './product.module.css';

type State = {
  isFree: boolean;
  waitingSince: Date | null;
  subscribers: number;
  subscribersAtStart: number;
  lastEnd: Date | null;
};

/** What happens when a paid show becomes free: before it begins, or how far it is. `children`: the form. */
export function FreeConversion({ state, children }: { state: State; children: ReactNode }) {
  const { t } = useTranslation('product');
  if (state.isFree) return <p>{t('free.isFree')}</p>;
  if (state.waitingSince) return <Waiting state={state}>{children}</Waiting>;
  const { subscribers } = state;
  return (
    <div className={classes.form}>
      <Section title={t('free.what')}>
        <p>{t(subscribers > 0 ? 'free.subscribers' : 'free.nobody', { count: subscribers })}</p>
        {subscribers > 0 && (
          <ul className={own.list}>
            <li>{t('free.step.end')}</li>
            <li>{t('free.step.closed')}</li>
            <li>{t('free.step.done')}</li>
            <li>{t('free.step.back')}</li>
          </ul>
        )}
        <p>{t('free.private')}</p>
        {children}
      </Section>
    </div>
  );
}

function Waiting({ state, children }: { state: State; children: ReactNode }) {
  const { t, language } = useTranslation('product');
  const timeZone = useCreatorTimeZone();
  const { subscribers, subscribersAtStart, lastEnd } = state;
  const ended = subscribersAtStart - subscribers;
  return (
    <div className={classes.form}>
      <Section title={t('free.waiting')}>
        <p>
          {lastEnd
            ? t('free.waitingUntil', {
                count: subscribers,
                date: formatDateTime(lastEnd, language, timeZone),
                timeZone,
              })
            : t('free.waitingFor', { count: subscribers })}
        </p>
        <div>
          <progress className={own.progress} max={subscribersAtStart} value={ended} aria-label={t('free.progress')} />
          <p className={own.note}>{t('free.ended', { ended, all: subscribersAtStart })}</p>
        </div>
        <p>{t('free.keepText')}</p>
        {children}
      </Section>
    </div>
  );
}
