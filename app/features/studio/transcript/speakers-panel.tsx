import { TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { Button } from '~/app/components/button';
import { useTranslation } from '~/app/lib/translation';
import { TRANSCRIPT_LIMITS } from '~/server/limits/transcripts';
import classes from './transcript-editor.module.css';
import type { Passage, PassageTools } from './use-passages';

/** `known`: people of the show, whose names other episodes have. */
type Props = { passages: Passage[]; tools: PassageTools; known: string[]; onClose: () => void };

const SHOWN = 30;
const CHOICES = 12;

/** Names a speaker in all of their passages. */
export function SpeakersPanel({ passages, tools, known, onClose }: Props) {
  const { t } = useTranslation('transcripts');
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { cue } of passages) if (cue.speaker) found.set(cue.speaker, (found.get(cue.speaker) ?? 0) + 1);
    return [...found].sort(([, one], [, other]) => other - one).slice(0, SHOWN);
  }, [passages]);
  const rename = (from: string, to: string) => to !== from && tools.rename(from, to);
  return (
    <section className={classes.panel} aria-label={t('speakers')}>
      {counts.length === 0 && <p className={classes.fact}>{t('noSpeakers')}</p>}
      <div className={classes.fields}>
        {counts.map(([name, count]) => (
          <div key={name}>
            <TextInput
              label={t('speakerOf', { count })}
              defaultValue={name}
              maxLength={TRANSCRIPT_LIMITS.speakerLength}
              list="speakers-of-show"
              dir="auto"
              onBlur={(event) => rename(name, event.currentTarget.value.trim().replace(/\s+/g, ' '))}
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
            />
            {!known.includes(name) && known.length > 0 && (
              <fieldset className={classes.names} aria-label={t('speakerIs', { name })}>
                {known.slice(0, CHOICES).map((each) => (
                  <button key={each} type="button" dir="auto" onClick={() => rename(name, each)}>
                    {each}
                  </button>
                ))}
              </fieldset>
            )}
          </div>
        ))}
      </div>
      <p className={classes.fact}>{t('speakersHelp')}</p>
      <div className={classes.acts}>
        <Button type="button" variant="subtle" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </section>
  );
}
