import type { ConnectionView } from '~/server/domain/apps/list-connections';

type Translate = (key: string, params?: Record<string, string>) => string;
type Named = Pick<ConnectionView, 'name' | 'isNamed' | 'isLocal'>;

/** What an app is called. Nothing proves the name of one on the person's own computer. */
export function appTitle({ name, isNamed, isLocal }: Named, t: Translate): string {
  if (!isLocal) return name;
  return isNamed ? t('local.named', { name }) : t('local.unnamed');
}

/** What an app may do with a scope: the API publishes, and assistants only draft. */
export function scopeText(scope: string, audience: ConnectionView['audience'], t: Translate): string {
  const publishes = audience === 'v1' && scope === 'episodes:write';
  return t(publishes ? 'scope.episodes.publish' : `scope.${scope.replace(':', '.')}`);
}
