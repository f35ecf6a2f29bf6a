import { type Call, call } from '../call';
import { uploadTicketOut } from '../serializers/uploads';

export const mediaCalls: Call[] = [
  call('POST generate-url-upload-file/', 'media.requestFormUpload', {
    access: 'auth',
    summary:
      'Request an upload URL. Send the file there: for POST as multipart/form-data with `fields` first and the file last, ' +
      'in the field `file`; for PUT only its bytes. Other calls refer to the file by `key`.',
    out: uploadTicketOut,
    status: 201,
  }),
  call('POST generate-url-upload-promo/', 'episodes.requestPromoFormUpload', {
    access: 'auth',
    summary:
      'Request an upload URL for the promo of an episode: an MP3 of at most 30 seconds. Pass the `key` as `promo_key` ' +
      'to the update of the episode.',
    out: uploadTicketOut,
    status: 201,
  }),
];
