export type MoneyPart = { name: 'kept' | 'commission' | 'vat' | 'plan'; label: string; minor: number; amount: string };

/** A bar with the parts of an amount. A table or a list below it has the same figures for screen readers. */
export function MoneyBar({ parts }: { parts: MoneyPart[] }) {
  const shown = parts.filter(({ minor }) => minor > 0);
  const total = shown.reduce((all, { minor }) => all + minor, 0);
  const widthOf = ({ minor }: MoneyPart) => (minor * WIDTH) / total;
  return (
    <svg className="money-bar" viewBox={`0 0 ${WIDTH} 1`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map((part, at) => (
        <rect
          key={part.name}
          className={`part-${part.name}`}
          x={shown.slice(0, at).reduce((all, before) => all + widthOf(before), 0)}
          width={widthOf(part)}
          height={1}
        />
      ))}
    </svg>
  );
}

const WIDTH = 1000;

/** The label of a part, with its colour in the bar. */
export function PartLabel({ part }: { part: Pick<MoneyPart, 'name' | 'label'> }) {
  return (
    <>
      <svg className="part-key" viewBox="0 0 1 1" aria-hidden="true">
        <rect className={`part-${part.name}`} width={1} height={1} />
      </svg>
      {part.label}
    </>
  );
}
