import type { ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { EpisodePicture, MicrophonePicture, PagePicture } from '~/app/components/empty-state';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { StartStep } from '~/server/domain/accounts/base/rules';
import classes from './start.module.css';

type ShownStep = StartStep | 'episode';
type Props = { step: ShownStep; to: string; children?: ReactNode };

const PICTURES: Record<ShownStep, () => ReactNode> = {
  reason: MicrophonePicture,
  page: PagePicture,
  about: PagePicture,
  product: MicrophonePicture,
  episode: EpisodePicture,
  share: PagePicture,
};

/** The next step on the studio's home page. `children` appear below it. */
export function StepPanel({ step, to, children }: Props) {
  const { t } = useTranslation('start');
  const Picture = PICTURES[step];
  return (
    <section className={classes.panel} aria-labelledby="next-step">
      <div className={classes.picture} aria-hidden="true">
        <Picture />
      </div>
      <div className={classes.words}>
        <h2 id="next-step">{t(`step.${step}.title`)}</h2>
        <p>{t(`step.${step}.text`)}</p>
        <div className={classes.acts}>
          <Button component={Link} to={to}>
            {t(`step.${step}.action`)}
          </Button>
        </div>
      </div>
      {children}
    </section>
  );
}
