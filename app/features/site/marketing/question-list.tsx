type Question = { name: string; question: string; answer: string };

/** Questions of a page that open one by one, each with an address. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="questions">
      {questions.map(({ name, question, answer }) => (
        <details key={name} id={name}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  );
}
