/** Gets as far as the handshake, and dies before it lists a tool. */
import { serve } from './scriptedServer.ts';

serve({
	'tools/list': () => {
		process.stderr.write('no database\n');
		process.exit(4);
	},
});
