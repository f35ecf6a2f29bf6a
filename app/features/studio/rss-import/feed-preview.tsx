import { Checkbox } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Mark } from '~/app/components/icons';
import { Section } from '~/app/components/page-header';
import { formatClock } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatFileSize } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { PreviewedFeed } from '~/server/domain/rss-import/request-feed-import';
import { lossGroups, type ReportGroup, repairGroups } from './report-groups';
import classes from './rss-import.module.css';

type Props = { preview: PreviewedFeed; failure?: FormFailure };

/** The expected result of importing the feed, and the ways to prove that the creator owns it. */
export function FeedPreview({ preview, failure }: Props) {
  const { t } = useTranslation('imports');
  const repairs = repairGroups(preview.repairs);
  const losses = lossGroups(preview.losses);
  return (
    <div className={classes.sections}>
      <Section title={t('preview.title')}>
        <Facts preview={preview} />
        <LatestEpisodes latest={preview.latest} episodes={preview.episodes} />
        {preview.updates && <p>{t('preview.updates', { name: preview.updates.name })}</p>}
        {repairs.length + losses.length === 0 && <p>{t('preview.perfect')}</p>}
        <Report title={t('preview.lost')} groups={losses} />
        <Report title={t('preview.repaired')} groups={repairs} />
      </Section>
      <Proofs preview={preview} failure={failure} />
      <p>
        <Link to="?new=1">{t('form.other')}</Link>
      </p>
    </div>
  );
}

function Facts({ preview: { title, author, picture, episodes, oldest, newest, bytes } }: { preview: PreviewedFeed }) {
  const { t, locale } = useTranslation('imports');
  const day = (at: string) => formatDate(new Date(at), locale);
  return (
    <div className={classes.show}>
      {picture ? (
        <img className={classes.cover} src={picture} alt="" width={96} height={96} />
      ) : (
        <span className={classes.cover}>
          <Mark />
        </span>
      )}
      <div>
        <h3 className={classes.name} dir="auto">
          {title}
        </h3>
        {author && (
          <p className={classes.by} dir="auto">
            {t('preview.by', { author })}
          </p>
        )}
        <ul className={classes.facts}>
          <li>{t('preview.episodes', { count: episodes })}</li>
          {oldest && newest && (
            <li>
              {t(day(oldest) === day(newest) ? 'preview.on' : 'preview.between', {
                oldest: day(oldest),
                newest: day(newest),
              })}
            </li>
          )}
          {bytes > 0 && <li>{t('preview.size', { size: formatFileSize(bytes, locale) })}</li>}
        </ul>
      </div>
    </div>
  );
}

/** The newest episodes, and how many more there are. */
function LatestEpisodes({ latest, episodes }: Pick<PreviewedFeed, 'latest' | 'episodes'>) {
  const { t, locale } = useTranslation('imports');
  const more = episodes - latest.length;
  return (
    <ol className={classes.latest} aria-label={t('preview.latest')}>
      {latest.map(({ title, publishedAt, durationMs }, i) => (
        <li key={i}>
          <strong dir="auto">{title}</strong>
          <span className={classes.count}>
            {[
              publishedAt && formatDate(new Date(publishedAt), locale),
              durationMs && formatClock(Math.round(durationMs / 1000)),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
      {more > 0 && <li className={classes.count}>{t('preview.more', { count: more })}</li>}
    </ol>
  );
}

function Report({ title, groups }: { title: string; groups: ReportGroup[] }) {
  const { t } = useTranslation('imports');
  if (groups.length === 0) return null;
  return (
    <>
      <h4 className={classes.subtitle}>{title}</h4>
      <ul className={classes.report}>
        {groups.map(({ key, count, first, percent }) => (
          <li key={key}>
            {t(key, { percent: percent ?? 0 })}{' '}
            {count > 1 && <span className={classes.count}>{t('preview.count', { count })}</span>}
            {first > 0 && <p className={classes.count}>{t('preview.first', { number: first })}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The link comes first, and the code is for creators who can't read emails to that address. */
function Proofs({ preview: { url, sentTo, updates }, failure }: Props) {
  const { t } = useTranslation('imports');
  return (
    <Form method="post" className={classes.sections}>
      <input type="hidden" name="url" value={url} />
      <Section title={t('preview.settings')}>
        {!updates && (
          <Checkbox
            name="isPrivate"
            id="isPrivate"
            value="on"
            label={t('preview.private')}
            description={t('preview.privateHelp')}
          />
        )}
        <Checkbox
          name="follow"
          id="follow"
          value="on"
          label={t('preview.follow')}
          description={t('preview.followHelp')}
        />
      </Section>
      <Section title={t('preview.proof')}>
        {failure?.message && (
          <p className={classes.message} role="alert">
            {failure.message}
          </p>
        )}
        <div className={classes.proof}>
          {sentTo && (
            <>
              <p>{t('preview.byEmail', { address: sentTo })}</p>
              <div>
                <Button type="submit" name="intent" value="email">
                  {t('preview.send')}
                </Button>
              </div>
            </>
          )}
          <p>{t(sentTo ? 'preview.byFeed' : 'preview.noAddress')}</p>
          <div>
            <Button type="submit" name="intent" value="feed" variant={sentTo ? 'default' : 'filled'}>
              {t('preview.useCode')}
            </Button>
          </div>
        </div>
      </Section>
    </Form>
  );
}
