import { Checkbox, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '~/app/components/button';
import { useTranslation } from '~/app/lib/translation';
import { placesOf, type Search } from '~/server/transcript/edit-cues';
import { highlight, rangeIn } from './caret';
import { textOf } from './follow-words';
import classes from './transcript-editor.module.css';
import type { Passage, PassageTools } from './use-passages';

type Props = { passages: Passage[]; tools: PassageTools; show: (passage: Passage) => void; onClose: () => void };

const LONGEST = 200;

/** Finds words in all passages and replaces them, one by one or all together. */
export function FindPanel({ passages, tools, show, onClose }: Props) {
  const { t } = useTranslation('transcripts');
  const [search, setSearch] = useState<Search>({ find: '', matchesCase: false, wholeWords: false });
  const [replacement, setReplacement] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const places = useMemo(
    () => passages.flatMap((passage) => placesOf(passage.cue.text, search).map((place) => ({ passage, ...place }))),
    [passages, search],
  );
  const index = places.length === 0 ? 0 : ((at % places.length) + places.length) % places.length;
  const place = places[index];
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    field.current?.focus();
  }, []);
  useEffect(() => {
    if (place) latest.current(place.passage);
    // the row may only now be shown
    const timer = setTimeout(() => {
      const text = place && textOf(place.passage.id);
      highlight('found-words', text ? rangeIn(text, place.from, place.to) : null);
    }, 50);
    return () => {
      clearTimeout(timer);
      highlight('found-words', null);
    };
  }, [place?.passage.id, place?.from, search]);

  const change = (changes: Partial<Search>) => {
    setSearch({ ...search, ...changes });
    setAt(0);
  };
  return (
    <search className={classes.panel}>
      <div className={classes.fields}>
        <TextInput
          ref={field}
          label={t('find')}
          value={search.find}
          maxLength={LONGEST}
          dir="auto"
          onChange={(event) => change({ find: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setAt(index + (event.shiftKey ? -1 : 1));
            if (event.key === 'Escape') onClose();
          }}
        />
        <TextInput
          label={t('replaceWith')}
          value={replacement}
          maxLength={LONGEST}
          dir="auto"
          onChange={(event) => setReplacement(event.currentTarget.value)}
        />
      </div>
      <div className={classes.acts}>
        <Checkbox
          label={t('wholeWords')}
          checked={search.wholeWords}
          onChange={(event) => change({ wholeWords: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('matchesCase')}
          checked={search.matchesCase}
          onChange={(event) => change({ matchesCase: event.currentTarget.checked })}
        />
        <span role="status" className={classes.fact}>
          {search.find !== '' && (place ? t('matchOf', { index: index + 1, count: places.length }) : t('noMatch'))}
        </span>
      </div>
      <div className={classes.acts}>
        <Button type="button" variant="default" disabled={!place} onClick={() => setAt(index - 1)}>
          {t('previous')}
        </Button>
        <Button type="button" variant="default" disabled={!place} onClick={() => setAt(index + 1)}>
          {t('next')}
        </Button>
        <Button
          type="button"
          variant="default"
          disabled={!place}
          onClick={() => place && tools.replace(search, replacement, place.passage.id)}
        >
          {t('replaceHere')}
        </Button>
        <Button type="button" variant="default" disabled={!place} onClick={() => tools.replace(search, replacement)}>
          {t('replaceAll')}
        </Button>
        <Button type="button" variant="subtle" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </search>
  );
}
