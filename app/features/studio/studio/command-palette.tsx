import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '~/app/components/confirm-dialog';
import { CloseIcon } from '~/app/components/icons';
import { SearchIcon } from '~/app/components/line-icons';
import { useNavigate } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { SEARCH_LIMITS } from '~/server/limits/episodes';
import type { Command, CommandGroup } from './commands';
import classes from './quick-access.module.css';
import { useCommandGroups } from './use-command-groups';

type Props = { onClose: () => void; onShortcuts: () => void };

/** Finds shows, episodes and actions by name. Focus stays in the field; the arrow keys choose from the list. */
export default function CommandPalette({ onClose, onShortcuts }: Props) {
  const { t } = useTranslation('palette');
  const [words, setWords] = useState('');
  const { groups, state } = useCommandGroups(words);
  const all = groups.flatMap(({ commands }) => commands);
  const run = useRun({ onClose, onShortcuts });
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, Math.max(0, all.length - 1));
  const listId = useId();
  const optionId = (command: Command) => `${listId}-${command.id}`;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const next = movedTo(event.key, active, all.length);
    if (event.key === 'Enter' && all[active]) run(all[active]);
    else if (next !== null) setChosen(next);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog open wide atTop title={t('title')} onClose={onClose}>
      <div className={classes.field}>
        <SearchIcon />
        <input
          type="text"
          role="combobox"
          aria-label={t('label')}
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={all[active] && optionId(all[active])}
          placeholder={t('placeholder')}
          value={words}
          maxLength={SEARCH_LIMITS.wordsLength}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          onChange={(event) => {
            setWords(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={classes.close} aria-label={t('close')} onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
      <p role="status" className={all.length > 0 && state !== 'failed' ? 'hidden-visually' : classes.none}>
        {state === 'found' ? t('found', { count: all.length }) : t(state, { words: words.trim() })}
      </p>
      <CommandOptions id={listId} groups={groups} active={all[active]} optionId={optionId} onRun={run} />
      {all.length > 0 && <p className={classes.note}>{t('hint')}</p>}
    </Dialog>
  );
}

/** The index that an arrow key moves to; null for other keys. */
function movedTo(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from + count - 1) % count;
  return null;
}

function useRun({ onClose, onShortcuts }: Props): (command: Command) => void {
  const navigate = useNavigate();
  return ({ to, isExternal }) => {
    if (to === null) return onShortcuts();
    onClose();
    if (isExternal) window.open(to, '_blank', 'noreferrer');
    else navigate(to);
  };
}

type OptionsProps = {
  id: string;
  groups: CommandGroup[];
  active: Command | undefined;
  optionId: (command: Command) => string;
  onRun: (command: Command) => void;
};

function CommandOptions({ id, groups, active, optionId, onRun }: OptionsProps) {
  const { t } = useTranslation('palette');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={t('results')} className={classes.results} hidden={!active}>
      {groups.map(({ name, commands }) => (
        <fieldset key={name} className={classes.names} aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} className={classes.group} role="presentation">
            {t(`group.${name}`)}
          </p>
          {commands.map((command) => (
            <div
              key={command.id}
              id={optionId(command)}
              role="option"
              aria-selected={command === active}
              tabIndex={-1}
              className={classes.option}
              // keeps the focus in the field
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onRun(command)}
              onKeyDown={(event) => event.key === 'Enter' && onRun(command)}
            >
              {command.picture && <img src={command.picture} alt="" width={32} height={32} />}
              <span dir="auto">{command.label}</span>
              {command.detail && <span className={classes.detail}>{command.detail}</span>}
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
