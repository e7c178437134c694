/** Works, and dies in a call of `fault`. The given file counts the calls over all starts. */
import { appendFileSync } from 'node:fs';
import { text } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

const calls = String(process.argv[2]);

await serveMode('stdio', {
	handlers: {
		'tools/call': ({ name }) => {
			appendFileSync(calls, `${name}\n`);
			if (name === 'work') return text('worked');
			process.stderr.write('about to crash\n');
			process.exit(3);
		},
	},
});
