import { describe, expect, test } from 'vitest';
import { faults, server } from './faultTable.ts';
import { load, problemsOf } from './fixtures.ts';

describe('a fault is told at its place, and the rest is in force', () => {
	test.each(faults)('%s', (_fault, text, ...problems) => {
		expect(problemsOf(text)).toEqual(problems);
		expect(load(text).config).toBeDefined();
	});

	test('a toolset with a fault is off as a whole', () => {
		const { config } = load(
			'{ "tool_sets": { "t": { "servers": { "w": { "exlude": ["x"] } } }, "u": { "servers": {} } } }',
		);
		expect([...(config?.toolsets.keys() ?? [])]).toEqual(['u']);
	});

	test('a secret is never shown', () => {
		const { problems } = load(
			server(
				`"url": "https://me:hush-hush@x.test/\${env:TOKEN}"`,
				`"headers": { "X\\n": "\${env:TOKEN}\\n" }`,
			),
		);
		expect(problems.length).toBeGreaterThan(1);
		expect(JSON.stringify(problems)).not.toContain('hush');
	});

	test('a file of faults lists the first 200', () => {
		const servers = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`s${n}`, { command: n }]));
		const { config, problems } = load(JSON.stringify({ servers }));
		expect(problems).toHaveLength(200);
		expect(config?.launches.size).toBe(0);
	});

	test('the range covers what is faulty, in lines of CR LF too', () => {
		const { problems } = load('{\r\n"servers": {\r\n"w": { "command": 512 } } }');
		expect(problems[0]).toMatchObject({ start: { line: 2, character: 18 }, end: { line: 2, character: 21 } });
	});
});
