import type { ReactNode } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { NEWSLETTER_FORM_PATH } from '~/server/base/public-paths';
import type { OwnContact, OwnShow } from '~/server/domain/audience/own-contact';

type Props = { own: OwnContact; failure: FormFailure | undefined };

/** The kinds of emails, first the one that the link belongs to, with the button that most people come for. */
export function EmailTopics({ own, failure }: Props) {
  const { t } = useTranslation('own-emails');
  const { shows, stopsShow, newsletter, creator } = own;
  const topics = [
    <Newsletter key="newsletter" own={own} isFirst={stopsShow === null} />,
    ...shows.map((show) => <Show key={show.id} show={show} isFirst={show.id === stopsShow} />),
  ];
  const first = shows.findIndex(({ id }) => id === stopsShow) + 1;
  const getsAny = newsletter === 'active' || newsletter === 'pending' || shows.some(({ getsEmails }) => getsEmails);
  const isOfOther = ['save', 'erase'].includes(failure?.values.intent ?? '');
  const message = isOfOther ? null : failure?.message;
  return (
    <section aria-labelledby="topics">
      <h2 id="topics">{t('topics')}</h2>
      {message && (
        <p className="notice bad" role="alert">
          {message}
        </p>
      )}
      <ul className="topics">{[...topics.splice(first, 1), ...topics]}</ul>
      {getsAny && (
        <Form method="post" className="all">
          <input type="hidden" name="intent" value="all" />
          <button type="submit" className="button plain slim">
            {t('stopAll', { creator: creator.name })}
          </button>
          <p className="small muted">{t('payments')}</p>
        </Form>
      )}
    </section>
  );
}

type TopicProps = { name: string; fact: ReactNode; isOn: boolean; children: ReactNode };

function Topic({ name, fact, isOn, children }: TopicProps) {
  return (
    <li className={isOn ? undefined : 'is-off'}>
      <div>
        <strong dir="auto">{name}</strong>
        <p className="small muted">{fact}</p>
      </div>
      {children}
    </li>
  );
}

function Newsletter({ own, isFirst }: { own: OwnContact; isFirst: boolean }) {
  const { t } = useTranslation('own-emails');
  const { newsletter, creator } = own;
  const isOn = newsletter === 'active' || newsletter === 'pending';
  return (
    <Topic name={t('newsletter')} fact={t(`newsletter.${newsletter}`)} isOn={isOn}>
      {isOn ? (
        <Form method="post">
          <Stop isFirst={isFirst} of={t('newsletter')} />
        </Form>
      ) : (
        creator.hasNewsletter && <a href={creator.url.replace(/\/$/, '') + NEWSLETTER_FORM_PATH}>{t('signUp')}</a>
      )}
    </Topic>
  );
}

function Show({ show, isFirst }: { show: OwnShow; isFirst: boolean }) {
  const { t } = useTranslation('own-emails');
  const { t: tBuyers } = useTranslation('buyers');
  const { id, name, state, getsEmails } = show;
  const topic = t('episodes', { show: name });
  const facts = [tBuyers(`state.${state}`), t(getsEmails ? 'on' : 'off')];
  return (
    <Topic name={topic} fact={facts.join(' · ')} isOn={getsEmails}>
      <Form method="post">
        <input type="hidden" name="intent" value="show" />
        <input type="hidden" name="productId" value={id} />
        <input type="hidden" name="wants" value={getsEmails ? 'false' : 'true'} />
        {getsEmails ? (
          <Stop isFirst={isFirst} of={topic} />
        ) : (
          <button type="submit" className="button plain slim" aria-label={`${t('again')}: ${topic}`}>
            {t('again')}
          </button>
        )}
      </Form>
    </Topic>
  );
}

function Stop({ isFirst, of }: { isFirst: boolean; of: string }) {
  const { t } = useTranslation('own-emails');
  return (
    <button type="submit" className={isFirst ? 'button slim' : 'button plain slim'} aria-label={`${t('stop')}: ${of}`}>
      {t('stop')}
    </button>
  );
}
