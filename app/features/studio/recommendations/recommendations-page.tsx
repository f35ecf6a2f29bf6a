import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { EmptyState, MicrophonePicture } from '~/app/components/empty-state';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { SectionTitle } from '~/app/components/section-title';
import { ImportNotice } from '~/app/features/studio/episode/import-notice';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { RequestBlocks } from '~/server/domain/recommendations/block-requests';
import type { Recommendations, RecommendationView } from '~/server/domain/recommendations/list-recommendations';
import { BlockedCreators } from './blocked-creators';
import { RecommendationList } from './recommendation-list';
import classes from './recommendations.module.css';

type Props = Recommendations & { blocks: RequestBlocks; failure?: FormFailure; select: string };

const waits = ({ steps }: RecommendationView) => steps.includes('accept');
const GROUPS: [name: string, isIn: (item: RecommendationView) => boolean][] = [
  ['answer', waits],
  ['failed', ({ hasFailed }) => hasFailed],
  ['running', ({ status, hasFailed }) => status === 'accepted' && !hasFailed],
  ['asked', (item) => item.status === 'requested' && !waits(item)],
  ['over', ({ status }) => status !== 'accepted' && status !== 'requested'],
];

/** The recommendations of one show, or of all. `select`: the path of the search for others. */
export function RecommendationsPage({ items, isOffered, blocks, failure, select }: Props) {
  const { t } = useTranslation('recommending');
  const paths = usePaths();
  usePlanLimitOf(failure);
  const find = (
    <Button component={Link} to={select}>
      {t('find')}
    </Button>
  );
  return (
    <>
      <ImportNotice />
      {!isOffered && (
        <p className={classes.notice}>
          {t('notOffered')} <Link to={paths.plans}>{t('toPlans')}</Link>
        </p>
      )}
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      {items.length === 0 ? (
        <EmptyState picture={<MicrophonePicture />} title={t('none')} action={find}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <>
          <p className={classes.find}>{find}</p>
          {GROUPS.map(([name, isIn]) => {
            const found = items.filter((item) => isIn(item));
            return (
              found.length > 0 && (
                <section key={name} aria-labelledby={`group-${name}`}>
                  <SectionTitle id={`group-${name}`}>{t(`group.${name}`)}</SectionTitle>
                  <RecommendationList items={found} />
                </section>
              )
            );
          })}
        </>
      )}
      <BlockedCreators {...blocks} />
    </>
  );
}
