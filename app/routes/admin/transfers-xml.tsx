import { file } from '~/app/lib/doors.server';

/** A file of transfers for the operator to upload to the bank. */
export const loader = file(async ({ api, url }) => {
  const file = url.searchParams.get('file') ?? '';
  const text = await api.console.transferFile({ file });
  return new Response(text, {
    headers: {
      'content-type': 'application/xml; charset=utf-8',
      'content-disposition': `attachment; filename="${file}.xml"`,
      'cache-control': 'no-store',
    },
  });
});
