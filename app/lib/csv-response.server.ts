/** Spreadsheets read a file as UTF-8 if it begins with a byte order mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** Sends a file whose lines are produced while the client reads it. */
export function csvResponse(fileName: string, lines: AsyncGenerator<string, void>): Response {
  return new Response(toStream(lines), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
  });
}

/** Produces the next part only after the client has read the last one. */
function toStream(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(BYTE_ORDER_MARK)),
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    // the client has left
    cancel: () => void texts.return(),
  });
}
