// A child process that starts the embedded server and then waits to be killed.
import { startEmbedded } from '~/db/embedded';

const server = await startEmbedded({ dir: process.argv[2] ?? '' });
console.log(server.url);
setInterval(() => {}, 60_000);
