import classes from './plans.module.css';

/** The heading after which a message is a list (spec §8), in each language. */
const HEADING = /^(Keep growing your podcast with:|Haz crecer tu pódcast con:)$/;

/** A message of several lines. Lines after the heading become a list. */
export function PlanMessage({ text }: { text: string }) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const heading = lines.findIndex((line) => HEADING.test(line));
  const [before, after] = heading < 0 ? [lines, []] : [lines.slice(0, heading + 1), lines.slice(heading + 1)];
  return (
    <>
      {before.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {after.length > 0 && (
        <ul className={classes.gains}>
          {after.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}
