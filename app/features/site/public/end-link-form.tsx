import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

type Props = { app: string; title?: string; help: string; confirm: string };

/** Asks whether an address of a private feed may stop working. `app`: for which the address was made. */
export function EndLinkForm({ app, title, help, confirm }: Props) {
  const { t } = useTranslation('follow');
  return (
    <Form method="post" className="notice ask" action="?">
      {title && <h2>{title}</h2>}
      <p>{help}</p>
      <input type="hidden" name="app" value={app} />
      <div className="actions">
        <button className="button" type="submit">
          {confirm}
        </button>
        <Link className="button plain" to="?">
          {t('links.keep')}
        </Link>
      </div>
    </Form>
  );
}
