import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { recordOf } from '../../src/common/json.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { startedPool } from '../servers/poolFixture.ts';
import { loopbackServer } from './loopbackServer.ts';

/** How servers report progress, and what is shown of it. `from`: where it was seen. */
const rows: readonly (readonly [
	what: string,
	says: (token: unknown) => object,
	shown: object,
	from: string,
])[] = [
	[
		'as specified',
		(progressToken) => ({ progressToken, progress: 1, total: 2 }),
		{ progress: 1, total: 2 },
		'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress',
	],
	[
		'with `null` for what it does not know',
		(progressToken) => ({ progressToken, progress: 1, total: null, message: null }),
		{ progress: 1 },
		'infobip/infobip-openapi-mcp#41',
	],
	[
		'with a token of its own',
		() => ({ progressToken: 'tool-call-4', progress: 0, total: 1 }),
		{ progress: 0, total: 1 },
		'twentyhq/twenty#24559',
	],
	[
		'only in words',
		() => ({ status: 'running', message: 'still building' }),
		{ progress: 0, message: 'still building' },
		'buildkite/buildkite-mcp-server#215',
	],
];

test.each(rows)('progress %s keeps its call alive', async (_what, says, shown) => {
	const launch = await loopbackServer(({ method, id, params, response }) => {
		if (method !== 'tools/call') return false;
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		const write = (message: object) =>
			response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
		const report = { method: 'notifications/progress', params: says(recordOf(params._meta).progressToken) };
		void (async () => {
			for (let told = 0; told < 4; told += 1) {
				await delay(300);
				write(report);
			}
			write({ id, result: { content: [{ type: 'text', text: 'worked' }] } });
			response.end();
		})();
		return true;
	});
	const pool = await startedPool({ odd: launch }, { limits: { callIdleMs: 700 } });
	const progress: object[] = [];

	const result = await pool.callTool('odd', 'work', {}, { onProgress: (one) => progress.push(one) });

	expect(resultText(result)).toBe('worked');
	expect(progress).toEqual([shown, shown, shown, shown]);
});
