/** `html`: the answer with its links, if it has any. */
type Question = { name: string; question: string; answer: string; html?: string };

/** Questions of a page that open one by one, each with an address. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="questions">
      {questions.map(({ name, question, answer, html }) => (
        <details key={name} id={name}>
          <summary>{question}</summary>
          {html === undefined ? (
            <p>{answer}</p>
          ) : (
            // rendered from Markdown and sanitised by the server
            <div className="answer" dangerouslySetInnerHTML={{ __html: html }} />
          )}
        </details>
      ))}
    </div>
  );
}
