import type { ReactNode } from 'react';
import type { HelpScreen } from '~/app/lib/help-screens';
import { HelpLink } from './help-link';
import classes from './page-header.module.css';

/** A screen's title, a line below it, its main action, and the article that explains it. */
export function PageHeader({
  title,
  lead,
  action,
  back,
  help,
}: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  back?: ReactNode;
  help?: HelpScreen;
}) {
  return (
    <header className={classes.head}>
      <div className={classes.words}>
        {back && <p className={classes.back}>{back}</p>}
        <h1 className={classes.title} dir="auto">
          {title}
        </h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {help && <HelpLink screen={help} />}
      </div>
      {action}
    </header>
  );
}

/** The title of a tab, which its link already shows, and a line below the tabs. */
export function TabLead({ title, help, children }: { title: string; help?: HelpScreen; children?: ReactNode }) {
  return (
    <>
      <h2 className="hidden-visually">{title}</h2>
      {children && <p className={classes.tabLead}>{children}</p>}
      {help && <HelpLink screen={help} />}
    </>
  );
}

/** A titled section of a long form. `id`: for links to it. */
export function Section({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section className={classes.section} id={id}>
      <h2 className={classes.sectionTitle}>{title}</h2>
      {children}
    </section>
  );
}

/** Tells users without JavaScript what does not work. */
export function NeedsScript({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <p className={classes.done}>{children}</p>
    </noscript>
  );
}
