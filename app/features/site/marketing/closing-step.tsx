import { NextStep } from './next-step';

/** The next step once more, at the end of a page. */
export function ClosingStep({ title }: { title: string }) {
  return (
    <section className="closing">
      <h2>{title}</h2>
      <NextStep />
    </section>
  );
}
