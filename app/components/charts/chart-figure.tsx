import { type ReactNode, useContext, useId, useRef } from 'react';
import { showErrorToast } from '~/app/components/toast';
import { useTranslation } from '~/app/lib/translation';
import classes from './charts.module.css';
import { PictureCaption } from './picture-caption';

/** The first cell of a row is its name. */
export type ChartTable = { columns: readonly string[]; rows: readonly (readonly string[])[] };
/** `nth`: of several lines of the same kind, each has its own dashes. */
type Stroke = { line: 'now' | 'before' | 'band' | 'mark' | 'correction' | 'imported'; name: string; nth?: number };

type Props = {
  /** For links to it, and for the names of its files. */
  id: string;
  title: string;
  /** A sentence that says what the chart shows, with its most important values; not for bars that show theirs. */
  description?: string;
  strokes?: readonly Stroke[];
  table: ChartTable;
  /** The address of the same data for spreadsheets; without it, the table has them. */
  csvUrl?: string;
  children: ReactNode;
};

/** A chart with its title, its description, the table of its values, and its files. */
export function ChartFigure({ id, title, description, strokes = [], table, csvUrl, children }: Props) {
  const picture = useRef<HTMLDivElement>(null);
  const describedBy = useId();
  return (
    <figure className={classes.figure} aria-labelledby={id} aria-describedby={description && describedBy}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {description && (
        <p id={describedBy} className={classes.description}>
          {description}
        </p>
      )}
      {strokes.length > 1 && (
        <ul className={classes.legend} data-legend>
          {strokes.map(({ line, name, nth }) => (
            <li key={name}>
              <span className={classes.stroke} data-line={line} data-nth={nth} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <div ref={picture}>{children}</div>
      <Acts picture={picture} {...{ id, title, table, csvUrl }} />
    </figure>
  );
}

type ActsProps = Pick<Props, 'id' | 'title' | 'table' | 'csvUrl'> & { picture: React.RefObject<HTMLDivElement> };

function Acts({ picture, id, title, table, csvUrl }: ActsProps) {
  const { t } = useTranslation('statistics');
  const caption = useContext(PictureCaption);
  async function save() {
    const drawing = picture.current?.querySelector('svg');
    const legend = picture.current?.parentElement?.querySelectorAll('[data-legend] li') ?? [];
    const { savePng } = await import('./save-png');
    if (drawing) await savePng(drawing, { title, caption, legend: [...legend], fileName: `${id}.png` });
  }
  const fail = () => showErrorToast(t('chart.pngFailed'), t('chart.close'));
  return (
    <div className={classes.acts}>
      <details>
        <summary>{t('chart.table')}</summary>
        <ValueTable title={title} table={table} />
      </details>
      {csvUrl && (
        <a href={csvUrl} download aria-label={t('chart.csvOf', { title })}>
          {t('chart.csv')}
        </a>
      )}
      <button
        type="button"
        data-needs-script
        onClick={() => void save().catch(fail)}
        aria-label={t('chart.pngOf', { title })}
      >
        {t('chart.png')}
      </button>
    </div>
  );
}

function ValueTable({ title, table: { columns, rows } }: { title: string; table: ChartTable }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={classes.scroll} aria-label={title} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], i) => (
            <tr key={i}>
              <th scope="row" dir="auto">
                {name}
              </th>
              {cells.map((cell, column) => (
                <td key={columns[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
