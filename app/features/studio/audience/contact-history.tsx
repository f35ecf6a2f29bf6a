import { Section } from '~/app/components/page-header';
import { formatDateTime } from '~/app/lib/formats';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { ContactPageView } from '~/server/domain/audience/contact-page';
import classes from './audience.module.css';

const UTC_DAY = { dateStyle: 'medium', timeZone: 'UTC' } as const;

/** What a contact follows and bought, how they came, what they agreed to, and the emails they got. */
export function ContactHistory({ found }: { found: ContactPageView }) {
  const { t, locale } = useTranslation('audience');
  const { t: tBuyers } = useTranslation('buyers');
  const { sources, consents, tracking, shows, emails } = found;
  const zone = useCreatorTimeZone();
  const at = (time: Date) => formatDateTime(time, locale, zone);
  const lists = [
    {
      name: 'shows',
      rows: shows.map(({ name, state, since }) => ({
        main: name,
        fact: `${tBuyers(`state.${state}`)} · ${at(since)}`,
      })),
    },
    { name: 'sources', rows: sources.map(({ source, at: time }) => ({ main: t(`source.${source}`), fact: at(time) })) },
    {
      name: 'consents',
      rows: [
        ...consents.map(({ source, text, at: time }) => ({
          main: text,
          // of an import, the creator has told a day only
          fact: `${t(`source.${source}`)} · ${source === 'import' ? formatDate(time, locale, UTC_DAY) : at(time)}`,
        })),
        ...tracking.map(({ text, at: time, withdrawnAt }) => ({
          main: text,
          fact: [at(time), withdrawnAt && t('withdrawn', { at: at(withdrawnAt) })].filter(Boolean).join(' · '),
        })),
      ],
    },
    {
      name: 'emails',
      rows: emails.map(({ kind, title, at: time }) => ({ main: title, fact: `${t(`email.${kind}`)} · ${at(time)}` })),
    },
  ] as const;
  return lists.map(({ name, rows }) => (
    <Section key={name} title={t(`section.${name}`)}>
      {rows.length === 0 ? (
        <p className={classes.fact}>{t(`section.${name}None`)}</p>
      ) : (
        <ul className={classes.list}>
          {rows.map(({ main, fact }, index) => (
            <li key={`${index}-${fact}`}>
              <bdi>{main}</bdi>
              <span className={classes.fact}> {fact}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  ));
}
