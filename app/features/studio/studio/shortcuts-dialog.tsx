import { Checkbox } from '@mantine/core';
import { Fragment, useState } from 'react';
import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import { useTranslation } from '~/app/lib/translation';
import classes from './quick-access.module.css';
import { areShortcutsOn, SHORTCUTS, turnShortcuts } from './shortcuts';
import { useSearchKeys } from './use-search-keys';

/** Shows the shortcuts, and lets users turn them off: speech software may type single keys by accident (WCAG 2.1.4). */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette');
  const [isOn, setOn] = useState(areShortcutsOn);
  const search = useSearchKeys();
  return (
    <Dialog open title={t('shortcuts.title')} onClose={onClose}>
      <dl className={classes.shortcuts} data-off={!isOn || undefined}>
        {Object.entries(SHORTCUTS).map(([name, keys]) => (
          <ShortcutRow key={name} keys={keys} label={t(`shortcuts.${name}`)} />
        ))}
      </dl>
      <Checkbox
        label={t('shortcuts.on')}
        description={t('shortcuts.onHelp')}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          turnShortcuts(checked);
          setOn(checked);
        }}
      />
      <dl className={classes.shortcuts}>
        <ShortcutRow keys={search.split(' ')} label={t('title')} together />
        <ShortcutRow keys={[t('shortcuts.space')]} label={t('shortcuts.play')} />
        <ShortcutRow keys={['←', '→']} label={t('shortcuts.jump')} />
      </dl>
      <p className={classes.note}>{t('shortcuts.player')}</p>
      <div className={classes.actions}>
        <Button type="button" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  );
}

function ShortcutRow({ keys, label, together }: { keys: readonly string[]; label: string; together?: boolean }) {
  return (
    <div>
      <dt>
        {keys.map((key, i) => (
          <Fragment key={key}>
            {i > 0 && (together ? '+' : ' ')}
            <kbd>{key}</kbd>
          </Fragment>
        ))}
      </dt>
      <dd>{label}</dd>
    </div>
  );
}
