import { formatClock } from '~/app/lib/clock';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Span } from '~/server/domain/soundbites/rules';
import { isChosen } from './choose-passage';
import classes from './soundbites.module.css';

export type Passage = Span & { text: string };
/** A part of the transcript. `earlier` and `later`: the numbers of the parts beside it. */
export type PassagePart = { passages: Passage[]; earlier: number | null; later: number | null };

type Props = { part: PassagePart; span: Span; onChoose: (passage: Passage) => void };

/** The passages of the transcript, of which some become a soundbite. */
export function PassageList({ part: { passages, earlier, later }, span, onChoose }: Props) {
  const { t } = useTranslation('soundbites');
  return (
    <>
      <p className={classes.fact} id="passages-help">
        {t('passages.help')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll it */}
      <ol className={classes.passages} aria-labelledby="passages-help" tabIndex={0}>
        {passages.map((passage) => (
          <li key={`${passage.startMs} ${passage.text}`}>
            <button type="button" aria-pressed={isChosen(span, passage)} onClick={() => onChoose(passage)}>
              <span className={classes.time}>{formatClock(Math.floor(passage.startMs / 1000))}</span>
              <bdi>{passage.text}</bdi>
            </button>
          </li>
        ))}
      </ol>
      {(earlier !== null || later !== null) && (
        <p className={classes.pages}>
          {earlier !== null && (
            <Link to={`?part=${earlier}`} preventScrollReset>
              {t('passages.earlier')}
            </Link>
          )}
          {later !== null && (
            <Link to={`?part=${later}`} preventScrollReset>
              {t('passages.later')}
            </Link>
          )}
        </p>
      )}
    </>
  );
}
