import { Fragment } from 'react';

/** An address of a person or a file. If it has to break, it breaks before its domain or a part of its path. */
export function ConsoleAddress({ address }: { address: string }) {
  const parts = address.split(/(?=@)|(?<=[^/])(?=\/[^/])/);
  return (
    <bdi>
      {parts.map((part, i) => (
        <Fragment key={`${i} ${part}`}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
