/** Works, and on `crash` dies in mid-call. Its log counts the calls, over all its lives, in the file given. */
import { appendFileSync } from 'node:fs';
import { text, tool } from './messages.ts';
import { serve } from './scriptedServer.ts';

const calls = String(process.argv[2]);

serve({
	'tools/list': () => ({ tools: [tool('crash'), tool('work')] }),
	'tools/call': ({ name }) => {
		appendFileSync(calls, `${name}\n`);
		if (name === 'work') return text('worked');
		process.stderr.write('about to crash\n');
		process.exit(3);
	},
});
