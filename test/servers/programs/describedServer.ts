/** Offers the tools that a JSON file lists at the start, and writes its process id to another file. */
import { appendFileSync, readFileSync } from 'node:fs';
import { text } from '../faults/server/messages.ts';
import { serveMode } from '../faults/server/serveMode.ts';

const [, , definition = '', pids = ''] = process.argv;
const tools: unknown = JSON.parse(readFileSync(definition, 'utf8'));
appendFileSync(pids, `${process.pid}\n`);

await serveMode('stdio', {
	handlers: {
		'tools/list': () => ({ tools }),
		'tools/call': ({ name, arguments: input }) => text(`${name} done with ${JSON.stringify(input)}`),
	},
});
