import { expect, test } from 'vitest';
import { ConfigReader } from '../../../src/config/configReader.ts';

const scope = { workspaceFolder: '/w', env: {} };

/** A configuration with so many servers. */
function configuration(count: number, entry: object): string {
	return JSON.stringify({
		servers: Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, entry])),
	});
}

test('a file of hundreds of servers is read, and a larger one is a fault of the file', async () => {
	const reader = new ConfigReader();
	const { config } = await reader.load(configuration(500, { command: 'x', args: ['a'] }), scope);
	expect(config?.launches.size).toBe(500);
	const { config: none, problems } = await reader.load(configuration(10_000, { command: 'x' }), scope);
	expect([none, problems[0]?.message]).toEqual([
		undefined,
		expect.stringMatching(/^The file has \d+ characters; at most 150000 are read\./),
	]);
});

test('what is wrong on disk has its place, found once for each folder', async () => {
	const servers = Array.from({ length: 300 }, (_, i) => `"s${i}":{"command":"x","cwd":"/gone/${i % 3}"}`);
	const text = `{"servers":{${servers.join(',')}}}`;
	const reader = new ConfigReader();
	const { config } = await reader.load(text, scope);
	if (!config) throw new Error('it is well-formed');
	const asked: string[] = [];
	const disk = {
		folderState: async (folder: string) => {
			asked.push(folder);
			return 'missing' as const;
		},
		templates: async () => [],
	};
	const problems = await reader.diskProblems(text, config, disk);
	expect(asked).toEqual(['/gone/0', '/gone/1', '/gone/2']);
	expect(problems).toHaveLength(200);
	expect(problems[0]).toMatchObject({ path: ['servers', 's0', 'cwd'], start: { line: 0 } });
});
