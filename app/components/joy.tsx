import classes from './joy.module.css';

const PIECES = Array.from({ length: 24 }, (_, at) => at);

/**
 * Confetti that falls once, after something to be happy about. The style sheet hides it if the visitor prefers reduced
 * motion. It needs no script.
 */
export function Joy() {
  return (
    <div className={classes.joy} aria-hidden="true">
      {PIECES.map((at) => (
        <i key={at} />
      ))}
    </div>
  );
}
