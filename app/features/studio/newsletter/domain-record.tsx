import { CopyButton } from '~/app/components/copy-button';
import { Pill, type Tone } from '~/app/components/pill';
import { useTranslation } from '~/app/lib/translation';
import type { RecordState } from '~/server/base/sending-records';
import type { RecordView } from '~/server/domain/newsletter/sending-domains';
import classes from './sending-domains.module.css';

/** A record to enter in DNS, what was found, and what to do. */
export function DomainRecord({ record }: { record: RecordView }) {
  const { t } = useTranslation('sending');
  const { name, type, host, value, zone, state } = record;
  return (
    <li className={classes.record}>
      <h4 className={classes.title}>
        {t(`record.${name}`)} <Pill tone={TONES[state]}>{t(`reading.${state}`)}</Pill>
      </h4>
      <p className={classes.fact}>{t(`record.${name}.why`)}</p>
      <dl className={classes.parts}>
        <dt>{t('record.type')}</dt>
        <dd>{type}</dd>
        <dt>{t('record.host')}</dt>
        <dd>
          <code>{host}</code>
          <CopyButton text={host} label={t('copy.host')} done={t('copied')} />
        </dd>
        <dt>{t('record.value')}</dt>
        <dd>
          <code>{value}</code>
          <CopyButton text={value} label={t('copy.value')} done={t('copied')} />
        </dd>
      </dl>
      {zone && state !== 'found' && (
        <details className={classes.zone}>
          <summary>{t('record.zone')}</summary>
          <code>{zone}</code>
        </details>
      )}
      <RecordAdvice record={record} />
    </li>
  );
}

const TONES: Record<RecordState, Tone> = {
  unchecked: 'plain',
  found: 'good',
  missing: 'waiting',
  wrong: 'bad',
  several: 'bad',
  quoted: 'bad',
};

function RecordAdvice({ record: { name, state, texts, inherited, reports, value } }: { record: RecordView }) {
  const { t } = useTranslation('sending');
  if (state === 'unchecked') return null;
  if (state === 'found') {
    const [, address = ''] = /mailto:(\S+)/.exec(value) ?? [];
    return (
      <>
        {inherited && <p className={classes.advice}>{t('advice.inherited', { domain: inherited })}</p>}
        {reports === false && <p className={classes.advice}>{t('advice.noReports', { address })}</p>}
      </>
    );
  }
  const isOwn = state === 'wrong' || (state === 'missing' && name === 'returnPath');
  return (
    <div className={classes.advice} data-bad={state !== 'missing' || undefined}>
      <p>{t(`advice.${isOwn ? `${state}.${name}` : state}`)}</p>
      {texts.length > 0 && (
        <>
          <p>{t('found')}</p>
          <ul>
            {texts.map((text, i) => (
              <li key={i}>
                <code dir="ltr">{text}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
