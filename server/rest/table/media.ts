import { type Call, call } from '../call';
import { uploadTicketOut } from '../serializers/uploads';

export const mediaCalls: Call[] = [
  call('POST generate-url-upload-file/', 'media.requestFormUpload', {
    access: 'auth',
    summary: 'Request an upload URL. Other calls refer to the uploaded file by `key`.',
    out: uploadTicketOut,
    status: 201,
  }),
];
