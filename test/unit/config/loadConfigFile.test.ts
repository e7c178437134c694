import { expect, test } from 'vitest';
import { loadConfigFile } from '../../../src/config/loadConfigFile.ts';

const scope = { file: '', workspaceFolder: '/w', env: {} };

/** A configuration with so many servers. */
function configuration(count: number, entry: object): string {
	return JSON.stringify({
		servers: Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, entry])),
	});
}

test('a file with hundreds of servers is read, and a file that is too large is rejected', async () => {
	const { config } = await loadConfigFile(configuration(500, { command: 'x', args: ['a'] }), scope);
	expect(config?.launches.size).toBe(500);
	const { config: none, problems } = await loadConfigFile(configuration(10_000, { command: 'x' }), scope);
	expect([none, problems[0]?.message]).toEqual([
		undefined,
		expect.stringMatching(/^The file has \d+ characters; at most 150000 are read\./),
	]);
});
